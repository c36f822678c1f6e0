import type { Code, Heading, Nodes, Root } from 'mdast';
import { summaryAddresses } from '../content/folder/summary.ts';
import { headingsOf, readAddresses } from '../content/markdown/markdown.ts';
import { maxParsedLength } from '../content/markdown/parse.ts';
import { countLines, descend } from '../content/markdown/nodes.ts';
import { words } from '../shared/words.ts';

/** An address in a text. */
export interface TextLink {
  url: string;
  kind: 'link' | 'image';
  /** The name of the block or HTML tag with the address. */
  tag?: string;
  /** From the start of the text. */
  offset: number;
  /** From 1, as is the column. */
  line: number;
  column: number;
}

/** What a check of links needs to know about a text. */
export interface TextFacts {
  links: TextLink[];
  /** Those of headings, as the renderer makes them. */
  anchors: string[];
  /** Whether the renderer cannot make any other anchors. */
  isExact: boolean;
  /** Whether the end of the text was not read. */
  isCut?: true;
}

/** Reads the links and anchors of a text, and parses it once. */
export function readFacts(text: string): TextFacts {
  const { root, addresses } = readAddresses(text);
  const links: TextLink[] = [];
  let line = 1;
  let counted = 0;
  for (const { url, kind, name, range } of addresses) {
    const [offset] = range;
    line += countLines(text, counted, offset);
    counted = offset;
    const column = offset - text.lastIndexOf('\n', offset - 1);
    links.push({ url, kind, ...(name === undefined ? {} : { tag: name }), offset, line, column });
  }
  const anchors = headingsOf(root).map(({ anchor }) => anchor);
  return {
    links,
    anchors,
    ...(text.length > maxParsedLength && { isCut: true }),
    isExact: isPlain(text) && new Set(anchors).size === anchors.length && isPlainTree(root, text.includes('{%')),
  };
}

/** As `readFacts`, of a table of contents. Parsing thousands of entries would take seconds, and hundreds of megabytes. */
export function readContentsFacts(text: string): TextFacts {
  const addresses = summaryAddresses(text);
  if (!addresses) {
    const facts = readFacts(text);
    // Exports write headings with a link to themselves.
    return { ...facts, links: facts.links.filter(({ url }) => !url.startsWith('#')) };
  }
  let start = 0;
  let counted = 1;
  const links = addresses.map(({ url, line, column }): TextLink => {
    for (; counted < line; counted += 1) start = text.indexOf('\n', start) + 1;
    return { url, kind: 'link', offset: start + column - 1, line, column };
  });
  return { links, anchors: [], isExact: true };
}

/** Blocks that neither have anchors nor change those of headings. */
const plainBlocks = new Set(words('hint code content-ref file embed columns column stepper step'));

function isPlain(text: string): boolean {
  if (/<h[1-6]\b|\$\$|\[\^|^:::|data-view=/im.test(text)) return false;
  const tags = text.matchAll(/\{%-?\s*(?:end)?(?<name>[^\s%]*)/g);
  return tags.every(({ groups }) => plainBlocks.has(groups?.['name'] ?? ''));
}

/** @param hasBlocks whether the text has tags of blocks: indented code between them is Markdown */
function isPlainTree(root: Root, hasBlocks: boolean): boolean {
  const inHeadings = new Set<Nodes>();
  for (const node of descend(root)) {
    if (node.type === 'heading') {
      if (!isPlainHeading(node)) return false;
      for (const inner of descend(node)) inHeadings.add(inner);
    }
    if (node.type === 'html' && !inHeadings.has(node) && /\b(?:id|name)\s*=/i.test(node.value)) return false;
    if (hasBlocks && node.type === 'code' && !node.lang && isIndented(node)) return false;
  }
  return true;
}

const isIndented = ({ position, value }: Code) =>
  position !== undefined && position.end.line - position.start.line === countLines(value);

/** Exports of other platforms write `## Title <a href="#x" id="x"></a>`. */
const ownAnchor = /^<a (?:href="[^"]*" )?id="[^"]+">$/;

const plainParts = new Set<string>(['heading', 'html', 'text', 'inlineCode', 'strong', 'emphasis']);

function isPlainHeading(heading: Heading): boolean {
  const parts = [...descend(heading)];
  const [open, close, ...others] = parts.flatMap((part) => (part.type === 'html' ? [part.value] : []));
  if (open !== undefined && !(ownAnchor.test(open) && close === '</a>' && others.length === 0)) return false;
  return parts.every((part) => plainParts.has(part.type) && !(part.type === 'text' && /[$:]|\{[%{]/.test(part.value)));
}
