import type { Html, LinkReference, Nodes } from 'mdast';
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { parseCondensed } from '../../content/markdown/condense.ts';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { titleNode } from '../../content/markdown/markdown.ts';
import { descend, endOf, startOf } from '../../content/markdown/nodes.ts';
import type { Match } from './pattern.ts';

/** Where a text can be replaced. Addresses of links are not a region: they are rewritten as a whole. */
export const placeNames = ['text', 'code', 'link', 'title', 'property'] as const;
export type PlaceName = (typeof placeNames)[number];

export type SourceKind = 'file' | 'page' | 'page with title';

/** A part of a source, from its start. */
export interface Region {
  start: number;
  end: number;
  place: Exclude<PlaceName, 'link'>;
  /** What else is written if it changes. */
  also?: Match;
}

/**
 * The parts of a page in which words can be replaced without changing its structure, in order.
 *
 * @param of a page of the service has no front matter, and its heading can be its title or not
 */
export function regionsOf(source: string, of: SourceKind): Region[] {
  const { bodyAt, data } = readFrontMatter(source);
  const root = parseCondensed(source.slice(bodyAt), bodyAt);
  const title = of !== 'page' && data['title'] === undefined ? titleNode(root) : undefined;
  const regions = of === 'file' ? frontMatterRegions(source, bodyAt) : [];
  const skipped = new Set<Nodes>();
  const labels = new Map<Nodes, Match>();
  for (const node of descend(root)) {
    if (skipped.has(node)) continue;
    if (node.type === 'linkReference' && node.referenceType !== 'full') {
      for (const inner of descend(node)) labels.set(inner, labelAfter(source, node));
    }
    const also = labels.get(node);
    // An address that is its own text.
    if (node.type === 'link' && source[startOf(node)] !== '[') for (const inner of descend(node)) skipped.add(inner);
    const isTitle = title !== undefined && startOf(node) >= startOf(title) && endOf(node) <= endOf(title);
    for (const region of regionsIn(source, node)) {
      regions.push({ ...region, ...(isTitle && { place: 'title' }), ...(also && { also }) });
    }
  }
  return regions;
}

/** The label of a link that has it as its text, so that another text keeps its definition. */
function labelAfter(source: string, node: LinkReference): Match {
  const end = endOf(node);
  const start = node.referenceType === 'collapsed' ? end - '[]'.length : end;
  return { start, end, replacement: source.slice(startOf(node), start) };
}

function regionsIn(source: string, node: Nodes): Region[] {
  const [start, end] = [startOf(node), endOf(node)];
  switch (node.type) {
    case 'text':
      return withoutTags(source, start, end);
    case 'image': {
      const until = source.lastIndexOf('](', node.data?.urlAt?.[0] ?? end);
      return until > start + 2 ? withoutTags(source, start + 2, until) : [];
    }
    case 'imageReference': {
      const until = source.lastIndexOf('][', end);
      return node.referenceType === 'full' ? withoutTags(source, start + 2, until) : [];
    }
    case 'inlineCode': {
      const marks = /^`+/.exec(source.slice(start, end))?.[0].length ?? 0;
      return [{ start: start + marks, end: end - marks, place: 'code' }];
    }
    case 'code':
      return [codeRegion(source, start, end)];
    case 'html':
      return htmlRegions(source, node);
    default:
      return [];
  }
}

function codeRegion(source: string, start: number, end: number): Region {
  const fence = /^(?:`{3,}|~{3,})/.exec(source.slice(start, start + 200))?.[0];
  if (fence === undefined) return { start, end, place: 'code' };
  const first = source.indexOf('\n', start);
  if (first === -1 || first >= end) return { start: end, end, place: 'code' };
  const last = source.lastIndexOf('\n', end - 1);
  const isClosed = last > first && source.slice(last, end).includes(fence);
  return { start: first + 1, end: isClosed ? last : end, place: 'code' };
}

/** Marks of tags, expressions and formulas, which are not text. */
const marks = [
  ['{%', '%}'],
  ['{{', '}}'],
  ['$$', '$$'],
] as const;

/** Where a mark can begin, or the end. */
function nextMark(source: string, from: number, end: number): number {
  const text = source.slice(from, end);
  const at = text.search(/[{$]/);
  return at === -1 ? end : from + at;
}

function withoutTags(source: string, start: number, end: number): Region[] {
  const regions: Region[] = [];
  let from = start;
  for (let at = nextMark(source, start, end); at < end;) {
    const mark = marks.find(([open]) => source.startsWith(open, at));
    const close = mark ? source.indexOf(mark[1], at + 2) : -1;
    if (close === -1) {
      at = nextMark(source, at + 1, end);
      continue;
    }
    if (at > from) regions.push({ start: from, end: at, place: 'text' });
    from = Math.min(close + 2, end);
    at = nextMark(source, from, end);
  }
  if (end > from) regions.push({ start: from, end, place: 'text' });
  return regions;
}

/** Elements whose content is not shown as text. */
const codeTag = /^<(?<close>\/?)(?<name>pre|code|script|style)\b/i;

/** The text between tags. */
function htmlRegions(source: string, node: Html): Region[] {
  const end = endOf(node);
  const regions: Region[] = [];
  let depth = 0;
  for (let at = startOf(node); at < end;) {
    if (source[at] !== '<') {
      const next = source.indexOf('<', at);
      const until = next === -1 ? end : Math.min(next, end);
      for (const region of withoutTags(source, at, until)) {
        regions.push(depth > 0 ? { ...region, place: 'code' } : region);
      }
      at = until;
      continue;
    }
    const tag = codeTag.exec(source.slice(at, at + 12))?.groups;
    if (tag) depth = Math.max(0, depth + (tag['close'] === '' ? 1 : -1));
    const close = source.startsWith('<!--', at) ? '-->' : '>';
    const until = source.indexOf(close, at);
    at = until === -1 ? end : until + close.length;
  }
  return regions;
}

/** The values of the front matter, with their quotation marks. */
function frontMatterRegions(source: string, bodyAt: number): Region[] {
  if (bodyAt === 0) return [];
  const start = source.indexOf('\n') + 1;
  const yaml = source.slice(start, source.lastIndexOf('---', bodyAt));
  const document = parseDocument(yaml, { uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return [];
  const regions: Region[] = [];
  visit(document.contents, {
    Scalar(key, { value, range }, path) {
      if (key === 'key' || typeof value !== 'string' || !range) return;
      const pair = path[1];
      const isTitle = pair && 'key' in pair && isScalar(pair.key) && pair.key.value === 'title' && path.length === 2;
      regions.push({ start: start + range[0], end: start + range[1], place: isTitle ? 'title' : 'property' });
    },
  });
  return regions;
}
