import { hash } from 'node:crypto';
import { isMarkdown } from './file-names.ts';
import type { PageMeta } from './page-info.ts';
import { includesIn } from './local-links.ts';

/** Called with the path of each file of a folder before it is parsed. */
export type OnFile = (file: string) => void;

/** Files by path, with `/` between folders but not at the start. */
export type Folder = ReadonlyMap<string, Uint8Array>;

export interface LocalPage extends PageMeta {
  /** Identifies the page in the folder: its file, or else its kind and name. */
  key: string;
  type: 'document' | 'group' | 'link';
  parent: string | null;
  title: string;
  slug: string;
  /** The slugs from the root. */
  path: string;
  /** Relative to the root of the docs; null for a folder or label without a text. */
  file: string | null;
  /** The unchanged text of the file, including front matter; null without a file. */
  text: string | null;
  href?: string;
  /** The line of a link in SUMMARY.md. */
  line?: number;
  /** Whether the file exists but cannot be read as a page. */
  isUnreadable?: boolean;
  /** Whether SUMMARY.md has it below an entry without a page, so that its parent is not known. */
  isUnplaced?: boolean;
  /** The YAML from which the service generates subpages. */
  generated?: string;
}

export interface LocalFile {
  /** Relative to the root of the docs. */
  path: string;
  /** As they are sent. */
  bytes: Uint8Array;
  hash: string;
  /** The bytes in the folder, if others are sent. */
  original?: Uint8Array;
}

export interface Problem {
  file: string;
  line?: number | undefined;
  /** The violated rule of `docsctl content check`. */
  rule?: string;
  message: string;
}

/** A link to a missing file, or a text that looks like such a link. */
export interface UnresolvedLink {
  file: string;
  url: string;
  path: string;
}

export interface LocalFolder {
  /** The folder with the docs, from the settings file; "" for the whole folder. */
  root: string;
  /** Depth first, with siblings in order. */
  pages: LocalPage[];
  /** The files that pages link to or display. */
  files: LocalFile[];
  /** The texts that pages include with `{% include "..." %}`. They are also in `files`. */
  includes: { file: string; text: string }[];
  unresolved: UnresolvedLink[];
  /** The text of SUMMARY.md. */
  summary: string | null;
  summaryPath: string;
  /** The file of the first page. */
  readmePath: string;
  problems: Problem[];
  /**
   * Files that may be pages but cannot be read as such, and files that SUMMARY.md lists but that do not exist. A path that
   * ends with "/" means everything in that folder. The pages of these files are never deleted.
   */
  unreadable: string[];
}

/** Links to missing files and includes of missing texts, without links to pages. */
export function missingFiles({ pages, files, includes, unresolved }: LocalFolder): UnresolvedLink[] {
  const present = new Set([...files.map(({ path }) => path), ...pages.map(({ file }) => file)]);
  const texts = [...pages, ...includes];
  const included = new Set(texts.flatMap(({ text, file }) => (file === null ? [] : includesIn(text ?? '', file))));
  return unresolved.filter(
    ({ path }) =>
      ((/\.[a-z]\w*$/i.test(path) && !isMarkdown(path)) || /(?:^|\/)\.gitbook\//.test(path) || included.has(path)) &&
      !present.has(path) &&
      !present.has(`${path}.md`),
  );
}

export function hashOf(bytes: Uint8Array | string): string {
  return hash('sha256', bytes);
}
