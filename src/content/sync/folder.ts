import { createHash } from 'node:crypto';
import type { PageMeta } from './page-info.ts';

/** Files by their path, with `/` between folders and not at the beginning. */
export type Folder = ReadonlyMap<string, Uint8Array>;

export interface LocalPage extends PageMeta {
  /** Identifies it within the folder: its file, else its kind and name. */
  key: string;
  type: 'document' | 'group' | 'link';
  parent: string | null;
  title: string;
  slug: string;
  /** Slugs from the root. */
  path: string;
  /** From the docs' root; null for a folder or label without a text. */
  file: string | null;
  /** The file's text as it is, front matter included; null without a file. */
  text: string | null;
  href?: string;
}

export interface LocalFile {
  /** Path from the docs' root. */
  path: string;
  bytes: Uint8Array;
  hash: string;
}

export interface Problem {
  file: string;
  line?: number;
  message: string;
}

/** A link of a page to a path that no file of the folder has, or a text that looks like such a link. */
export interface UnresolvedLink {
  file: string;
  url: string;
  path: string;
}

export interface LocalFolder {
  /** The folder that contains the docs, as the settings file says; "" for the whole folder. */
  root: string;
  /** Depth first, siblings in their order. */
  pages: LocalPage[];
  /** Files that the pages link to or show. */
  files: LocalFile[];
  unresolved: UnresolvedLink[];
  /** The text of SUMMARY.md. */
  summary: string | null;
  summaryPath: string;
  /** The file of the first page. */
  readmePath: string;
  problems: Problem[];
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
