import type { Code, Html, Nodes, Parents, Root, RootContent } from 'mdast';
import { countLines, type HtmlPiece, splitHtml } from './html-blocks.ts';
import { isDrawn, kindOf } from './kinds.ts';
import { type MatchedTag, matchTags, variableOf } from './match-tags.ts';
import type { Block, BlockTag } from './nodes.ts';
import type { PageProblems } from './problems.ts';
import { splitParagraph } from './split-paragraph.ts';
import { readTag } from './tag.ts';

export interface NestOptions {
  /** Reads a part of the text as Markdown. */
  parse: (markdown: string) => Root;
  problems: PageProblems;
  /** How many characters may still be read again. */
  rereadable: number;
}

/** Puts what stands between the tags of blocks into them, in the whole tree. */
export function nestBlocks(node: Parents, options: NestOptions): void {
  const inline = isPhrasingParent(node);
  if (inline && node.type !== 'paragraph') restoreCode(node.children);
  const nodes: RootContent[] = inline ? node.children : flatten(node.children, options);
  // Before tags are matched, so that problems are reported in the order of the text as far as possible.
  for (const child of nodes) if ('children' in child) nestBlocks(child, options);
  const tags = nodes.flatMap((child, at): [number, BlockTag][] => (child.type === 'blockTag' ? [[at, child]] : []));
  if (tags.length === 0 && nodes === node.children) return;
  const matched = matchTags(tags, nodes.length, options.problems);
  const children = build(nodes, matched, inline, options.problems);
  // A parent of the text has phrasing content only, and the nodes between its tags were its own.
  Object.assign(node, { children });
}

/** Makes tags between `<code>` and `</code>` text again. */
function restoreCode(children: RootContent[]): void {
  let end: string | undefined;
  for (const [index, child] of children.entries()) {
    if (child.type === 'html') {
      const value = child.value.toLowerCase();
      const start = /^<(code|pre|kbd)\b/.exec(value)?.[1];
      if (end === undefined && start !== undefined) end = `</${start}`;
      else if (end !== undefined && value.startsWith(end)) end = undefined;
    } else if (child.type === 'blockTag' && end !== undefined) {
      children[index] = { type: 'text', value: `{%${child.value}%}`, position: child.position };
    }
  }
}

function isPhrasingParent(node: Nodes): boolean {
  switch (node.type) {
    case 'paragraph':
    case 'heading':
    case 'tableCell':
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'link':
    case 'linkReference':
      return true;
    default:
      return false;
  }
}

/** The nodes with tags as siblings: out of paragraphs, HTML and the indentation that authors give to blocks. */
function flatten(children: RootContent[], options: NestOptions): RootContent[] {
  if (!children.some((child) => hasTags(child))) return children;
  const flat: RootContent[] = [];
  let depth = 0;
  const add = (node: RootContent): void => {
    if (node.type === 'blockTag') depth += depthChange(node);
    flat.push(node);
  };
  const isRereadable = (code: Code): boolean =>
    isIndented(code) && (depth > 0 || flat.at(-1)?.type === 'blockTag') && options.rereadable >= code.value.length;
  const waiting = children.toReversed();
  for (let child = waiting.pop(); child; child = waiting.pop()) {
    if (child.type === 'paragraph') {
      restoreCode(child.children);
      for (const part of splitParagraph(child)) add(part);
    } else if (child.type === 'html' && child.value.includes('{%') && isOpen(child)) {
      // HTML with thousands of tags would be read again after each.
      for (const piece of splitHtml(child.value, options.rereadable < child.value.length)) {
        if (piece.kind === 'markdown') waiting.push(...reread(piece.value, child, piece.line, options).toReversed());
        else add(nodeOf(piece, child));
      }
    } else if (child.type === 'code' && isRereadable(child)) {
      waiting.push(...reread(child.value, child, 0, options).toReversed());
    } else add(child);
  }
  return flat;
}

function hasTags(node: RootContent): boolean {
  if (node.type === 'blockTag') return true;
  if (node.type === 'paragraph') return node.children.some((child) => child.type === 'blockTag');
  return node.type === 'html' && node.value.includes('{%') && isOpen(node);
}

function depthChange(node: BlockTag): number {
  const { name, isEnd } = readTag(node.value);
  return kindOf(name).end === 'always' ? (isEnd ? -1 : 1) : 0;
}

/** Whether the HTML may have tags of blocks in it: comments and code may not. */
const isOpen = (node: Html): boolean => !/^\s*<(?:!|\?|(?:pre|script|style|textarea)\b)/i.test(node.value);

