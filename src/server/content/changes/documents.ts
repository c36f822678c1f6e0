import { readTree, type TreeIssue } from '../../../content/tree/read-tree.ts';
import { fromTree } from '../../../content/tree/to-markdown.ts';
import { readMarkdown, rewriteLinks } from '../../../content/markdown/markdown.ts';
import { decodeAddress } from '../../../shared/decode.ts';
import { linkKey } from '../links/link-keys.ts';

/** A text of a request: Markdown, or a tree that is not validated yet. */
export type RawText = { markdown: string } | { tree: unknown };

/** What is stored of a text: all that later requests need of it. */
export interface ReadText {
  markdown: string;
  /** The front matter's title, else the heading the text begins with. */
  title: string | undefined;
  /** JSON, as they are stored: a hostile text can have a million of them. */
  sections: string;
  links: string;
}

export interface RawTexts {
  texts: RawText[];
  /** Ids of pages and files by the names that links in the texts use. */
  pages: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
}

/** Reads texts. The result of an invalid tree is its issues, that of an empty text is null. */
export function readTexts({ texts, pages, files }: RawTexts): ({ issues: TreeIssue[] } | ReadText | null)[] {
  const textOrNull = (markdown: string) => (markdown === '' ? null : readText(resolveNames(markdown, pages, files)));
  return texts.map((text) => {
    if ('markdown' in text) return textOrNull(text.markdown);
    const read = readTree(text.tree);
    return read.issues ? { issues: read.issues } : textOrNull(fromTree(read.tree));
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

/**
 * Whether a text may have a link by one of these names. Parsing takes as long as all the rest, and almost no text has one:
 * a push names its pages by random ids.
 */
function mayName(markdown: string, names: ReadonlyMap<string, string>): boolean {
  if (names.size === 0 || !markdown.includes('./')) return false;
  if (!/[%\\&]/.test(markdown)) return [...names.keys()].some((name) => markdown.includes(name));
  const unescaped = withoutEscapes(markdown);
  return [...names.keys()].some((name) => !hexName.test(name) || unescaped.includes(name));
}

/** Names without anything that has a named entity. */
const hexName = /^[0-9a-f-]+$/i;

/** Blocks have "{%", and exports are full of "&#x20;": neither is part of a name. */
const withoutEscapes = (markdown: string) =>
  markdown
    .replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replaceAll('\\-', '-')
    .replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Replaces links by the names of this request with links by id. */
function resolveNames(
  markdown: string,
  pages: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): string {
  if (!mayName(markdown, pages) && !mayName(markdown, files)) return markdown;
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
