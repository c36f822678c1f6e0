import type { Code, Html, Parents, Root, RootContent } from 'mdast';
import { words } from '../../shared/words.ts';
import { countLines, descend } from '../markdown/nodes.ts';
import { type HtmlPiece, splitHtml } from './html-blocks.ts';
import { isDrawn, kindOf } from './kinds.ts';
import { type MatchedTag, matchTags, variableOf } from './match-tags.ts';
import { type Block, blockOf, type BlockTag } from './nodes.ts';
import type { PageProblems } from './problems.ts';
import { splitParagraph } from './split-paragraph.ts';
import { readTag } from './tag.ts';

export interface NestOptions {
  /** Parses a part of the text as Markdown. */
  parse: (markdown: string) => Root;
  problems: PageProblems;
  /** The number of characters that can still be parsed again. */
  rereadable: number;
}

/** Moves the content between the tags of blocks into the blocks, in the whole tree. */
export function nestBlocks(node: Parents, options: NestOptions): void {
  const inline = phrasingParents.has(node.type);
  if (inline && node.type !== 'paragraph') restoreCode(node.children);
  const nodes: RootContent[] = inline ? node.children : flatten(node.children, options);
  // Before tags are matched, so that problems are reported in document order as far as possible.
  for (const child of nodes) if ('children' in child) nestBlocks(child, options);
  const tags = nodes.flatMap((child, at): [number, BlockTag][] => (child.type === 'blockTag' ? [[at, child]] : []));
  if (tags.length === 0 && nodes === node.children) return;
  const matched = matchTags(tags, nodes.length, options.problems);
  const children = build(nodes, matched, inline, options.problems);
  Object.assign(node, { children });
}

/** Turns tags between `<code>` and `</code>` back into text. */
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

const phrasingParents = new Set(words('paragraph heading tableCell emphasis strong delete link linkReference'));

/** Makes all tags siblings: takes them out of paragraphs, HTML and indented code. */
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
      // HTML with thousands of tags would be parsed again after each of them.
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

/** Whether HTML can contain tags of blocks. Comments and code cannot. */
const isOpen = (node: Html): boolean => !/^\s*<(?:!|\?|(?:pre|script|style|textarea)\b)/i.test(node.value);

// A fenced block has one or two more lines than its value.
function isIndented({ lang, value, position }: Code): boolean {
  return !lang && position !== undefined && position.end.line - position.start.line === countLines(value);
}

/** Indented code between tags is parsed as Markdown. Fenced code never is. */
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
  for (const { position } of descend(root)) {
    if (!position) continue;
    position.start.line += by;
    position.end.line += by;
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
    const block = nodeOfTag(tag, inline, problems);
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

// The end tag ends its block, and the blocks inside it that have no end tag.
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

function nodeOfTag({ tag, node, role }: MatchedTag, inline: boolean, problems: PageProblems): Block {
  const { name, attributes, argument, unreadable } = tag;
  const { position } = node;
  const isStray = role === 'stray';
  if (!isStray && !isDrawn(name))
    problems.add('unknown-block', position?.start, `There is no block "${name}". It is shown as text.`);
  if (unreadable !== undefined) {
    const message = `The arguments of {% ${name} %} cannot be parsed from here on: ${unreadable.slice(0, 80)}`;
    problems.add('unreadable-tag', position?.start, message);
  }
  return blockOf({
    name,
    attributes,
    argument,
    inline,
    tag: node.value.trim(),
    ...(isStray && { isStray }),
    ...(position && { position: { ...position } }),
  });
}

function branchOf({ tag, node }: MatchedTag, inline: boolean): Block {
  const { position } = node;
  const expression = tag.name === 'else' ? undefined : tag.rest;
  const branch = blockOf({ name: 'branch', expression, inline, tag: node.value.trim() });
  return { ...branch, ...(position && { position: { ...position } }) };
}
