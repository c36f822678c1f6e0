import type { Root } from 'mdast';
import { descend } from './nodes.ts';
import { maxParsedLength, parse } from './parse.ts';

/** At least eight words without any syntax. Numbers have no dot, because they could number a list. */
const plainRun = /(?<=^|\s)(?:(?:\p{L}[\p{L}\p{N}]*(?:['’-][\p{L}\p{N}]+)*[,.;?!]?|\p{N}+[,;]?) ){8,}/gu;

/** HTML that does not end at a blank line. */
const longHtml = /<(?:[!?]|pre\b|script\b|style\b|textarea\b)/i;
const underline = /\n[ \t>]*(?:=+|-+)[ \t]*(?:\r?\n|$)/;
const blankLine = /\r?\n[ \t]*\r?\n/g;

/** A part of the source that is not parsed. */
interface Gap {
  start: number;
  length: number;
}

/**
 * Parses Markdown like `parse`, several times as fast, for callers that need links, headings and where nodes are: of long runs of
 * plain words, only the first and the last are in the values of nodes. Headings are complete. Columns are those of the parsed text.
 */
export function parseCondensed(text: string, offset = 0): Root {
  const gaps = text.length > maxParsedLength || longHtml.test(text) ? [] : gapsIn(text);
  if (gaps.length === 0) return parse(text, offset);
  const parts: string[] = [];
  let done = 0;
  for (const { start, length } of gaps) {
    parts.push(text.slice(done, start));
    done = start + length;
  }
  const root = parse([...parts, text.slice(done)].join(''));
  const toSource = sourceOffsets(gaps, offset);
  for (const { position, data } of descend(root)) {
    if (position?.start.offset !== undefined) position.start.offset = toSource(position.start.offset);
    if (position?.end.offset !== undefined) position.end.offset = toSource(position.end.offset);
    if (data?.urlAt) data.urlAt = [toSource(data.urlAt[0]), toSource(data.urlAt[1])];
  }
  return root;
}

function gapsIn(text: string): Gap[] {
  const gaps: Gap[] = [];
  let start = 0;
  for (const { index, 0: blank } of text.matchAll(blankLine)) {
    addGaps(text.slice(start, index), start, gaps);
    start = index + blank.length;
  }
  addGaps(text.slice(start), start, gaps);
  return gaps;
}

/** @param block lines without blank ones between them */
function addGaps(block: string, offset: number, gaps: Gap[]): void {
  // Attributes of HTML, addresses with spaces and headings must be complete.
  if (block.includes('<') || underline.test(block)) return;
  let depth = 0;
  let read = 0;
  let lineEnd = 0;
  let isHeading = false;
  for (const { index, 0: run } of block.matchAll(plainRun)) {
    for (; read < index; read += 1) depth = depthAfter(block[read], depth);
    if (index >= lineEnd) {
      lineEnd = block.indexOf('\n', index) + 1 || block.length;
      isHeading = block.slice(block.lastIndexOf('\n', index) + 1, lineEnd).includes('#');
    }
    // The label of a reference must be as long as that of its definition.
    if (depth > 0 || isHeading) continue;
    const first = run.indexOf(' ') + 1;
    const last = run.lastIndexOf(' ', run.length - 2) + 1;
    gaps.push({ start: offset + index + first, length: last - first });
  }
}

/** How many brackets are open after a character. */
const depthAfter = (character: string | undefined, depth: number) =>
  character === '[' ? depth + 1 : character === ']' && depth > 0 ? depth - 1 : depth;

/** Maps offsets in the condensed text to those in the source. */
function sourceOffsets(gaps: readonly Gap[], from: number): (at: number) => number {
  const ends: number[] = [];
  const shifts: number[] = [0];
  let removed = 0;
  for (const { start, length } of gaps) {
    ends.push(start - removed);
    removed += length;
    shifts.push(removed);
  }
  return (at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return from + at + (shifts[low] ?? 0);
  };
}
