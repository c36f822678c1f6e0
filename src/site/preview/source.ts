import type { SearchAnswer } from '../model.ts';

/** What a preview shows: the pages of a folder, of a space or of a site. */
export interface PreviewSource {
  /**
   * What is at an address.
   *
   * @param path decoded, from the root of the site, without slashes at its ends
   */
  answer(path: string, query: URLSearchParams): Promise<PreviewAnswer>;
  /** The scripts and style sheets, and pictures of the content, by their path below `/~docsctl/`. */
  asset(path: string): Promise<PreviewFile | undefined>;
  search(query: string): Promise<SearchAnswer>;
  /** Calls back after something changed, until the returned function is called. */
  onChange?(listener: () => void): () => void;
}

export interface PreviewFile {
  contentType: string;
  bytes: Uint8Array;
  /** It has the same content for ever: its name has a hash of it. */
  isImmutable?: boolean;
  /** Content security policy, where it is not the one of all files. */
  policy?: string | undefined;
}

export type PreviewAnswer =
  /** `html` is a whole document; `connect`: origins to which its scripts may send requests; `hasFrames`: it draws diagrams. */
  | { kind: 'page'; html: string; connect?: string[]; hasFrames?: boolean }
  | { kind: 'not-found'; html: string }
  | { kind: 'redirect'; to: string }
  | ({ kind: 'file' } & PreviewFile);
