/**
 * Parts of a request that differ each time it is sent: UUIDs, dates and times, hashes, and the end of the slugs
 * that `content push` gives pages for the time being.
 */
const randomPart =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<!\d)\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?(?!\d)|\b[0-9a-f]{32,128}\b|(?<=-docsctl-)[0-9a-f]{8}\b/gi;

/** A text with a number in the place of each random part. */
export interface Template {
  text: string;
  /** The parts that the numbers replace. */
  parts: string[];
}

/**
 * Replaces random parts by numbers: equal parts have the same number, so that two texts with equal templates differ in
 * values only.
 *
 * @param isKept parts that stay: what a service made is no random part of a request
 */
export function templateOf(text: string, isKept: (part: string) => boolean): Template {
  const parts: string[] = [];
  const [, boundary] = /^--([^\r\n]{1,70})\r\n/.exec(text) ?? [];
  const numbered = (part: string) => {
    if (!parts.includes(part)) parts.push(part);
    return `\0${parts.indexOf(part)}\0`;
  };
  // The boundary of a multipart body precedes each of its parts.
  const start = boundary === undefined ? text : text.replaceAll(`--${boundary}`, () => `--${numbered(boundary)}`);
  return { text: start.replaceAll(randomPart, (part) => (isKept(part) ? part : numbered(part))), parts };
}

export const randomPartsOf = (text: string): string[] => text.match(randomPart) ?? [];

/** The text with the random parts that have another value now. */
export const withParts = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(randomPart, (part) => values.get(part) ?? part);
