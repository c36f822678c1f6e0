/** What is wrong with a description, or doubtful. */
export interface Finding {
  /** Relative to the working directory; the address of a document that was downloaded; `-` for standard input. */
  file: string;
  /** From 1, as is the column. */
  line: number;
  column: number;
  /** JSON Pointer to the value; absent for what is wrong with a text. */
  pointer?: string;
  level: 'error' | 'warning';
  message: string;
  rule: string;
  /** Address of a page about the rule. */
  help?: string;
}

/** Rules about parts that could not be read or checked. Their findings cannot be accepted, because nobody has seen these parts. */
export const unreadRules: ReadonlySet<string> = new Set(['syntax', 'openapi-version', 'not-checked']);
