import GithubSlugger from 'github-slugger';
import { hash } from 'node:crypto';
import type { Heading as HeadingNode, Nodes, Parents, Root, RootContent } from 'mdast';
import { parseCondensed } from './condense.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { type Address, type MarkupAddress, blockAddressesIn, coversIn, htmlAddressesIn } from './markup.ts';
import { descend, endOf, startOf } from './nodes.ts';
import { parse } from './parse.ts';

interface Heading {
  depth: number;
  text: string;
  anchor: string;
}

/** A heading with the text up to the next one. The text before the first heading has neither title nor anchor. */
interface Section {
  anchor: string;
  title: string;
  text: string;
}

export interface Link {
  url: string;
  kind: 'link' | 'image';
  /** The visible text: the text of a link, the description of an image. */
  text: string;
  /** ID of the top-level block that contains it. It stays the same as long as the text of the block does. */
  node: string;
  /** Its start in the whole text. */
  offset: number;
}

export interface Markdown {
  frontMatter: Record<string, unknown>;
  /** The title in the front matter, or else the heading at the start of the text. */
  title?: string;
  /** The text after the front matter. */
  body: string;
  headings: Heading[];
  sections: Section[];
  links: Link[];
}

export function readMarkdown(text: string): Markdown {
  const frontMatter = readFrontMatter(text);
  return readRoot(parse(text.slice(frontMatter.bodyAt), frontMatter.bodyAt), text, frontMatter);
}

/** Like `readMarkdown`, for a parsed text. */
export function readRoot(root: Root, text: string, frontMatter: FrontMatter): Markdown {
  const { data, bodyAt } = frontMatter;
  const body = text.slice(bodyAt);
  const { headings, sections } = outline(root);
  return {
    frontMatter: data,
    title: scalar(data['title']) ?? leadingHeading(root, headings),
    body,
    headings,
    sections,
    links: linksOf(root, text, frontMatter),
  };
}

/** Titles are read before anything else, in the thread that answers Ctrl-C, so a slow text must not be parsed as a whole. */
const maxTitleLength = 50_000;

/** The title that `readMarkdown` returns for the start of the text. If possible, only the first lines are parsed. */
export function titleOf(text: string): string | undefined {
  const { data, bodyAt } = readFrontMatter(text);
  const named = scalar(data['title']);
  if (named !== undefined) return named;
  const body = text.slice(bodyAt);
  // A heading ends at the first blank line at the latest. If the start of a text is unusual, the whole text is parsed.
  const start = body.search(/\S/);
  const near = body.slice(start, start + 2_000);
  const blank = /\r?\n[ \t]*\r?\n/.exec(near);
  const first = blank ? near.slice(0, blank.index) : near;
  const isWhole = blank !== null || start + near.length === body.length;
  // A heading that is indented by four spaces is code.
  const indent = body.slice(body.lastIndexOf('\n', start) + 1, Math.max(start, 0));
  const isIndented = indent.length > 3 || indent.includes('\t');
  // A list or a quote is not a heading, and both can be slow to parse.
  if (start !== -1 && !isIndented && /^(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])/.test(first)) return undefined;
  const parsed = () => readMarkdown(text.slice(0, bodyAt + maxTitleLength)).title;
  if (start === -1 || !isWhole || isIndented || /^[<[]/.test(first)) return parsed();
  if (!first.startsWith('#') && !/\n {0,3}(?:=+|-+)[ \t]*(?:\r?\n|$)/.test(first)) return undefined;
  if (first.includes('[')) return parsed();
  const [, plain] = plainHeading.exec(first) ?? [];
  if (plain !== undefined) return oneLine(plain);
  const [blankLines = ''] = /^\uFEFF?(?:[ \t]*\r?\n)*/.exec(body) ?? [];
  const root = parse(body.slice(blankLines.length, start + first.length));
  return leadingHeading(root, outline(root).headings);
}

/** A heading without any syntax, so that the parser, which takes a hundred times as long, is not needed. */
const plainHeading = /^#{1,6} ([\p{L}\p{N}\p{M} ,.;:'"()?/+=%$’“”–—…-]+)$/u;

/** A front matter value as one line of trimmed text. Undefined if it is not a scalar, or blank. */
export function scalar(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return oneLine(String(value)) || undefined;
}

/**
 * Replaces the address of each link and image by the result of `change`, and keeps all other bytes. `change` gets the
 * address, its source text, its offset and the name of its tag, if it is in one, and can return source text that is inserted
 * unchanged.
 *
 * @param addresses of the text, if they were read before
 */
