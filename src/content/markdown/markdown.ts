import { createHash } from 'node:crypto';
import GithubSlugger from 'github-slugger';
import type { Definition, Heading as HeadingNode, Nodes, Parents, Root, RootContent } from 'mdast';
import { addressesOf, markupIn, spellAddress } from './addresses.ts';
import { coversIn } from './covers.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { descend, endOf, startOf } from './nodes.ts';
import { parse } from './parse.ts';

interface Heading {
  depth: number;
  text: string;
  anchor: string;
}

/** A heading with the text up to the next one; the text before the first heading has neither title nor anchor. */
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
  /** Id of the top-level block that contains it: it stays the same while the text of the block does. */
  node: string;
  /** Where it begins in the whole text. */
  offset: number;
}

export interface Markdown {
  frontMatter: Record<string, unknown>;
  /** The front matter's title, else the heading the text begins with. */
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

/** Like `readMarkdown`, for a text that is parsed already. */
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

/** The title that `readMarkdown` returns; only the beginning of the text is parsed where that is enough. */
export function titleOf(text: string): string | undefined {
  const { data, bodyAt } = readFrontMatter(text);
  const named = scalar(data['title']);
  if (named !== undefined) return named;
  const body = text.slice(bodyAt);
  // A heading ends at the first blank line at the latest. A text that begins with anything unusual is parsed as a
  // whole.
  const start = body.search(/\S/);
  const near = body.slice(start, start + 2_000);
  const blank = /\r?\n[ \t]*\r?\n/.exec(near);
  const first = blank ? near.slice(0, blank.index) : near;
  const isWhole = blank !== null || start + near.length === body.length;
  // Four spaces make it code.
  const indent = body.slice(body.lastIndexOf('\n', start) + 1, Math.max(start, 0));
  const isIndented = indent.length > 3 || indent.includes('\t');
  if (start === -1 || !isWhole || isIndented || /^[<[]/.test(first)) return readMarkdown(text).title;
  if (!first.startsWith('#') && !/\n {0,3}(?:=+|-+)[ \t]*(?:\r?\n|$)/.test(first)) return undefined;
  if (first.includes('[')) return readMarkdown(text).title;
  const [, plain] = plainHeading.exec(first) ?? [];
  if (plain !== undefined) return oneLine(plain);
  const [blankLines = ''] = /^\uFEFF?(?:[ \t]*\r?\n)*/.exec(body) ?? [];
  const root = parse(body.slice(blankLines.length, start + first.length));
  return leadingHeading(root, outline(root).headings);
}

/** A heading that the parser would read in the same way; it takes a hundred times as long. */
const plainHeading = /^#{1,6} ([\p{L}\p{N}\p{M} ,.;:'"()?/+=%$’“”–—…-]+)$/u;

/** A front matter value as one line of text, trimmed; undefined when it is not a text or blank. */
export function scalar(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return oneLine(String(value)) || undefined;
}

/**
 * The text with the address of each link and image replaced by the result of `change`; every other byte stays. `change`
 * gets the address, its source text and its place, and may return source text that is inserted unchanged.
 */
export function rewriteLinks(
  text: string,
  change: (url: string, kind: Link['kind'], raw: string, offset: number) => string | { raw: string },
): string {
  const frontMatter = readFrontMatter(text);
  const { bodyAt } = frontMatter;
  let rewritten = '';
  let done = 0;
  for (const { url, kind, range, style } of addressesOf(parse(text.slice(bodyAt), bodyAt), text, frontMatter)) {
    const changed = change(url, kind, text.slice(...range), range[0]);
    if (changed === url) continue;
    const spelled = typeof changed === 'string' ? spellAddress(changed, style) : changed.raw;
    if (spelled === undefined) continue;
    rewritten += text.slice(done, range[0]) + spelled;
    done = range[1];
  }
  return rewritten + text.slice(done);
}

/** The text's top-level blocks with the ids that links have as `node`. */
export function blocksOf(text: string): { id: string; text: string; offset: number }[] {
  const { bodyAt } = readFrontMatter(text);
  const root = parse(text.slice(bodyAt), bodyAt);
  const id = blockIds(root, text);
  return root.children.map((block) => ({ id: id(block), text: plainText(block).trim(), offset: startOf(block) }));
}

/** The visible text of a node; each block is on a line of its own. */
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

// Into one list: joined level by level, the text of nested blocks would be copied once for each level.
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

function outline(root: Root): { headings: Heading[]; sections: Section[] } {
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  let section: OpenSection = { anchor: '', title: '', blocks: [] };
  const parts = [section];
  const add = (heading: HeadingNode): Heading => {
    const text = oneLine(plainText(heading));
    const added = { depth: heading.depth, text, anchor: ownAnchor(heading) ?? slugger.slug(text) };
    headings.push(added);
    return added;
  };
  for (const block of root.children) {
    if (block.type === 'heading') {
      const { anchor, text } = add(block);
      section = { anchor, title: text, blocks: [] };
      parts.push(section);
      continue;
    }
    // Headings inside quotes and lists have anchors too, but begin no section.
    if (block.type === 'blockquote' || block.type === 'list') {
      for (const inner of descend(block)) if (inner.type === 'heading') add(inner);
    }
    section.blocks.push(plainText(block));
  }
  const sections = parts.map(({ blocks, ...part }) => ({ ...part, text: blocks.filter(Boolean).join('\n').trim() }));
  return { headings, sections: sections.filter((section) => section.title !== '' || section.text !== '') };
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
  const first = root.children.find((block) => block.type !== 'definition' && !isComment(block));
  return first?.type === 'heading' ? headings[0]?.text || undefined : undefined;
}

function isComment(block: RootContent): boolean {
  if (block.type !== 'html' || !block.value.startsWith('<!--')) return false;
  const end = block.value.indexOf('-->', '<!--'.length);
  return end === -1 || block.value.slice(end + '-->'.length).trim() === '';
}

function linksOf(root: Root, source: string, { data, bodyAt }: FrontMatter): Link[] {
  const definitions = definitionsOf(root);
  const id = blockIds(root, source);
  // The front matter is no block.
  const links: Link[] = [];
  for (const { url, kind, text, offset } of coversIn(source, data, bodyAt)) {
    links.push({ url, kind, text, offset, node: '' });
  }
  for (const block of root.children) {
    let node: string | undefined;
    const found: Omit<Link, 'node'>[] = [];
    for (const inner of descend(block)) {
      const offset = startOf(inner);
      if (inner.type === 'link') found.push({ url: inner.url, kind: 'link', text: oneLine(plainText(inner)), offset });
      else if (inner.type === 'image') found.push({ url: inner.url, kind: 'image', text: inner.alt ?? '', offset });
      else if (inner.type === 'linkReference' || inner.type === 'imageReference') {
        const url = definitions.get(inner.identifier)?.url ?? '';
        const kind = inner.type === 'linkReference' ? 'link' : 'image';
        found.push({ url, kind, text: oneLine(plainText(inner)), offset });
      }
    }
    for (const { url, kind, text, offset } of markupIn(block, source)) found.push({ url, kind, text, offset });
    for (const link of found.toSorted((one, other) => one.offset - other.offset)) {
      if (link.url === '') continue;
      node ??= id(block);
      links.push({ ...link, node });
    }
  }
  return links;
}

function definitionsOf(root: Root): Map<string, Definition> {
  const definitions = new Map<string, Definition>();
  for (const node of descend(root)) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
  }
  return definitions;
}

// The id is made from the words of the block, so that edits elsewhere in the page do not change it.
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
    const hash = createHash('sha256')
      .update(origins.get(block) ?? '')
      .digest('base64');
    return `N${hash.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 11)}`;
  };
}
