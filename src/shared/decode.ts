/** What percent-encoded text stands for; undefined where `%` is not followed by the code of UTF-8 text. */
export function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The same of an address that somebody wrote: text that is not percent-encoded properly stands for itself. */
export function decodeAddress(text: string): string {
  return tryDecode(text) ?? text;
}
