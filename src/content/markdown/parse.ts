import type { Root, RootContent } from 'mdast';
import { type CompileContext, type Extension, type Token, fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { gfm } from 'micromark-extension-gfm';
import type { ConstructRecord, Extension as Syntax } from 'micromark-util-types';
import { combineExtensions } from 'micromark-util-combine-extensions';
import { descend } from './nodes.ts';
import { splitTables, tableRow } from './split-tables.ts';

declare module 'mdast' {
  interface Data {
    /** The range of the address in the source, for links, images and definitions that contain it. */
    urlAt?: [start: number, end: number];
  }
}

/** The rest of a longer text is kept but not parsed. Parsing takes about 6 microseconds per character. */
export const maxParsedLength = 1_000_000;

/** Syntax in addition to CommonMark and GFM. */
export interface ParseExtension {
  syntax: Syntax[];
  nodes: Extension[];
}

export const parseExtension = (syntax: Syntax, nodes: Extension): ParseExtension => ({
  syntax: [combineExtensions([gfm(), syntax])],
  nodes: [...plainNodes, nodes],
});

/** Parses Markdown (CommonMark and GFM, without front matter). The offsets of positions count from `offset`. */
export function parse(text: string, offset = 0, extension = plain): Root {
  const { syntax, nodes } = extension;
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const readable = text.slice(bom, bom + maxParsedLength);
  const pieces = isIntricate(readable) ? piecesOf(readable) : extension === plain ? splitTables(readable) : [readable];
  const children: RootContent[] = [];
  let start = offset + bom;
  let lines = 0;
  for (const piece of pieces) {
    const root = fromMarkdown(piece, {
      extensions: constructsFor(piece, syntax),
      mdastExtensions: mayHaveAutolinks.test(piece) ? nodes : withoutTransforms(nodes),
    });
    // The parser does not count a byte order mark at the start of its input, here of a piece.
    const first = start + (piece.startsWith('\uFEFF') ? 1 : 0);
    if (first > 0) shift(root, first, lines);
    for (const child of root.children) children.push(child);
    start += piece.length;
    if (start < offset + text.length) lines += piece.match(lineEnds)?.length ?? 0;
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

// These handlers do the same as the library's own, and also record where the address is in the source.
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

// Created once, because creating and combining them takes as long as parsing a short page.
const plainNodes = [...gfmFromMarkdown(), addresses];
const plain: ParseExtension = { syntax: [combineExtensions([gfm()])], nodes: plainNodes };

/** Without these, a text has no autolinks, and GFM's transforms, which match each word with four patterns, are skipped. */
const mayHaveAutolinks = /https?:|www\.|@/i;

const transformed = new WeakMap<readonly Extension[], Extension[]>();

function withoutTransforms(nodes: Extension[]): Extension[] {
  const others = transformed.get(nodes) ?? nodes.map((each) => ({ ...each, transforms: [] }));
  transformed.set(nodes, others);
  return others;
}

/**
 * What a text must contain to use a part of GFM. The parser tries each part at every `w`, `h`, word or line, and then
 * reads the same characters again.
 */
const needed: Readonly<Record<string, RegExp>> = {
  emailAutolink: /@/,
  wwwAutolink: /www\./i,
  protocolAutolink: /https?:/i,
  table: tableRow,
  gfmFootnoteCall: /\[\^/,
  gfmPotentialFootnoteCall: /\[\^/,
};

const reduced = new WeakMap<readonly Syntax[], Map<string, Syntax[]>>();

/** The syntax without the parts of GFM that the text does not use. */
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

/** Without empty lists, which the parser would combine with its own for each text. */
const othersIn = (constructs: ConstructRecord, unneeded: readonly string[]): ConstructRecord =>
  Object.fromEntries(
    Object.entries(constructs).flatMap(([code, construct]) => {
      const others = [construct ?? []].flat().filter(({ name }) => name === undefined || !unneeded.includes(name));
      return others.length === 0 ? [] : [[code, others]];
    }),
  );

function setUrl(this: CompileContext, token: Token): undefined {
  const url = this.resume();
  const node = this.stack.at(-1);
  if (node?.type !== 'link' && node?.type !== 'image' && node?.type !== 'definition') return;
  node.url = url;
  node.data = { urlAt: [token.start.offset, token.end.offset] };
}

const lineEnds = /\r\n|[\r\n]/g;

function shift(root: Root, by: number, lines: number): void {
  for (const { position, data } of descend(root)) {
    for (const point of position ? [position.start, position.end] : []) {
      if (point.offset !== undefined) point.offset += by;
      point.line += lines;
    }
    if (data?.urlAt) data.urlAt = [data.urlAt[0] + by, data.urlAt[1] + by];
  }
}

// The parser takes quadratic time for these in one paragraph (for setext headings, in the whole text), and overflows the
// stack on deeply nested quotes. No author writes so many. A text with more is parsed in pieces.
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
    brackets += line.split('[').length - 1;
    markers += line.match(/\*+|_+|~+/g)?.length ?? 0;
    if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) underlines += 1;
    const depth = nesting.exec(line)?.[0].match(/>|[-*+]|\d{1,9}[.)]/g)?.length ?? 0;
    if (brackets > bounds.brackets || markers > bounds.markers) return true;
    if (underlines > bounds.underlines || depth > bounds.depth) return true;
  }
  return false;
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
