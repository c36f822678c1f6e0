/** One segment of a JSON Pointer (RFC 6901), escaped. */
export const escapeSegment = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/** The text of a segment of a JSON Pointer. */
export const unescapeSegment = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** A path as a JSON Pointer: `/servers/0/url`; empty for the whole value. */
export const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((segment) => `/${escapeSegment(String(segment))}`).join('');
