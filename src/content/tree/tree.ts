import type { BlockContent, DefinitionContent, ListItem, Nodes, PhrasingContent, Root, RootContent } from 'mdast';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { plainText } from '../markdown/markdown.ts';
import { parse, stringify } from '../markdown/parse.ts';
import { type Reference, addressOf, referenceOf } from '../markdown/references.ts';

export type Mark = 'bold' | 'italic' | 'code' | 'strikethrough';
export interface Leaf {
  object: 'leaf';
  text: string;
  marks?: { object: 'mark'; type: Mark }[];
}
export interface Text {
  object: 'text';
  leaves: Leaf[];
}
export interface InlineLink {
  object: 'inline';
  type: 'link';
  data: { ref: Reference };
  nodes: Text[];
}
export interface Block {
  object: 'block';
  type: string;
  isVoid?: boolean;
  data?: Record<string, unknown>;
  nodes?: (Block | Text | InlineLink)[];
}
/** The document tree of the API (open parts, 3.4). */
export interface Tree {
  object: 'document';
  data?: { schemaVersion?: number };
  nodes: Block[];
}

export interface TreeIssue {
  /** JSON Pointer from the tree's root. */
  path: string;
  message: string;
}

/** Blocks nested deeper become paragraphs of their text when read, and a fault when given. */
export const maxDepth = 40;

// ---- Markdown to tree

/** The tree of a Markdown text, front matter left out. What the tree cannot hold becomes a paragraph of its text. */
export function toTree(markdown: string): Tree {
  const { bodyAt } = readFrontMatter(markdown);
  return treeOf(parse(markdown.slice(bodyAt), bodyAt));
}

export function treeOf(root: Root): Tree {
  const definitions = new Map<string, string>();
  for (const block of root.children) {
    if (block.type === 'definition' && !definitions.has(block.identifier)) definitions.set(block.identifier, block.url);
  }
  return { object: 'document', data: {}, nodes: root.children.flatMap((block) => toBlocks(block, definitions, 1)) };
}

type Definitions = ReadonlyMap<string, string>;

function toBlocks(node: RootContent, definitions: Definitions, depth: number): Block[] {
  if (depth >= maxDepth - 2) return paragraphs(plainText(node));
  const below = (children: RootContent[], levels = 1) =>
    children.flatMap((child) => toBlocks(child, definitions, depth + levels));
  switch (node.type) {
    case 'paragraph':
      return [block('paragraph', toInlines(node.children, definitions))];
    case 'heading':
      return [block(`heading-${Math.min(node.depth, 3)}`, toInlines(node.children, definitions))];
    case 'code': {
      const lines = node.value.split('\n').map((line) => block('code-line', [text([leaf(line, [])])]));
      return [block('code', lines, node.lang ? { syntax: node.lang } : {})];
    }
    case 'blockquote':
      return [block('blockquote', below(node.children))];
    case 'list': {
      const items = node.children.map((item) => block('list-item', atLeastOne(below(taskMarked(item), 2))));
      return [block(node.ordered ? 'list-ordered' : 'list-unordered', items)];
    }
    case 'thematicBreak':
      return [{ object: 'block', type: 'divider', isVoid: true, data: {}, nodes: [] }];
    case 'definition':
      return [];
    case 'footnoteDefinition':
      return below(node.children);
    default:
      return paragraphs(plainText(node));
  }
}

// The tree has no task lists; the box stays readable.
function taskMarked(item: ListItem): RootContent[] {
  if (typeof item.checked !== 'boolean') return item.children;
  const box: PhrasingContent = { type: 'text', value: item.checked ? '☑ ' : '☐ ' };
  const [first, ...rest] = item.children;
  if (first?.type === 'paragraph') return [{ ...first, children: [box, ...first.children] }, ...rest];
  return [{ type: 'paragraph', children: [box] }, ...item.children];
}

function paragraphs(value: string): Block[] {
  return value.trim() === '' ? [] : [block('paragraph', [text([leaf(value.trim(), [])])])];
}

