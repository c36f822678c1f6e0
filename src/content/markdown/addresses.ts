import type { Nodes, Root } from 'mdast';
import type { Address, MarkupAddress } from './address.ts';
import { blockAddressesIn } from './block-tags.ts';
import type { FrontMatter } from './front-matter.ts';
import { coversIn } from './covers.ts';
import { tagsIn } from './html-tags.ts';
import { descend, endOf, startOf } from './nodes.ts';

/** All addresses of a text, in their order: of links, images and definitions, HTML, tags, and the covers of the front matter. */
export function addressesOf(root: Root, source: string, { data, bodyAt }: FrontMatter): Address[] {
  const images = new Set<string>();
  for (const node of descend(root)) if (node.type === 'imageReference') images.add(node.identifier);
  const addresses: Address[] = [...coversIn(source, data, bodyAt), ...markupIn(root, source)];
  for (const node of descend(root)) {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') continue;
    const range = node.data?.urlAt;
    if (!range) continue;
    const kind =
      node.type === 'image' || (node.type === 'definition' && images.has(node.identifier)) ? 'image' : 'link';
    const bare = node.type === 'link' && source[startOf(node)] !== '[';
    addresses.push({ url: node.url, kind, range, style: bare ? 'autolink' : 'destination' });
  }
  return addresses.toSorted((one, other) => one.range[0] - other.range[0]);
}

/** The addresses in HTML and in tags such as `{% file src="..." %}`, below a node; nothing in code is one. */
export function* markupIn(top: Nodes, source: string): Generator<MarkupAddress> {
  // The raw source is read instead of the nodes' values: inside lists and quotes a value lacks the prefixes of the lines,
  // and in a paragraph a tag may be several nodes.
  let done = 0;
  for (const node of descend(top)) {
    if (node.type === 'html') yield* htmlIn(node, source);
    const isText = node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell';
    if (!isText && (node.type !== 'html' || startOf(node) < done)) continue;
    done = endOf(node);
    yield* tagsOutsideCode(node, source);
  }
}

function* htmlIn(node: Nodes, source: string): Generator<MarkupAddress> {
  for (const { url, kind, range, text, offset, attribute } of tagsIn(
    source.slice(startOf(node), endOf(node)),
    startOf(node),
  )) {
    yield { url, kind, range, text, offset, style: attribute === 'srcset' ? 'srcset' : 'attribute' };
  }
}

function* tagsOutsideCode(node: Nodes, source: string): Generator<MarkupAddress> {
  const text = source.slice(startOf(node), endOf(node));
  if (!text.includes('{%') || text.startsWith('<!--')) return;
  const codes = [...descend(node)].filter(({ type }) => type === 'inlineCode');
  let next = 0;
  for (const { url, range, offset } of blockAddressesIn(text, startOf(node))) {
    let code = codes[next];
    while (code && endOf(code) <= offset) code = codes[(next += 1)];
    const isCode = code !== undefined && startOf(code) <= offset;
    // The parser makes an autolink of an address with a scheme.
    if (isCode || /^https?:/i.test(url)) continue;
    yield { url, kind: 'link', range, text: '', offset, style: 'tag' };
  }
}

/**
 * An address written so that the result has the same meaning in the place of the old one: in angle brackets or without,
 * in a table's cell, in an attribute with either quote. Undefined where it cannot be written there.
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
