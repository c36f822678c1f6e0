import { hiddenCharacters } from './file-name.ts';

// slow-regexp: one character class
const hidden = new RegExp(`[${hiddenCharacters}]`, 'g');
const hiddenInText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
// slow-regexp: one of those above
const withoutFlags = ({ source }: RegExp) => new RegExp(source);
const anyHidden = withoutFlags(hidden);
const anyHiddenInText = withoutFlags(hiddenInText);

const short: Record<string, string> = { '\n': '↵', '\r': '\\r', '\t': '\\t' };

/** The text as one line without characters that act on a terminal or change the order of the text. */
export function visible(text: string): string {
  return anyHidden.test(text) ? text.replace(hidden, (char) => short[char] ?? escapeOf(char)) : text;
}

/** As `visible`, for text of several lines: newlines and tabs stay. */
export function visibleLines(text: string): string {
  return anyHiddenInText.test(text) ? text.replace(hiddenInText, (char) => short[char] ?? escapeOf(char)) : text;
}

/** JSON (or double-quoted YAML) with the same value, safe to show. Newlines between the values stay. */
export function visibleJson(json: string): string {
  return anyHiddenInText.test(json) ? json.replace(hiddenInText, escapeOf) : json;
}

/** Whether `visible` would change the text. */
export function hasHidden(text: string): boolean {
  return anyHidden.test(text);
}

/** Whether `visibleLines` would change the text. */
export function hasHiddenInText(text: string): boolean {
  return anyHiddenInText.test(text);
}

export function escapeOf(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