function atLeastOne(blocks: Block[]): Block[] {
  return blocks.length > 0 ? blocks : [block('paragraph', [text([leaf('', [])])])];
}

function toInlines(nodes: PhrasingContent[], definitions: Definitions): (Text | InlineLink)[] {
  const inlines: (Text | InlineLink)[] = [];
  const add = (added: Leaf, url?: string) => {
    const last = inlines.at(-1);
    if (url === undefined) {
      if (last?.object === 'text') addLeaf(last, added);
      else inlines.push(text([added]));
    } else if (last?.object === 'inline' && addressOf(last.data.ref) === url) addLeaf(last.nodes[0]!, added);
    else inlines.push({ object: 'inline', type: 'link', data: { ref: referenceOf(url) }, nodes: [text([added])] });
  };
  const walk = (node: PhrasingContent, marks: Mark[], url?: string): void => {
    const within = (children: PhrasingContent[], mark?: Mark, to = url) => {
      const inner = mark && !marks.includes(mark) ? [...marks, mark] : marks;
      for (const child of children) walk(child, inner, to);
    };
    switch (node.type) {
      case 'text':
        return add(leaf(node.value, marks), url);
      case 'inlineCode':
        return add(leaf(node.value, marks.includes('code') ? marks : [...marks, 'code']), url);
      case 'break':
        return add(leaf('\n', marks), url);
      case 'strong':
        return within(node.children, 'bold');
      case 'emphasis':
        return within(node.children, 'italic');
      case 'delete':
        return within(node.children, 'strikethrough');
      case 'link':
        return within(node.children, undefined, url ?? node.url);
      case 'linkReference':
        return within(node.children, undefined, url ?? definitions.get(node.identifier));
      // The tree has no images inside text: the address stays reachable as a link.
      case 'image':
        return add(leaf(node.alt || node.url || 'image', marks), url ?? node.url);
      case 'imageReference':
        return add(leaf(node.alt || node.identifier, marks), url ?? definitions.get(node.identifier));
      case 'html': {
        const value = /^<br\s*\/?>$/i.test(node.value) ? '\n' : '';
        return value ? add(leaf(value, marks), url) : undefined;
      }
      case 'footnoteReference':
        return add(leaf(`[${node.label ?? node.identifier}]`, marks), url);
      default:
        return undefined;
    }
  };
  for (const node of nodes) walk(node, []);
  if (inlines.length === 0) inlines.push(text([leaf('', [])]));
  return inlines;
}

function addLeaf(to: Text, added: Leaf): void {
  const last = to.leaves.at(-1);
  const same = last && marksOf(last) === marksOf(added);
  if (same) last.text += added.text;
  else to.leaves.push(added);
}

const markOrder: Mark[] = ['strikethrough', 'bold', 'italic', 'code'];

function leaf(value: string, marks: readonly Mark[]): Leaf {
  const ordered = markOrder.filter((mark) => marks.includes(mark));
  return { object: 'leaf', text: value, marks: ordered.map((type) => ({ object: 'mark', type })) };
}

function text(leaves: Leaf[]): Text {
  return { object: 'text', leaves };
}

function block(type: string, nodes: (Block | Text | InlineLink)[], data: Record<string, unknown> = {}): Block {
  return { object: 'block', type, data, nodes };
}

// ---- tree to Markdown

/** Markdown of a tree; a block type it does not know is a paragraph of its text. Call `treeFaults` first. */
export function fromTree(tree: Tree): string {
  return stringify(rootOf(tree));
}

export function rootOf(tree: Tree): Root {
  return { type: 'root', children: tree.nodes.flatMap(fromBlock) };
}

type FlowContent = BlockContent | DefinitionContent;

