import type { Remote } from '../remote.ts';
import { type Base, textHash } from '../../content/folder/base.ts';

/** Texts of the base that a pull needs beside those of the space, by page id. */
export interface BaseTexts {
  /** Those that the record has. */
  known: Map<string, string>;
  /** Those that an earlier revision has. */
  ancestors: { id: string; revision: string }[];
}

/** @param remote with its texts */
export function baseTexts(base: Base, remote: Remote): BaseTexts {
  const texts = new Map(remote.pages.map(({ id, text }) => [id, text ?? '']));
  const known = new Map<string, string>();
  const ancestors: BaseTexts['ancestors'] = [];
  for (const entry of base.pages) {
    const text = entry.text === '' ? '' : (entry.source ?? texts.get(entry.id));
    if (text !== undefined && textHash(text) === entry.text) known.set(entry.id, text);
    else if (entry.space?.isAlike && text !== undefined && textHash(text) === entry.space.text)
      known.set(entry.id, text);
    else if (entry.revision !== undefined) ancestors.push({ id: entry.id, revision: entry.revision });
  }
  return { known, ancestors };
}
