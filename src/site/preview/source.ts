import type { SearchAnswer } from '../model.ts';
import type { SiteMarkdown } from '../static/link-markdown.ts';

/** The address of the list of pages for language models. */
export const llmsHref = '/llms.txt';

/** The pages of a folder, a space or a site in a preview. */
export interface PreviewSource {
  /**
   * Returns what is at an address.
   *
   * @param path decoded, from the root of the site, without slashes at its ends
   */
  answer(path: string, query: URLSearchParams): Promise<PreviewAnswer>;
  /** A script, style sheet or picture, by its path below `/~docsctl/`. */
  asset(path: string): Promise<PreviewFile | undefined>;
  search(query: string): Promise<SearchAnswer>;
  /** All pages, for language models. */
  outline(): PreviewOutline | Promise<PreviewOutline>;
  /** Calls the listener after each change, until the returned function is called. */
  onChange?(listener: () => void): () => void;
}

export interface PreviewOutline {
  title: string;
  /** The spaces, or the only one. */
  sections: { title: string; pages: PreviewPage[] }[];
}

export interface PreviewPage {
  title: string;
  description?: string | undefined;
  /** An address that starts with `/`, like the next one. */
  href: string;
  markdownHref: string;
  /** Whether it is in the lists of pages. */
  isListed: boolean;
  /** The text with its title. */
  markdown(): Promise<SiteMarkdown>;
}

export interface PreviewFile {
  contentType: string;
  bytes: Uint8Array;
  /** Whether its content never changes, because its name contains a hash. */
  isImmutable?: boolean;
  /** A content security policy that replaces the default one of files. */
  policy?: string | undefined;
}

export type PreviewAnswer =
  /** `html` is a whole document. Its scripts may send requests to the origins in `connect`. `hasFrames`: it draws diagrams. */
  | { kind: 'page'; html: string; connect?: string[]; hasFrames?: boolean }
  | { kind: 'not-found'; html: string }
  | { kind: 'redirect'; to: string }
  | ({ kind: 'file' } & PreviewFile);