function fromBlock(node: Block): FlowContent[] {
  switch (node.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return [{ type: 'heading', depth: Number(node.type.at(-1)) as 1 | 2 | 3, children: inline(node) }];
    case 'code': {
      const syntax = typeof node.data?.['syntax'] === 'string' ? node.data?.['syntax'] : null;
      return [{ type: 'code', lang: syntax, value: children(node).map(textOf).join('\n') }];
    }
    case 'blockquote':
      return [{ type: 'blockquote', children: blocksOf(node) }];
    case 'list-ordered':
    case 'list-unordered':
      return list(node);
    case 'divider':
      return [{ type: 'thematicBreak' }];
    case 'paragraph':
      return paragraph(inline(node));
    // Items outside a list are a list of their own.
    case 'list-item':
      return list({ ...node, type: 'list-unordered', nodes: [node] });
    default:
      return paragraph(children(node).some(isBlock) ? plain(textOf(node)) : inline(node));
  }
}

function list(node: Block): FlowContent[] {
  const items = children(node)
    .filter(isBlock)
    .map((item): ListItem => {
      const children = item.type === 'list-item' ? blocksOf(item) : fromBlock(item);
      return { type: 'listItem', spread: false, children };
    });
  return items.length > 0
    ? [{ type: 'list', ordered: node.type === 'list-ordered', spread: false, children: items }]
    : [];
}

/** Blocks below a block; text that stands directly in it is a paragraph of its own. */
function blocksOf(node: Block): FlowContent[] {
  const blocks: FlowContent[][] = [];
  let loose: (Text | InlineLink)[] = [];
  const flush = () => {
    blocks.push(paragraph(inlineOf(loose)));
    loose = [];
  };
  for (const child of children(node)) {
    if (isBlock(child)) {
      flush();
      blocks.push(fromBlock(child));
    } else loose.push(child);
  }
  flush();
  return blocks.flat();
}

function paragraph(children: PhrasingContent[]): FlowContent[] {
  return children.length > 0 ? [{ type: 'paragraph', children }] : [];
}

function plain(value: string): PhrasingContent[] {
  return value.trim() === '' ? [] : [{ type: 'text', value: value.trim() }];
}

function inline(node: Block): PhrasingContent[] {
  return inlineOf(children(node).filter((child) => !isBlock(child)) as (Text | InlineLink)[]);
}

function inlineOf(nodes: (Text | InlineLink)[]): PhrasingContent[] {
  const parts: PhrasingContent[][] = [];
  let leaves: Leaf[][] = [];
  const flush = () => {
    parts.push(marked(leaves.flat()));
    leaves = [];
  };
  for (const node of nodes) {
    if (node.object === 'text') leaves.push(node.leaves);
    else {
      flush();
      const children = marked(node.nodes.flatMap((inner) => inner.leaves)) as Exclude<
        PhrasingContent,
        { type: 'link' }
      >[];
      if (children.length > 0) parts.push([{ type: 'link', url: addressOf(node.data.ref), children }]);
    }
  }
  flush();
  const content = parts.flat();
  return content.every((node) => node.type === 'text' && node.value.trim() === '') ? [] : struckInWords(content);
}

// `~~a b.~~c` is no strikethrough, as the marker stands between a full stop and a letter: there it takes tags.
function struckInWords(nodes: PhrasingContent[]): PhrasingContent[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== 'delete') return [node];
    const [before, first] = [edgeOf(nodes[index - 1], 'end'), edgeOf(node.children[0], 'start')];
    const [last, after] = [edgeOf(node.children.at(-1), 'end'), edgeOf(nodes[index + 1], 'start')];
    const fits = (outside: string, inside: string) => isWord(inside) || !isWord(outside);
    if (fits(before, first) && fits(after, last) && before !== '~' && after !== '~') return [node];
    return [{ type: 'html', value: '<del>' }, ...node.children, { type: 'html', value: '</del>' }];
  });
}

/** The character at a node's edge; a marker counts as punctuation, nothing as a blank. */
function edgeOf(node: PhrasingContent | undefined, edge: 'start' | 'end'): string {
  if (!node) return ' ';
  if (node.type !== 'text') return '*';
  // A character is two code units at most.
  const near = edge === 'start' ? node.value.slice(0, 2) : node.value.slice(-2);
  return Array.from(near).at(edge === 'start' ? 0 : -1) ?? ' ';
}

