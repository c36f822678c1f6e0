/** What is wrong in a folder, and where. */
export interface FolderProblem {
  /** From the folder. */
  file: string;
  line?: number;
  column?: number;
  rule: string;
  level: 'error' | 'warning';
  message: string;
}

/** Rules about what is drawn in another way than it was meant, or may be an oversight. */
const warnings: ReadonlySet<string> = new Set([
  'remote-image',
  'unknown-icon',
  'unknown-tag',
  'unsafe-html',
  'duplicate-anchor',
  'bad-date',
  'bad-formula',
]);

/** How severe what the renderer finds is. */
export const levelOf = (rule: string): FolderProblem['level'] => (warnings.has(rule) ? 'warning' : 'error');

/** The end of a sentence that begins with an address that could run a script. */
export const noSafeAddress = 'is no address that pages may link to';
