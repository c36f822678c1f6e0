/** An address in a tag such as `{% file src="..." %}`, which is not Markdown. */
export interface BlockAddress {
  url: string;
  /** Name of the tag. */
  name: string;
  /** Where the address begins and ends in the whole text. */
  range: [number, number];
  /** Where the tag begins. */
  offset: number;
}

const attributes = /(?:(?<![\w-])(?<name>[\w-]{1,40})\s{0,9}=\s{0,9})?(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)')/dg;
const withAddress = new Set(['src', 'url', 'href']);

/**
 * The addresses in the tags of a piece of text: `{% file src="..." %}`, `{% content-ref url="..." %}`,
 * `{% include "..." %}`. They are not percent-encoded: names of files may have blanks.
 *
 * @param from where the piece begins in the whole text
 */
export function* blockAddressesIn(text: string, from = 0): Generator<BlockAddress> {
  for (let open = text.indexOf('{%'); open !== -1; open = text.indexOf('{%', open + 2)) {
    const close = text.indexOf('%}', open + 2);
    if (close === -1) return;
    // A tag that is not closed: the next one begins before its end.
    const next = text.lastIndexOf('{%', close);
    if (next > open) open = next;
    const tag = text.slice(open + 2, close);
    const name = /^\s{0,20}([a-z][\w-]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
    for (const { groups = {}, indices } of tag.matchAll(attributes)) {
      const attribute = groups['name'];
      if (attribute === undefined ? name !== 'include' : !withAddress.has(attribute)) continue;
      const [begin, end] = indices?.groups?.['double'] ?? indices?.groups?.['single'] ?? [0, 0];
      const url = tag.slice(begin, end);
      const at = from + open + 2;
      if (url !== '') yield { url, name, range: [at + begin, at + end], offset: from + open };
    }
    open = close;
  }
}
