import { countLines } from '../markdown/nodes.ts';

/** A piece of an HTML block, with the number of lines before it. */
export interface HtmlPiece {
  kind: 'html' | 'tag' | 'markdown';
  value: string;
  line: number;
}

const opaqueStart = /<!--|<(pre|code|script|style|textarea)\b|<\/?[a-z][^<>]*>/giy;

/** The ranges in which `{%` is text: comments, code and HTML tags. */
function opaqueRanges(html: string): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  const lower = html.toLowerCase();
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    opaqueStart.lastIndex = at;
    const match = opaqueStart.exec(html);
    const end = match && endOf(match[0].toLowerCase(), lower, at + match[0].length);
    if (end) ranges.push([at, end]);
    at = end ?? at + 1;
  }
  return ranges;
}

function endOf(start: string, html: string, from: number): number {
  if (start.endsWith('>')) return from;
  const end = start === '<!--' ? '-->' : `</${start.slice(1)}`;
  const at = html.indexOf(end, from);
  return at === -1 ? html.length : at + end.length;
}

/**
 * Splits HTML at the tags of blocks. In CommonMark, an HTML block ends at a blank line. Here, a line of tags also ends
 * it, and the rest is Markdown, unless `isHtmlOnly`.
 */
export function splitHtml(html: string, isHtmlOnly: boolean): HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  const skipped = opaqueRanges(html);
  let next = 0;
  let done = 0;
  let line = 0;
  const add = (kind: HtmlPiece['kind'], value: string): void => {
    if (value.trim() !== '') pieces.push({ kind, value, line });
    line += countLines(value);
  };
  for (let at = html.indexOf('{%'); at !== -1; at = html.indexOf('{%', at)) {
    while (next < skipped.length && (skipped[next]?.[1] ?? 0) <= at) next += 1;
    const [from, to] = skipped[next] ?? [Infinity, Infinity];
    if (from < at) {
      at = to;
      continue;
    }
    const lineStart = html.lastIndexOf('\n', at) + 1;
    if (!isHtmlOnly && html.slice(lineStart, at).trim() === '' && isTagLine(html, at)) {
      add('html', html.slice(done, lineStart));
      add('markdown', html.slice(lineStart));
      return pieces;
    }
    const end = html.indexOf('%}', at + 2);
    if (end === -1) break;
    add('html', html.slice(done, at));
    add('tag', html.slice(at + 2, end));
    done = end + 2;
    at = done;
  }
  add('html', html.slice(done));
  return pieces;
}

/** Whether the rest of the line consists of tags. */
function isTagLine(text: string, at: number): boolean {
  const end = text.indexOf('\n', at);
  const line = text.slice(at, end === -1 ? text.length : end).trim();
  return line.startsWith('{%') && line.endsWith('%}');
}
