/** The words in a text: long lists of names are easier to read as a paragraph. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

type Split<Text extends string, Words extends string[] = []> = Text extends `${infer First} ${infer Rest}`
  ? Split<Rest, [...Words, First]>
  : [...Words, Text];

/** The words in a text with single spaces, each of which the compiler knows. */
export const knownWords = <const Text extends string>(text: Text) => text.split(' ') as Split<Text>;
