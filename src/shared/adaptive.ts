/** Whether what a text shows may depend on its reader: it may have conditions or expressions. */
export const isAdaptive = (markdown: string): boolean =>
  /\{%-?\s*if\b/.test(markdown) || (/<code\b/i.test(markdown) && /\bexpression\b/i.test(markdown));