// A fenced block has one or two lines more than its value.
function isIndented({ lang, value, position }: Code): boolean {
  return !lang && position !== undefined && position.end.line - position.start.line === countLines(value);
}

/** Indented code between tags is read again as Markdown; that of a fence never. */
export const isFenced = (code: Code): boolean => !isIndented(code);

function nodeOf({ kind, value, line }: HtmlPiece, { position }: Html): RootContent {
  const start = { line: (position?.start.line ?? 1) + line, column: 1 };
  return { type: kind === 'tag' ? 'blockTag' : 'html', value, position: { start, end: start } };
}

function reread(markdown: string, node: Code | Html, line: number, options: NestOptions): RootContent[] {
  options.rereadable -= markdown.length;
  const root = options.parse(markdown);
  shiftLines(root, (node.position?.start.line ?? 1) + line - 1);
  return root.children;
}

export function shiftLines(root: Root, by: number): void {
  if (by === 0) return;
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.position) {
      node.position.start.line += by;
      node.position.end.line += by;
    }
    if ('children' in node) for (const child of node.children) waiting.push(child);
  }
}

interface Frame {
  children: RootContent[];
  block?: Block;
  endAt: number;
}

function build(nodes: RootContent[], tags: MatchedTag[], inline: boolean, problems: PageProblems): RootContent[] {
  const top: Frame = { children: [], endAt: Infinity };
  const frames = [top];
  const current = (): Frame => frames.at(-1) ?? top;
  const matched = tags.values();
  for (const [at, node] of nodes.entries()) {
    const tag = node.type === 'blockTag' ? matched.next().value : undefined;
    if (tag?.role !== 'end') while (current().endAt === at) frames.pop();
    if (!tag) {
      current().children.push(node);
      continue;
    }
    if (tag.role === 'end') {
      endBlocks(frames, at, node);
      continue;
    }
    if (tag.role === 'branch') {
      const branch = branchOf(tag, inline);
      const frame = frames.findLast(({ block }) => block?.name === 'if') ?? top;
      frame.block?.children.push(branch);
      frame.children = branch.children;
      continue;
    }
    const variable = tag.role === 'single' ? variableOf(tag.tag) : undefined;
    if (variable !== undefined) {
      current().children.push(variableNode(variable, node, inline));
      continue;
    }
    const block = blockOf(tag, inline, problems);
    current().children.push(block);
    if (tag.role !== 'start' || tag.endAt === undefined) continue;
    let { children } = block;
    if (block.name === 'if') {
      const branch = branchOf(tag, inline);
      block.children.push(branch);
      ({ children } = branch);
    }
    frames.push({ block, children, endAt: tag.endAt });
  }
  return top.children;
}

// The end tag ends its block, and before that those in it that have none of their own.
function endBlocks(frames: Frame[], at: number, node: RootContent): void {
  while (frames.length > 1 && frames.at(-1)?.endAt === at) {
    const block = frames.pop()?.block;
    if (block?.position && node.position) block.position = { start: block.position.start, end: node.position.end };
  }
}

function variableNode(value: string, { position }: RootContent, inline: boolean): RootContent {
  const expression: RootContent = { type: 'expression', value, position };
  return inline ? expression : { type: 'paragraph', children: [expression], position };
}

function blockOf({ tag, node, role }: MatchedTag, inline: boolean, problems: PageProblems): Block {
  const { line, column } = node.position?.start ?? {};
  const isStray = role === 'stray';
  if (!isStray && !isDrawn(tag.name))
    problems.add('unknown-block', line, `"${tag.name}" is not a known block: it is shown as text.`, column);
  if (tag.unreadable !== undefined)
    problems.add(
      'unreadable-tag',
      line,
      `The arguments of {% ${tag.name} %} cannot be read from here on: ${tag.unreadable.slice(0, 80)}`,
      column,
    );
  return {
    type: 'block',
    name: tag.name,
    attributes: tag.attributes,
    ...(tag.argument === undefined ? {} : { argument: tag.argument }),
    inline,
    tag: node.value.trim(),
    ...(isStray ? { isStray } : {}),
    children: [],
    ...(node.position ? { position: { ...node.position } } : {}),
  };
}

function branchOf({ tag, node }: MatchedTag, inline: boolean): Block {
  const { position } = node;
  const expression = tag.name === 'else' ? undefined : tag.rest;
  return {
    type: 'block',
    name: 'branch',
    attributes: {},
    ...(expression === undefined ? {} : { expression }),
    inline,
    tag: node.value.trim(),
    children: [],
    ...(position ? { position: { ...position } } : {}),
  };
}
