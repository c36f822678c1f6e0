/** How a text names an object: by `title:`, `path:` or `id:`, or in any way. */
export interface Reading {
  by: 'id' | 'title' | 'path' | 'any';
  text: string;
}

/** Reads `id:X`, `title:X` and `path:X`, which force one reading. */
export function readingOf(text: string): Reading {
  const [, by, rest] = /^(id|title|path):(.*)$/s.exec(text) ?? [];
  if (by === 'id' || by === 'title' || by === 'path') return { by, text: rest ?? '' };
  return { by: 'any', text };
}

/** Whether a text is an address, as copied from a browser or from JSON. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);

/** Whether a text can only be a name: no id has white space, `@`, `#` or `/`. */
const cannotBeId = (text: string): boolean => /[\s@#/]/.test(text);

/** Whether a text must be looked up, or rewritten, before a request is sent. */
export const needsLookup = (text: string): boolean =>
  cannotBeId(text) || isWebAddress(text) || readingOf(text).by !== 'any';
