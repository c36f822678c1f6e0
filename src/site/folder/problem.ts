import type { PageProblem } from '../../content/html/page-source.ts';

/** A problem in a folder. */
export interface FolderProblem {
  /** Relative to the folder. */
  file: string;
  line?: number;
  column?: number;
  rule: string;
  level: 'error' | 'warning';
  message: string;
}

/** Rules for pages that may not look as intended. */
const warnings: ReadonlySet<string> = new Set([
  'remote-image',
  'unknown-icon',
  'unknown-tag',
  'unsafe-html',
  'duplicate-anchor',
  'bad-date',
  'bad-formula',
  'other-markdown',
]);

/** A finding of the renderer as a problem of a file. */
export const folderProblem = (file: string, { line, column, rule, message }: PageProblem): FolderProblem => ({
  file,
  line,
  ...(column === undefined ? {} : { column }),
  rule,
  level: warnings.has(rule) ? 'warning' : 'error',
  message,
});

/** The end of a sentence about an address that could run a script. */
export const noSafeAddress = 'is not an address that pages can link to';
