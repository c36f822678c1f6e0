import { createHash } from 'node:crypto';
import { isMarkdown } from './file-names.ts';
import type { PageMeta } from './page-info.ts';
import { includesIn } from './local-links.ts';

/** Called with the path of each file of a folder before it is parsed. */
export type OnFile = (file: string) => void;

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
  /** Of a link: its line in SUMMARY.md. */
  line?: number;
  /** The YAML that the service makes the pages below it from. */
  generated?: string;
}

export interface LocalFile {
  /** Path from the docs' root. */
  path: string;
  bytes: Uint8Array;
  hash: string;
}

export interface Problem {
  file: string;
  line?: number | undefined;
  /** The rule of `docsctl content check` that it breaks. */
  rule?: string;
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
  /** The texts that pages include, as `{% include "..." %}` does; they are among the files. */
  includes: { file: string; text: string }[];
  unresolved: UnresolvedLink[];
  /** The text of SUMMARY.md. */
  summary: string | null;
  summaryPath: string;
  /** The file of the first page. */
  readmePath: string;
  problems: Problem[];
}

/** Links to files, and texts to include, that the folder does not have; links to pages are left out. */
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
  return createHash('sha256').update(bytes).digest('hex');
}
