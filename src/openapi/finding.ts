export interface Finding {
  /** Relative to the working directory; the address of a document that was downloaded; `-` for standard input. */
  file: string;
  /** From 1, as is the column. */
  line: number;
  column: number;
  severity: 'error' | 'warning';
  message: string;
  rule: Rule;
}

export type Rule =
  | 'syntax'
  | 'duplicate-key'
  | 'openapi-version'
  | 'structure'
  | 'reference'
  | 'remote-reference'
  | 'operation-id-unique'
  | 'parameter-unique'
  | 'path-parameter'
  | 'path-unique'
  | 'security-defined';

export function formatFinding({ file, line, column, severity, message, rule }: Finding): string {
  return `${file}:${line}:${column} ${severity} ${message} (${rule})`;
}
