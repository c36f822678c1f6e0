import type { PageSection } from '../../content/html/page-source.ts';
import type { Contents, ContentsPage } from '../contents.ts';
import type { FolderProblem } from '../folder/problem.ts';
import type { Question } from '../folder/folder-source.ts';
import type { PageHeading } from '../model.ts';
import type { SocialSite } from '../social/social-picture.ts';
import type { IndexedPage } from '../search-index.ts';
import type { SiteMarkdown } from './link-markdown.ts';

/** A page of a site that is exported. */
export interface StaticPage {
  /** Identifies the page in its source. */
  key: string;
  /** From the root of the site, decoded, without slashes at its ends; "" for the first page. */
  address: string;
  /** Whether it is the first page of a space, so that other pages may be below its address. */
  isFirst: boolean;
  title: string;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** RFC 3339. */
  updatedAt?: string | undefined;
  /** The title of the space. */
  space: string;
  /** The titles of the pages and groups above it, outermost first. */
  trail: string[];
  /** Excluded from the table of contents, search and lists. */
  isHidden: boolean;
  /** Excluded from search and the lists for language models. */
  noIndex: boolean;
  /** Excluded from the lists for search engines. */
  noRobotsIndex: boolean;
  /** The file or page that it comes from, for messages. */
  file: string;
}

type PagePlace = Pick<StaticPage, 'key' | 'address' | 'isFirst' | 'updatedAt' | 'space' | 'file'>;

export const staticPageOf = <P extends ContentsPage>(
  contents: Contents<P>,
  entry: P,
  place: PagePlace,
): StaticPage => ({
  ...place,
  title: entry.title,
  description: entry.description,
  icon: entry.icon,
  emoji: entry.emoji,
  trail: contents.ancestorsOf(entry).map(({ title }) => title),
  isHidden: contents.isMarked(entry, 'hidden'),
  noIndex: contents.isMarked(entry, 'noIndex'),
  noRobotsIndex: contents.isMarked(entry, 'noRobotsIndex'),
});

export interface StaticRedirect {
  /** An address without slashes at its ends. */
  from: string;
  /** An address on another host, or one that starts with `/` at the root of the site. */
  to: string;
  file: string;
  line?: number | undefined;
}

/** A link to a heading of another page. */
export interface HeadingLink {
  /** Identifies the link in its source. */
  link: string;
  /** The key of the page. */
  page: string;
  anchor: string;
}

/** The rendered text of a page, as plain data that is stored for the next export. */
export interface StaticText {
  /** Its addresses start with `/` at the root of the site. */
  html: string;
  headings: PageHeading[];
  hasMermaid: boolean;
  markdown: SiteMarkdown;
  sections: IndexedPage['sections'];
  problems: FolderProblem[];
  /** The IDs that links can refer to. */
  anchors: string[];
  /** Links to headings of other pages, which are checked after all pages are rendered. */
  headingLinks: HeadingLink[];
  /** The `headingLinks` without a heading, which the text marks. */
  missing: string[];
  /** What the source compares to decide whether the text is current. */
  madeOf: MadeOf;
}

export const indexedSections = (sections: readonly PageSection[]): IndexedPage['sections'] =>
  sections.map(({ heading, text }) => ({ id: heading?.id, title: heading?.text, text }));

interface MadeOf {
  /** A hash. */
  own: string;
  /** What the renderer asked about the rest of the folder, with the answers. */
  questions: readonly Question[];
}

export interface DocumentOptions {
  /** The absolute address of the page. */
  canonical?: string | undefined;
  /** The absolute address of `llms.txt`. */
  llmsHref?: string | undefined;
  /** The absolute address of a picture with its title. */
  socialHref?: string | undefined;
  /** Whether the page has a feed of its updates. */
  hasFeed: boolean;
}

/** A site to export. */
export interface StaticSource {
  title: string;
  pages: readonly StaticPage[];
  redirects: readonly StaticRedirect[];
  /** What pictures of its pages show; undefined if it has a picture for all pages. */
  social?: SocialSite | undefined;
  /** Whether search engines may list it. */
  isListed: boolean;
  /** A hash of everything that the pages depend on. */
  fingerprint: string;
  /** How many pages it can render at a time; 1 by default. */
  parallel?: number;
  /** @param missing the `headingLinks` without a heading */
  render(page: StaticPage, missing: readonly string[]): Promise<StaticText>;
  /** Whether rendering the page again would give the same text. */
  isCurrent(page: StaticPage, text: StaticText): Promise<boolean>;
  /** A hash of everything in the document of a page except its text. */
  frameOf(page: StaticPage): string;
  /** The whole document. Its addresses start with `/` at the root of the site. */
  document(page: StaticPage, text: StaticText, options: DocumentOptions): Promise<string>;
  /** The document for addresses without a page. */
  notFound(): Promise<string>;
  /** A style sheet, script or picture, by its path below `ownPath`. */
  file(path: string): Promise<Uint8Array | undefined>;
  /** The paths of further files below `ownPath` that the file at this path loads. */
  loadedBy?(path: string): readonly string[];
  /** Whether pages draw diagrams, in a frame. */
  readonly drawsDiagrams?: boolean;
  /** Problems outside the pages. Call it after rendering them. */
  problems(): FolderProblem[];
  /** The line of the source of a page that contains this text; 1 if none does. */
  lineOf(page: StaticPage, text: string): Promise<number>;
}

/** The line of `source` that contains `text`; 1 if none does. */
export function lineOf(source: string, text: string): number {
  const at = source.indexOf(text);
  return at === -1 ? 1 : source.slice(0, at).split('\n').length;
}
