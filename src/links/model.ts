import type { FolderProblem } from '../site/folder/problem.ts';
import type { TextFacts, TextLink } from './facts.ts';

/** A page that links can lead to. */
export interface LinkedPage {
  space: LinkedSpace;
  /** Unique in its space. */
  key: string;
  title: string;
  /** Slugs from the root of its space. */
  path: string;
  /** As `path`; "" for the first page. */
  address: string;
  /** ISO 8601, if the source knows it. */
  updatedAt?: string | undefined;
}

/** Where a finding is: in a file of a folder, or in a page of the service. */
export interface Place {
  /** The path from the working directory. */
  file?: string;
  subject?: string;
}

/** A text with links: a page, a reusable text or the table of contents. */
export interface LinkedText {
  space: LinkedSpace;
  /** Unique in its space. */
  key: string;
  place: Place;
  kind: 'page' | 'include' | 'contents';
  /** Present for a page. */
  page?: LinkedPage | undefined;
  facts(): TextFacts;
  /** The Markdown. */
  source(): string;
}

/** What an address in a text leads to. */
export type LinkTarget =
  | { kind: 'page'; page: LinkedPage; anchor: string }
  /** With its name, if it is a file of the space. */
  | { kind: 'file'; file?: string }
  | { kind: 'include'; text: LinkedText }
  | { kind: 'external'; url: string }
  /** A page of a space, by their IDs. */
  | { kind: 'reference'; space: string; page: string | undefined; anchor: string }
  /** Something that is no page, such as a user, or a place on the page that includes a text. */
  | { kind: 'unchecked' }
  /** With the reason, as the end of a sentence. */
  | { kind: 'missing'; reason: string };

/** A space of a folder or of the service, as far as links are concerned. */
export interface LinkedSpace {
  /** For messages. */
  name: string;
  /** On the service, if it is known. */
  id: string | undefined;
  pages: readonly LinkedPage[];
  /** Texts that are found while others are read come last. */
  texts: readonly LinkedText[];
  resolve(link: TextLink, text: LinkedText): LinkTarget;
  /** @param path without slashes at its ends */
  pageAt(path: string): LinkedPage | undefined;
  pageOf(id: string): LinkedPage | undefined;
  /** The IDs in a page that links can lead to. */
  anchorsOf(page: LinkedPage): Promise<ReadonlySet<string>>;
  /** The address of a page of this space in one of its texts. */
  addressFor(page: LinkedPage, text: LinkedText): string;
  /** The address of what an address led to before it was renamed or moved. */
  moved(link: TextLink, text: LinkedText): Promise<string | undefined>;
  /** The page that was at this path before. */
  movedPage(path: string): Promise<LinkedPage | undefined>;
  /** Problems of the table of contents and of redirects. */
  problems(): readonly SpaceProblem[];
}

/** A problem that no single link causes. */
export type SpaceProblem = Omit<FolderProblem, 'file'> & { place: Place };

/** A space at an address of a published site. */
export interface PublishedPlace {
  /** Without a slash at the end. */
  url: string;
  space: LinkedSpace;
  isPublic: boolean;
  site: { id: string; url: string };
  /** From the root of the site; "" for the default space. */
  address: string;
}

/** All spaces whose links are checked together. */
export interface LinkedWorld {
  spaces: readonly LinkedSpace[];
  places: readonly PublishedPlace[];
  /** Whether these are all spaces of the organization. */
  isComplete: boolean;
}
