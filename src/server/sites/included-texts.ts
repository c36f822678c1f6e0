import { readIncludes } from '../../content/blocks/includes.ts';
import { isVariables } from '../../content/blocks/variables.ts';
import { ContentLinks, type LinkedContent } from '../../content/markdown/content-links.ts';
import { allFiles, findDownload } from '../../store/files.ts';
import type { Snapshot } from '../../store/snapshots.ts';
import type { Db } from '../../store/store.ts';
import { linkedContent } from '../content/links/linked-content.ts';
import type { Outline } from '../content/pages/outline.ts';

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
  if (!/\{%|<code\b/.test(markdown)) return { includes: new Map() };
  const links = new ContentLinks(content);
  const includes = await readIncludes(markdown, async (path) => {
    const target = links.resolve(path, page);
    return target.kind === 'file' ? readText(db, target.file) : undefined;
  });
  return { includes, variables: await variablesIn(db, content) };
}

async function readText(db: Db, file: string): Promise<string | undefined> {
  const bytes = (await findDownload(db, file))?.bytes;
  return bytes && new TextDecoder().decode(bytes);
}

async function variablesIn(db: Db, { files }: Pick<LinkedContent, 'files'>): Promise<string | undefined> {
  const file = files.find(({ name }) => isVariables(name));
  return file && readText(db, file.id);
}

/** YAML of the variables of a space. */
export const spaceVariables = async (db: Db, outline: Outline, snapshot: Snapshot): Promise<string | undefined> =>
  variablesIn(db, await linkedContent(db, outline, await allFiles(db, snapshot)));
