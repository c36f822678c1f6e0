/** A copy of a text. A part of a string keeps all of the string in memory, which is much where a part of each page is kept. */
export const ownText = (text: string): string => Buffer.from(text).toString();
