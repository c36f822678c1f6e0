import type { Generated } from 'kysely';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { DocumentPage, LinkPage, Page } from '../contract/pages.ts';
import type { revisions } from '../contract/revisions.ts';
import type { JsonText } from './json.ts';

type Revision = AnswerOf<typeof revisions.view>;

/** Rows of the content of spaces: revisions, their pages and files, texts and bytes. The others are in `tables.ts`. */

export interface RevisionRow {
  id: string;
  space: string;
  change_request: string | null;
  seq: number;
  base: string | null;
  type: Revision['type'];
  parents: JsonText<string[]>;
  merged_from: string | null;
  author: string | null;
  git: JsonText<NonNullable<Revision['git']>> | null;
  created_at: string;
}

export interface DocumentRow {
  id: string;
  markdown: string;
  sections: string;
}

export interface DocumentLinkRow {
  document: string;
  position: number;
  url: string;
  kind: string;
  node: string;
  ending: string;
}

export interface BlobRow {
  digest: string;
  bytes: Uint8Array;
  size: number;
  width: number | null;
  height: number | null;
}

/** Members that only some pages have. */
export type PageExtra = Partial<
  Pick<DocumentPage, 'layout' | 'cover' | 'git' | 'computed' | 'computedSeed'> &
    Pick<LinkPage, 'target' | 'href'> & { origin: PageOrigin }
>;

/** Where an imported page comes from, and what it was then, so that a later import of the same address can replace it. */
export interface PageOrigin {
  /** The kind of source and its address. */
  address: string;
  /** The page at its source. */
  key: string;
  /** Null for a page of the top level of the import. */
  parent: string | null;
  title: string;
  description: string | null;
  document: string | null;
  /** Of its title, description and text. */
  hash: string;
}

export interface PageVersionRow {
  space: string;
  /** The branch: empty for main content, else the id of the change request. */
  line: string;
  page: string;
  from_seq: number;
  to_seq: number;
  deleted: Generated<number>;
  parent: string | null;
  position: string;
  type: Page['type'];
  title: string;
  slug: string;
  emoji: string | null;
  icon: string | null;
  description: string | null;
  document: string | null;
  hidden: Generated<number>;
  no_index: Generated<number>;
  no_robots_index: Generated<number>;
  extra: JsonText<PageExtra> | null;
  created_at: string;
  updated_at: string;
}

export interface FileVersionRow {
  space: string;
  /** As in `PageVersionRow`. */
  line: string;
  file: string;
  from_seq: number;
  to_seq: number;
  deleted: Generated<number>;
  name: string;
  content_type: string;
  blob: string;
}

export interface SearchedPageRow {
  seq: Generated<number>;
  space: string;
  page: string;
  /** Whether its text depends on the reader. */
  adaptive: number;
}
