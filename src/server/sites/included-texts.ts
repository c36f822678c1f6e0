import { includesIn } from '../../content/blocks/includes.ts';
import { findDownload } from '../../store/files.ts';
import type { Db } from '../../store/store.ts';
import { type LinkedContent, LocalLinks } from '../content/links/local-links.ts';

export interface IncludedTexts {
  /** Markdown by the paths that includes name. */
  includes: ReadonlyMap<string, string>;
  /** YAML of the space's variables. */
  variables?: string | undefined;
}

/** What the text of a page takes from files of its content. */
export async function includedTexts(
  db: Db,
  { markdown, page, content }: { markdown: string; page: string; content: LinkedContent },
): Promise<IncludedTexts> {
  const includes = new Map<string, string>();
  if (!/\{%|<code\b/.test(markdown)) return { includes };
  const links = new LocalLinks(content);
  const read = async (file: string) => {
    const bytes = (await findDownload(db, file))?.bytes;
    return bytes && new TextDecoder().decode(bytes);
  };
  const waiting = includesIn(markdown);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (includes.has(path)) continue;
    const target = links.resolve(path, page);
    const text = target.kind === 'file' ? await read(target.file) : undefined;
    if (text === undefined) continue;
    includes.set(path, text);
    waiting.push(...includesIn(text));
  }
  const file = content.files.find(({ name }) => isVariables(name));
  return { includes, variables: file && (await read(file.id)) };
}

/** Whether a file of a content has the variables of the space. */
export const isVariables = (name: string) => /^(?:\.gitbook\/)?vars\.ya?ml$/.test(name);
