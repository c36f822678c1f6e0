/** Decodes percent-encoded text; undefined if `%` is not followed by the code of UTF-8 text. */
export function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The same for an address that a person wrote: text that is not percent-encoded properly is returned unchanged. */
export function decodeAddress(text: string): string {
  return tryDecode(text) ?? text;
}