function isWord(character: string): boolean {
  return !/[\s\p{P}\p{S}]/u.test(character);
}

// Leaves beside each other with the same outermost mark share one node, or the asterisks of two would run together.
function marked(leaves: readonly Leaf[], done = 0): PhrasingContent[] {
  const content: PhrasingContent[] = [];
  for (let at = 0; at < leaves.length;) {
    const first = leaves[at]!;
    const mark = markOrder.slice(done).find((mark) => has(first, mark));
    let end = at + 1;
    while (end < leaves.length && markOrder.slice(done).find((each) => has(leaves[end]!, each)) === mark) end += 1;
    const run = leaves.slice(at, end);
    at = end;
    const value = run.map((each) => each.text).join('');
    if (value === '') continue;
    if (mark === undefined) content.push({ type: 'text', value });
    else if (value.trim() === '') content.push({ type: 'text', value });
    else if (mark === 'code') content.push({ type: 'inlineCode', value: value.replaceAll('\n', ' ') });
    else content.push(...hugging(value, nodeOf(mark, struckInWords(marked(run, markOrder.indexOf(mark) + 1)))));
  }
  return content;
}

function nodeOf(mark: Exclude<Mark, 'code'>, children: PhrasingContent[]): PhrasingContent {
  const type = { bold: 'strong', italic: 'emphasis', strikethrough: 'delete' }[mark] as
    | 'strong'
    | 'emphasis'
    | 'delete';
  return { type, children };
}

// Markdown cannot mark blanks at the edges of emphasis without character references: they move outside.
function hugging(value: string, node: PhrasingContent): PhrasingContent[] {
  const before = value.slice(0, value.length - value.trimStart().length);
  const after = value.slice(value.trimEnd().length);
  trimEdge(node, 'start');
  trimEdge(node, 'end');
  return [
    ...(before ? [{ type: 'text', value: before } as const] : []),
    node,
    ...(after ? [{ type: 'text', value: after } as const] : []),
  ];
}

function trimEdge(node: Nodes, edge: 'start' | 'end'): void {
  if (node.type === 'text') {
    node.value = edge === 'start' ? node.value.trimStart() : node.value.trimEnd();
    return;
  }
  if (!('children' in node)) return;
  const { children } = node;
  let empty = 0;
  for (; empty < children.length; empty += 1) {
    const child = children[edge === 'start' ? empty : children.length - 1 - empty]!;
    trimEdge(child, edge);
    if (child.type !== 'text' || child.value !== '') break;
  }
  children.splice(edge === 'start' ? 0 : children.length - empty, empty);
}

function has(each: Leaf, mark: Mark): boolean {
  return each.marks?.some(({ type }) => type === mark) ?? false;
}

function marksOf(each: Leaf): string {
  return each.marks?.map((mark) => mark.type).join() ?? '';
}

function children(node: Block | InlineLink): (Block | Text | InlineLink)[] {
  return node.nodes ?? [];
}

function isBlock(node: Block | Text | InlineLink): node is Block {
  return node.object === 'block';
}

function textOf(node: Block | Text | InlineLink): string {
  if (node.object === 'text') return node.leaves.map((each) => each.text).join('');
  const separator = node.object === 'block' && children(node).some(isBlock) ? '\n' : '';
  return children(node).map(textOf).join(separator);
}

// ---- judging a tree that was sent

/** What is wrong with a value that should be a tree; nothing when it is one. At most 20 faults. */
export function treeIssues(value: unknown): TreeIssue[] {
  const faults: TreeIssue[] = [];
  const report = (path: string, message: string) => {
    if (faults.length < 20) faults.push({ path, message });
  };
  if (!isObject(value)) return [{ path: '', message: 'must be an object' }];
  if (value['object'] !== 'document') report('/object', 'must be document');
  const data = value['data'];
  if (data !== undefined && !isObject(data)) report('/data', 'must be an object');
  else if (isObject(data) && data['schemaVersion'] !== undefined && !Number.isInteger(data['schemaVersion'])) {
    report('/data/schemaVersion', 'must be a whole number');
  }
  judgeNodes(value['nodes'], '/nodes', 1, report, true);
  return faults;
}

