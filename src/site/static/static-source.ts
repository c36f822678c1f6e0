import type { FolderProblem } from '../folder/problem.ts';
import type { Question } from '../folder/folder-source.ts';
import type { PageHeading } from '../model.ts';
import type { IndexedPage } from '../search-index.ts';

/** A page of a site that is exported. */
export interface StaticPage {
  /** Its name for the source. */
  key: string;
  /** From the root of the site, decoded, without slashes at its ends; "" for the first page. */
  address: string;
  /** Whether it is the first page of a space: others may be below its address. */
  isFirst: boolean;
  title: string;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** RFC 3339. */
  updatedAt?: string | undefined;
  /** The title of the space. */
  space: string;
  /** Titles of what the page stands in, outermost first. */
  trail: string[];
  /** Not in the table of contents, search and lists. */
  isHidden: boolean;
  /** Not in search and in the lists for language models. */
  noIndex: boolean;
  /** Not in the lists for search engines. */
  noRobotsIndex: boolean;
  /** The file or the page that it comes from, for messages. */
  file: string;
}

export interface StaticRedirect {
  /** An address without slashes at its ends. */
  from: string;
  /** An address of another host, or one that begins with `/` at the root of the site. */
  to: string;
  file: string;
  line?: number | undefined;
}

/** A link to a heading of another page. */
export interface HeadingLink {
  /** What the source calls the link. */
  link: string;
  /** The key of the page. */
  page: string;
  anchor: string;
}

/** The rendered text of a page, as plain data: it is kept for the next export. */
export interface StaticText {
  /** Its addresses begin with `/` at the root of the site. */
  html: string;
  headings: PageHeading[];
  hasMermaid: boolean;
  markdown: string;
  sections: IndexedPage['sections'];
  problems: FolderProblem[];
  /** What links may name. */
  anchors: string[];
  /** Links to headings of other pages, which are checked when all pages are known. */
  headingLinks: HeadingLink[];
  /** The `headingLinks` that lead to no heading: the text marks them. */
  missing: string[];
  /** What the source recognizes the text by. */
  madeOf: MadeOf;
}

export interface MadeOf {
  /** A hash. */
  own: string;
  /** What was asked of the rest of the folder, and answered. */
  questions: readonly Question[];
}

export interface DocumentOptions {
  /** The whole address of the page. */
  canonical?: string | undefined;
  /** Whether the page has a feed of its updates. */
  hasFeed: boolean;
}

/** A site to export, whatever it comes from. */
export interface StaticSource {
  title: string;
  pages: readonly StaticPage[];
  redirects: readonly StaticRedirect[];
  /** Whether search engines may list it. */
  isListed: boolean;
  /** A hash of everything that the pages are made of. */
  fingerprint: string;
  /** How many pages it can render at a time; 1 where absent. */
  parallel?: number;
  /** @param missing the `headingLinks` that lead to no heading */
  render(page: StaticPage, missing: readonly string[]): Promise<StaticText>;
  /** Whether the text of a page would be the same now. */
  isCurrent(page: StaticPage, text: StaticText): Promise<boolean>;
  /** A hash of everything that the document of a page shows besides its text. */
  frameOf(page: StaticPage): string;
  /** All of the document; its addresses begin with `/` at the root of the site. */
  document(page: StaticPage, text: StaticText, options: DocumentOptions): Promise<string>;
  /** The document for addresses that lead nowhere. */
  notFound(): Promise<string>;
  /** What documents refer to below `ownPath`: styles, scripts, pictures. */
  file(path: string): Promise<Uint8Array | undefined>;
  /** Paths of more files below `ownPath`, which the one at this path loads. */
  loadedBy?(path: string): readonly string[];
  /** Whether pages draw diagrams, in a frame. */
  readonly drawsDiagrams?: boolean;
  /** What is wrong besides the pages. Asked for after they are rendered. */
  problems(): FolderProblem[];
  /** The line of the source of a page that has this text; 1 where none does. */
  lineOf(page: StaticPage, text: string): Promise<number>;
}

/** The line of a text that has another text; 1 where none does. */
export function lineOf(source: string, text: string): number {
  const at = source.indexOf(text);
  return at === -1 ? 1 : source.slice(0, at).split('\n').length;
}
