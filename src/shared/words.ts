/** The words in a text: long lists of names are easier to read as a paragraph. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
