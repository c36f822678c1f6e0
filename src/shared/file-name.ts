/**
 * Control characters with DEL, line and paragraph separators, and characters that change the order of text: all of them
 * are invisible, and some have an effect on a terminal. Written for use in the brackets of a character class.
 */
export const hiddenCharacters = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

// slow-regexp: one character class
const hidden = new RegExp(`[${hiddenCharacters}]`, 'g');
/** These are not shown either, and a name that differs from another by them alone looks the same. */
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff]/g;

/**
 * A file name made from a name of the service. Invisible characters are percent-encoded, so that a listing of the
 * folder shows them and they have no effect on it, and so is a dot at the beginning, which would hide the file. Folders
 * before the name are skipped. Undefined if nothing is left that can be a name.
 */
export function fileNameOf(name: string): string | undefined {
  const last = name.toWellFormed().split(/[/\\]/).at(-1)!.trim();
  if (last === '' || last === '.' || last === '..') return undefined;
  return last.replace(hidden, encodeURIComponent).replace(invisible, encodeURIComponent).replace(/^\./, '%2E');
}
