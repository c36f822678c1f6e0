import type { Nodes, Root, RootContent } from 'mdast';
import { type CompileContext, type Extension, type Token, fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { gfm } from 'micromark-extension-gfm';
import type { ConstructRecord, Extension as Syntax } from 'micromark-util-types';
import { combineExtensions } from 'micromark-util-combine-extensions';

declare module 'mdast' {
  interface Data {
    /** Where the address is in the source, for links, images and definitions that contain it. */
    urlAt?: [start: number, end: number];
  }
}

/** Text beyond this is kept but not analysed: parsing takes about 6 microseconds a character. */
const maxParsedLength = 1_000_000;

/** What is read beside CommonMark and GFM. */
export interface ParseExtension {
  syntax: Syntax[];
  nodes: Extension[];
}

/** @param syntax what is read beside CommonMark and GFM */
export const parseExtension = (syntax: Syntax, nodes: Extension): ParseExtension => ({
  syntax: [combineExtensions([gfm(), syntax])],
  nodes: [...plainNodes, nodes],
});

/** The Markdown's tree (CommonMark and GFM, no front matter); every position's offset counts from `offset`. */
export function parse(text: string, offset = 0, { syntax, nodes } = plain): Root {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const readable = text.slice(bom, bom + maxParsedLength);
  const pieces = isIntricate(readable) ? piecesOf(readable) : [readable];
  const children: RootContent[] = [];
  let start = offset + bom;
  for (const piece of pieces) {
    const root = fromMarkdown(piece, {
      extensions: constructsFor(piece, syntax),
      mdastExtensions: mayHaveAutolinks.test(piece) ? nodes : withoutTransforms(nodes),
    });
    // The parser does not count a byte order mark at the start of its input: here that of a piece, or a second one.
    const first = start + (piece.startsWith('\uFEFF') ? 1 : 0);
    if (first > 0) shift(root, first);
    for (const child of root.children) children.push(child);
    start += piece.length;
  }
  return { type: 'root', children };
}

export function stringify(root: Root): string {
  return toMarkdown(root, {
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    bullet: '-',
    bulletOther: '*',
    rule: '-',
    emphasis: '_',
    fence: '`',
    fences: true,
    listItemIndent: 'one',
    resourceLink: true,
  });
}

// The library does not tell where an address is in the source; these handlers do the same as its own, and add that.
const addresses: Extension = {
  exit: {
    resourceDestinationString: setUrl,
    definitionDestinationString: setUrl,
    autolinkProtocol(token) {
      this.config.exit['data']?.call(this, token);
      const node = this.stack.at(-1);
      if (node?.type !== 'link') return;
      node.url = this.sliceSerialize(token);
      node.data = { urlAt: [token.start.offset, token.end.offset] };
    },
  },
};

// Made once: to make and combine them takes as long as to parse a short page.
const plainNodes = [...gfmFromMarkdown(), addresses];
const plain: ParseExtension = { syntax: [combineExtensions([gfm()])], nodes: plainNodes };

/** What the transforms of GFM make links of: they read each word of a text again, with four patterns. */
const mayHaveAutolinks = /https?:|www\.|@/i;

const transformed = new WeakMap<readonly Extension[], Extension[]>();

function withoutTransforms(nodes: Extension[]): Extension[] {
  const others = transformed.get(nodes) ?? nodes.map((each) => ({ ...each, transforms: [] }));
  transformed.set(nodes, others);
  return others;
}

/**
 * Parts of GFM by what a text must have for them. The parser tries them at each `w`, `h`, word or line, and then reads the
 * same characters again.
 */
const needed: Readonly<Record<string, RegExp>> = {
  emailAutolink: /@/,
  wwwAutolink: /www\./i,
  protocolAutolink: /https?:/i,
  // A table of one column may have colons only.
  table: /[|:]/,
  gfmFootnoteCall: /\[\^/,
  gfmPotentialFootnoteCall: /\[\^/,
};

const reduced = new WeakMap<readonly Syntax[], Map<string, Syntax[]>>();

/** The syntax without the parts of GFM that the text cannot have. */
function constructsFor(text: string, syntax: Syntax[]): Syntax[] {
  const unneeded = Object.keys(needed).filter((name) => !needed[name]?.test(text));
  const key = unneeded.join();
  const known = reduced.get(syntax) ?? new Map<string, Syntax[]>();
  const others =
    known.get(key) ??
    syntax.map((each) => ({
      ...each,
      text: othersIn(each.text ?? {}, unneeded),
      flow: othersIn(each.flow ?? {}, unneeded),
    }));
  reduced.set(syntax, known.set(key, others));
  return others;
}

const othersIn = (constructs: ConstructRecord, unneeded: readonly string[]): ConstructRecord =>
  Object.fromEntries(
    Object.entries(constructs).map(([code, construct]) => [
      code,
      [construct ?? []].flat().filter(({ name }) => name === undefined || !unneeded.includes(name)),
    ]),
  );

function setUrl(this: CompileContext, token: Token): undefined {
  const url = this.resume();
  const node = this.stack.at(-1);
  if (node?.type !== 'link' && node?.type !== 'image' && node?.type !== 'definition') return;
  node.url = url;
  node.data = { urlAt: [token.start.offset, token.end.offset] };
}

function shift(root: Root, by: number): void {
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { start, end } = node.position ?? {};
    if (start?.offset !== undefined) start.offset += by;
    if (end?.offset !== undefined) end.offset += by;
    if (node.data?.urlAt) node.data.urlAt = [node.data.urlAt[0] + by, node.data.urlAt[1] + by];
    // Not spread into the call: a text may have more paragraphs than a call takes arguments.
    if ('children' in node) for (const child of node.children) waiting.push(child);
  }
}

// The parser takes time in the square of these within one paragraph (of setext headings: within the whole text), and
// overflows the stack on deeply nested quotes. No author writes so many; a text that has more is parsed in pieces.
const bounds = { brackets: 3_000, markers: 3_000, underlines: 1_500, depth: 60 };

const newParagraph = /^[ \t]*(?:$|#{1,6}[ \t]|[-*+>][ \t]|\d{1,9}[.)][ \t])/;
const nesting = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;

function isIntricate(text: string): boolean {
  if (text.length < 2_000) return /^(?:[ \t]*>){60}/m.test(text);
  let brackets = 0;
  let markers = 0;
  let underlines = 0;
  for (let offset = 0; offset < text.length;) {
    const end = text.indexOf('\n', offset);
    const line = text.slice(offset, end === -1 ? text.length : end);
    offset = end === -1 ? text.length : end + 1;
    if (newParagraph.test(line)) {
      brackets = 0;
      markers = 0;
    }
    brackets += count(line, '[');
    markers += line.match(/\*+|_+|~+/g)?.length ?? 0;
    if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) underlines += 1;
    const depth = nesting.exec(line)?.[0].match(/>|[-*+]|\d{1,9}[.)]/g)?.length ?? 0;
    if (brackets > bounds.brackets || markers > bounds.markers) return true;
    if (underlines > bounds.underlines || depth > bounds.depth) return true;
  }
  return false;
}

function count(line: string, character: string): number {
  let total = 0;
  for (let index = line.indexOf(character); index !== -1; index = line.indexOf(character, index + 1)) total += 1;
  return total;
}

const pieceLength = 2_000;
const maxPieces = 32;

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let offset = 0; offset < text.length && pieces.length < maxPieces;) {
    const near = text.lastIndexOf('\n', offset + pieceLength) + 1;
    const end = offset + pieceLength >= text.length ? text.length : near > offset ? near : offset + pieceLength;
    pieces.push(text.slice(offset, end));
    offset = end;
  }
  return pieces;
}
