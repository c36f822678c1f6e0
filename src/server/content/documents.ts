import { readTree, type TreeIssue } from '../../content/tree/read-tree.ts';
import { fromTree } from '../../content/tree/to-markdown.ts';
import { readMarkdown, rewriteLinks } from '../../content/markdown/markdown.ts';
import { decodeAddress } from '../../shared/decode.ts';
import { linkKey } from './link-keys.ts';

/** A text as it comes in: Markdown, or a tree that is still to be judged. */
export type RawText = { markdown: string } | { tree: unknown };

/** What is kept of a text: all that is ever asked of it, read once. */
export interface ReadText {
  markdown: string;
  /** The front matter's title, else the heading the text begins with. */
  title: string | undefined;
  /** As JSON, the form they are kept in: a hostile text has a million of them. */
  sections: string;
  links: string;
}

export interface RawTexts {
  texts: RawText[];
  /** Ids of pages and files by the names that links of the texts give them. */
  pages: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
}

/** Reads texts; a tree that is none has faults instead, an empty text is null. */
export function readTexts({ texts, pages, files }: RawTexts): ({ faults: TreeIssue[] } | ReadText | null)[] {
  const textOrNull = (markdown: string) => (markdown === '' ? null : readText(resolveNames(markdown, pages, files)));
  return texts.map((text) => {
    if ('markdown' in text) return textOrNull(text.markdown);
    const read = readTree(text.tree);
    return read.issues ? { faults: read.issues } : textOrNull(fromTree(read.tree));
  });
}

export function readText(markdown: string): ReadText {
  const { title, sections, links } = readMarkdown(markdown);
  return {
    markdown,
    title,
    sections: JSON.stringify(sections),
    links: JSON.stringify(links.map(({ url, kind, node }) => ({ url, kind, node, ending: linkKey(url) }))),
  };
}

/** Links by the names of this call become links by id. */
function resolveNames(
  markdown: string,
  pages: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): string {
  if ((pages.size === 0 && files.size === 0) || !markdown.includes('./')) return markdown;
  return rewriteLinks(markdown, (url) => {
    const [, path, anchor = ''] = /^\.\/([^#]+)(#.*)?$/s.exec(url) ?? [];
    if (path === undefined) return url;
    const name = decodeAddress(path);
    const page = name.endsWith('.md') ? pages.get(name.slice(0, -'.md'.length)) : undefined;
    if (page !== undefined) return `/pages/${page}${anchor}`;
    const file = files.get(name);
    return file === undefined ? url : `/files/${file}`;
  });
}