export function rewriteLinks(
  text: string,
  change: (url: string, kind: Link['kind'], raw: string, offset: number, tag?: string) => string | { raw: string },
  addresses: readonly NamedAddress[] = readAddresses(text).addresses,
): string {
  let rewritten = '';
  let done = 0;
  for (const { url, kind, range, style, name } of addresses) {
    const changed = change(url, kind, text.slice(...range), range[0], name);
    if (changed === url) continue;
    const spelled = typeof changed === 'string' ? spellAddress(changed, style) : changed.raw;
    if (spelled === undefined) continue;
    rewritten += text.slice(done, range[0]) + spelled;
    done = range[1];
  }
  return rewritten + text.slice(done);
}

/** An address of a text, as it is written. */
export interface WrittenAddress extends Pick<Address, 'url' | 'kind' | 'style'> {
  raw: string;
}

/** A text in pieces: its addresses, and everything between them. */
export function splitAtAddresses(text: string): (string | WrittenAddress)[] {
  const pieces: (string | WrittenAddress)[] = [];
  let done = 0;
  for (const { url, kind, style, range } of readAddresses(text).addresses) {
    pieces.push(text.slice(done, range[0]), { url, kind, style, raw: text.slice(...range) });
    done = range[1];
  }
  return [...pieces, text.slice(done)];
}

/** An address, and the name of its tag, if it is in one. */
export type NamedAddress = Address & { name?: string };

/** All addresses of a text, in order, and its condensed root, from which `headingsOf` reads the headings. */
export function readAddresses(text: string): { root: Root; addresses: NamedAddress[] } {
  const frontMatter = readFrontMatter(text);
  const { bodyAt } = frontMatter;
  const root = parseCondensed(text.slice(bodyAt), bodyAt);
  return { root, addresses: addressesOf(root, text, frontMatter) };
}

/** The top-level blocks of a text, with the IDs that links have as `node`. */
export function blocksOf(text: string): { id: string; text: string; offset: number }[] {
  const { bodyAt } = readFrontMatter(text);
  const root = parse(text.slice(bodyAt), bodyAt);
  const id = blockIds(root, text);
  return root.children.map((block) => ({ id: id(block), text: plainText(block).trim(), offset: startOf(block) }));
}

/** The visible text of a node. Each block is on its own line. */
export function plainText(node: Nodes): string {
  const parts: string[] = [];
  addText(node, parts);
  return parts.join('');
}

const separators: Partial<Record<Nodes['type'], string>> = {
  root: '\n',
  blockquote: '\n',
  list: '\n',
  listItem: '\n',
  table: '\n',
  footnoteDefinition: '\n',
  tableRow: ' ',
};

// Appends to one list. Joining level by level would copy the text of nested blocks once for each level.
function addText(node: Nodes, parts: string[]): void {
  if (!('children' in node)) {
    const text = ownText(node);
    if (text !== '') parts.push(text);
    return;
  }
  const separator = separators[node.type] ?? '';
  let isFirst = true;
  for (const child of node.children) {
    if (!isFirst) parts.push(separator);
    const before = parts.length;
    addText(child, parts);
    if (parts.length > before) isFirst = false;
    else if (!isFirst) parts.pop();
  }
}

function ownText(node: Exclude<Nodes, Parents>): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'code':
      return node.value;
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'break':
      return '\n';
    case 'html':
      return htmlText(node.value);
    default:
      return '';
  }
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function htmlText(html: string): string {
  return html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replaceAll(/<\/?[a-z][^>]*(?:>|$)/gi, ' ')
    .trim();
}

interface OpenSection extends Omit<Section, 'text'> {
  blocks: string[];
}

/** The headings of a text. Those in quotes and lists have anchors, too. */
export const headingsOf = (root: Root): Heading[] => [...headingsByNode(root).values()];

function headingsByNode(root: Root): Map<RootContent, Heading> {
  const slugger = new GithubSlugger();
  const headings = new Map<RootContent, Heading>();
  for (const block of root.children) {
    const nodes =
      block.type === 'heading' ? [block] : ['blockquote', 'list'].includes(block.type) ? descend(block) : [];
    for (const node of nodes) {
      if (node.type !== 'heading') continue;
      const text = oneLine(plainText(node));
      headings.set(node, { depth: node.depth, text, anchor: ownAnchor(node) ?? slugger.slug(text) });
    }
  }
  return headings;
}

