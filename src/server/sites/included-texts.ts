import { readIncludes } from '../../content/blocks/includes.ts';
import { isVariables } from '../../content/blocks/variables.ts';
import { ContentLinks, type LinkedContent } from '../../content/markdown/content-links.ts';
import { findDownload } from '../../store/files.ts';
import type { Db } from '../../store/store.ts';

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
  const read = async (file: string) => {
    const bytes = (await findDownload(db, file))?.bytes;
    return bytes && new TextDecoder().decode(bytes);
  };
  const includes = await readIncludes(markdown, async (path) => {
    const target = links.resolve(path, page);
    return target.kind === 'file' ? read(target.file) : undefined;
  });
  const file = content.files.find(({ name }) => isVariables(name));
  return { includes, variables: file && (await read(file.id)) };
}
