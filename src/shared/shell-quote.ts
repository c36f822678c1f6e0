/** A command line that a shell reads as these words. */
export const shellCommand = (words: readonly string[]): string => words.map(quoted).join(' ');

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