/** The headings of a text, and its sections, which headings in quotes and lists do not start. */
export function outline(root: Root): { headings: Heading[]; sections: Section[] } {
  const headings = headingsByNode(root);
  let section: OpenSection = { anchor: '', title: '', blocks: [] };
  const parts = [section];
  for (const block of root.children) {
    const heading = block.type === 'heading' && headings.get(block);
    if (heading) {
      section = { anchor: heading.anchor, title: heading.text, blocks: [] };
      parts.push(section);
    } else section.blocks.push(plainText(block));
  }
  const sections = parts.map(({ blocks, ...part }) => ({ ...part, text: blocks.filter(Boolean).join('\n').trim() }));
  return {
    headings: [...headings.values()],
    sections: sections.filter((each) => each.title !== '' || each.text !== ''),
  };
}

// Exports of other platforms contain `## Title <a href="#x" id="x"></a>`.
function ownAnchor(heading: HeadingNode): string | undefined {
  for (const child of heading.children) {
    const id = child.type === 'html' && /^<a\b[^>]*\bid\s*=\s*["']([^"']+)["']/i.exec(child.value)?.[1];
    if (id) return id;
  }
  return undefined;
}

function leadingHeading(root: Root, headings: Heading[]): string | undefined {
  return titleNode(root) === undefined ? undefined : headings[0]?.text || undefined;
}

/** The heading at the start of a text, which is its title unless the front matter has one. */
export function titleNode(root: Root): RootContent | undefined {
  const first = root.children.find((block) => block.type !== 'definition' && !isComment(block));
  return first?.type === 'heading' ? first : undefined;
}

function isComment(block: RootContent): boolean {
  if (block.type !== 'html' || !block.value.startsWith('<!--')) return false;
  const end = block.value.indexOf('-->', '<!--'.length);
  return end === -1 || block.value.slice(end + '-->'.length).trim() === '';
}

function linksOf(root: Root, source: string, { data, bodyAt }: FrontMatter): Link[] {
  const definitions = new Map<string, string>();
  for (const node of descend(root)) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url);
  }
  const id = blockIds(root, source);
  // The front matter is not a block.
  const links = coversIn(source, data, bodyAt).map((cover) => linkAt(cover, ''));
  for (const block of root.children) {
    const inside: Omit<Link, 'node'>[] = [];
    for (const inner of descend(block)) {
      const offset = startOf(inner);
      if (inner.type === 'image') inside.push({ url: inner.url, kind: 'image', text: inner.alt ?? '', offset });
      else if (inner.type === 'link' || inner.type === 'linkReference' || inner.type === 'imageReference') {
        const url = inner.type === 'link' ? inner.url : (definitions.get(inner.identifier) ?? '');
        const kind = inner.type === 'imageReference' ? 'image' : 'link';
        inside.push({ url, kind, text: oneLine(plainText(inner)), offset });
      }
    }
    for (const address of markupIn(block, source)) inside.push(address);
    const present = inside.filter(({ url }) => url !== '').toSorted((one, other) => one.offset - other.offset);
    if (present.length === 0) continue;
    const node = id(block);
    for (const link of present) links.push(linkAt(link, node));
  }
  return links;
}

const linkAt = ({ url, kind, text, offset }: Omit<Link, 'node'>, node: string): Link => ({
  url,
  kind,
  text,
  offset,
  node,
});

// The ID is derived from the words of the block, so that edits elsewhere in the page do not change it.
function blockIds(root: Root, source: string): (block: RootContent) => string {
  const seen = new Map<string, number>();
  const origins = new Map<RootContent, string>();
  for (const block of root.children) {
    const text = source.slice(startOf(block), endOf(block)).trim();
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    origins.set(block, `${times} ${text}`);
  }
  return (block) => {
    const digest = hash('sha256', origins.get(block) ?? '', 'base64');
    return `N${digest.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 11)}`;
  };
}

/** All addresses of a text, in order: in links, images and definitions, HTML, tags and the covers in the front matter. */
function addressesOf(root: Root, source: string, { data, bodyAt }: FrontMatter): NamedAddress[] {
  const images = new Set<string>();
  for (const node of descend(root)) if (node.type === 'imageReference') images.add(node.identifier);
  const addresses: NamedAddress[] = [...coversIn(source, data, bodyAt), ...markupIn(root, source)];
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
function* markupIn(top: Nodes, source: string): Generator<MarkupAddress> {
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
