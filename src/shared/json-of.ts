/** The value of a JSON text; undefined if it is none. */
export function jsonOf(text: string | Uint8Array | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString());
  } catch {
    return undefined;
  }
}
