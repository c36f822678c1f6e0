import type { Nodes, Root } from 'mdast';
import type { FrontMatter } from './front-matter.ts';
import { type Address, blockAddressesIn, coversIn, htmlAddressesIn, type MarkupAddress } from './markup.ts';
import { descend, endOf, startOf } from './nodes.ts';

/** All addresses of a text, in order: in links, images and definitions, HTML, tags and the covers in the front matter. */
export function addressesOf(root: Root, source: string, { data, bodyAt }: FrontMatter): Address[] {
  const images = new Set<string>();
  for (const node of descend(root)) if (node.type === 'imageReference') images.add(node.identifier);
  const addresses: Address[] = [...coversIn(source, data, bodyAt), ...markupIn(root, source)];
  for (const node of descend(root)) {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') continue;
    const range = node.data?.urlAt;
    if (!range) continue;
    const isImage = node.type === 'image' || (node.type === 'definition' && images.has(node.identifier));
    const style = node.type === 'link' && source[startOf(node)] !== '[' ? 'autolink' : 'destination';
    addresses.push({ url: node.url, kind: isImage ? 'image' : 'link', range, style });
  }
  return addresses.toSorted((one, other) => one.range[0] - other.range[0]);
}

/** The addresses in HTML and in tags such as `{% file src="..." %}` below a node, except in code. */
export function* markupIn(top: Nodes, source: string): Generator<MarkupAddress> {
  // The source is read instead of the values of nodes: in lists and quotes, values lack the prefixes of lines, and in
  // a paragraph, a tag can be several nodes.
  let done = 0;
  for (const node of descend(top)) {
    if (node.type === 'html') yield* htmlAddressesIn(source.slice(startOf(node), endOf(node)), startOf(node));
    const isText = node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell';
    if (!isText && (node.type !== 'html' || startOf(node) < done)) continue;
    done = endOf(node);
    yield* tagsOutsideCode(node, source);
  }
}

function* tagsOutsideCode(node: Nodes, source: string): Generator<MarkupAddress> {
  const text = source.slice(startOf(node), endOf(node));
  if (!text.includes('{%') || text.startsWith('<!--')) return;
  const codes = [...descend(node)].filter(({ type }) => type === 'inlineCode');
  let next = 0;
  for (const address of blockAddressesIn(text, startOf(node))) {
    let code = codes[next];
    while (code && endOf(code) <= address.offset) code = codes[(next += 1)];
    const isCode = code !== undefined && startOf(code) <= address.offset;
    // The parser turns addresses with a scheme into autolinks.
    if (!isCode && !/^https?:/i.test(address.url)) yield address;
  }
}

/**
 * Escapes an address so that it can replace another one anywhere: with or without angle brackets, in a table cell, in an
 * attribute with either quote. Undefined if that is impossible.
 */
export function spellAddress(url: string, style: Address['style']): string | undefined {
  const safe = url.replaceAll(/[\s\u0000-\u001F\u007F<>|`"'\\]/g, (character) =>
    encodeURIComponent(character).replace("'", '%27'),
  );
  switch (style) {
    case 'autolink':
      return /^[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/i.test(safe) ? safe : undefined;
    case 'attribute':
      return safe.replaceAll('&', '&amp;');
    case 'srcset':
      return safe.replaceAll(',', '%2C').replaceAll('&', '&amp;');
    case 'tag':
      return safe;
    case 'yaml':
      return JSON.stringify(safe);
    case 'destination': {
      if (safe === '') return '<>';
      const balanced = /^[^()]*(?:\([^()]*\)[^()]*)*$/.test(safe);
      const plain = balanced ? safe : safe.replaceAll('(', '%28').replaceAll(')', '%29');
      return plain.replaceAll(/&(?=#?\w+;)/g, String.raw`\&`);
    }
  }
}
