import type { FolderProblem } from '../folder/problem.ts';
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

/** A rendered page, as plain data: it may come from another thread. */
export interface StaticDocument {
  /** All of the document; its addresses begin with `/` at the root of the site. */
  html: string;
  /** The text of the page alone. */
  body: string;
  markdown: string;
  sections: IndexedPage['sections'];
  problems: FolderProblem[];
  /** What links may name. */
  anchors: string[];
  /** Links to headings of other pages, which are checked when all pages are known. */
  headingLinks: HeadingLink[];
}

export interface DocumentOptions {
  /** The whole address of the page. */
  canonical?: string | undefined;
  /** Whether a page of updates has a feed. */
  hasFeed: boolean;
  /** The links to headings that are not there. */
  missing?: readonly string[] | undefined;
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
  render(page: StaticPage, options: DocumentOptions): Promise<StaticDocument>;
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