export function isTree(value: unknown): value is Tree {
  return treeIssues(value).length === 0;
}

type Report = (path: string, message: string) => void;

function judgeNodes(nodes: unknown, path: string, depth: number, report: Report, blocksOnly: boolean): void {
  if (!Array.isArray(nodes)) return report(path, 'must be an array');
  if (depth > maxDepth) return report(path, `must not nest blocks more than ${maxDepth} deep`);
  for (const [index, node] of nodes.entries()) judgeNode(node, `${path}/${index}`, depth, report, blocksOnly);
}

function judgeNode(node: unknown, path: string, depth: number, report: Report, blocksOnly: boolean): void {
  if (!isObject(node)) return report(path, 'must be an object');
  if (node['object'] === 'text' && !blocksOnly) return judgeText(node, path, report);
  if (node['object'] === 'inline' && !blocksOnly) return judgeInline(node, path, report);
  if (node['object'] !== 'block') {
    return report(`${path}/object`, blocksOnly ? 'must be block' : 'must be one of block, text, inline');
  }
  if (typeof node['type'] !== 'string' || node['type'] === '') report(`${path}/type`, 'must be a string');
  if (node['data'] !== undefined && !isObject(node['data'])) report(`${path}/data`, 'must be an object');
  if (node['nodes'] === undefined && (node['isVoid'] === true || node['type'] === 'divider')) return;
  judgeNodes(node['nodes'], `${path}/nodes`, depth + 1, report, false);
}

function judgeText(node: Record<string, unknown>, path: string, report: Report): void {
  if (!Array.isArray(node['leaves'])) return report(`${path}/leaves`, 'must be an array');
  for (const [index, each] of node['leaves'].entries()) {
    const at = `${path}/leaves/${index}`;
    if (!isObject(each) || each['object'] !== 'leaf') report(`${at}/object`, 'must be leaf');
    else if (typeof each['text'] !== 'string') report(`${at}/text`, 'must be a string');
    else if (each['marks'] !== undefined) judgeMarks(each['marks'], `${at}/marks`, report);
  }
}

function judgeMarks(marks: unknown, path: string, report: Report): void {
  if (!Array.isArray(marks)) return report(path, 'must be an array');
  for (const [index, mark] of marks.entries()) {
    if (!isObject(mark) || typeof mark['type'] !== 'string') report(`${path}/${index}/type`, 'must be a string');
  }
}

const referenceMember: Record<string, string> = {
  url: 'url',
  file: 'file',
  page: 'page',
  anchor: 'anchor',
  user: 'user',
  collection: 'collection',
  space: 'space',
  'reusable-content': 'reusableContent',
  openapi: 'spec',
};

function judgeInline(node: Record<string, unknown>, path: string, report: Report): void {
  if (node['type'] !== 'link') return report(`${path}/type`, 'must be link');
  const ref = isObject(node['data']) ? node['data']['ref'] : undefined;
  const member = isObject(ref) && typeof ref['kind'] === 'string' ? referenceMember[ref['kind']] : undefined;
  if (!isObject(ref)) report(`${path}/data/ref`, 'is required');
  else if (!member) report(`${path}/data/ref/kind`, `must be one of ${Object.keys(referenceMember).join(', ')}`);
  else if (typeof ref[member] !== 'string') report(`${path}/data/ref/${member}`, 'must be a string');
  if (!Array.isArray(node['nodes'])) return report(`${path}/nodes`, 'must be an array');
  for (const [index, inner] of node['nodes'].entries()) {
    const at = `${path}/nodes/${index}`;
    if (!isObject(inner) || inner['object'] !== 'text') report(`${at}/object`, 'must be text');
    else judgeText(inner, at, report);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
