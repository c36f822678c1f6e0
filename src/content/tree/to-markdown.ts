import type { BlockContent, DefinitionContent, ListItem, Nodes, PhrasingContent, Root } from 'mdast';
import type { Block, InlineLink, Leaf, Text, Tree } from '../../contract/pages.ts';
import { stringify } from '../markdown/parse.ts';
import { addressOf } from '../markdown/references.ts';
import { isBlock, type Mark, markOrder } from './tree.ts';

/** Converts a tree to Markdown. Blocks of unknown types become paragraphs of their text. */
export function fromTree(tree: Tree): string {
  return stringify(rootOf(tree));
}

export function rootOf(tree: Tree): Root {
  return { type: 'root', children: tree.nodes.flatMap(fromBlock) };
}

type FlowContent = BlockContent | DefinitionContent;

const depths = { 'heading-1': 1, 'heading-2': 2, 'heading-3': 3 } as const;

function fromBlock(node: Block): FlowContent[] {
  switch (node.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return [{ type: 'heading', depth: depths[node.type], children: inline(node) }];
    case 'code': {
      const { syntax } = node.data;
      const lang = typeof syntax === 'string' ? syntax : null;
      return [{ type: 'code', lang, value: node.nodes.map(textOf).join('\n') }];
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
    // An item outside of a list becomes a list.
    case 'list-item':
      return list({ ...node, type: 'list-unordered', nodes: [node] });
    default:
      return paragraph(node.nodes.some(isBlock) ? plain(textOf(node)) : inline(node));
  }
}

function list(node: Block): FlowContent[] {
  const items = node.nodes.filter(isBlock).map((item): ListItem => {
    const children = item.type === 'list-item' ? blocksOf(item) : fromBlock(item);
    return { type: 'listItem', spread: false, children };
  });
  return items.length > 0
    ? [{ type: 'list', ordered: node.type === 'list-ordered', spread: false, children: items }]
    : [];
}

/** The blocks in a block. Text directly in it becomes a paragraph. */
function blocksOf(node: Block): FlowContent[] {
  const blocks: FlowContent[][] = [];
  let loose: (Text | InlineLink)[] = [];
  const flush = () => {
    blocks.push(paragraph(inlineOf(loose)));
    loose = [];
  };
  for (const child of node.nodes) {
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
  return inlineOf(node.nodes.filter((child) => !isBlock(child)));
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
      const children = marked(node.nodes.flatMap((inner) => inner.leaves));
      if (children.length > 0) parts.push([{ type: 'link', url: addressOf(node.data.ref), children }]);
    }
  }
  flush();
  const content = parts.flat();
  return content.every((node) => node.type === 'text' && node.value.trim() === '') ? [] : tagWhereMarkerFails(content);
}

// `~~a b.~~c` is not parsed as strikethrough, because the marker is between a period and a letter. Such text gets HTML
// tags instead.
function tagWhereMarkerFails(nodes: PhrasingContent[]): PhrasingContent[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== 'delete') return [node];
    const [before, first] = [edgeOf(nodes[index - 1], 'end'), edgeOf(node.children[0], 'start')];
    const [last, after] = [edgeOf(node.children.at(-1), 'end'), edgeOf(nodes[index + 1], 'start')];
    const fits = (outside: string, inside: string) => isWord(inside) || !isWord(outside);
    if (fits(before, first) && fits(after, last) && before !== '~' && after !== '~') return [node];
    return [{ type: 'html', value: '<del>' }, ...node.children, { type: 'html', value: '</del>' }];
  });
}

/** The character at the edge of a node: `*` for any marker, a space if there is no node. */
function edgeOf(node: PhrasingContent | undefined, edge: 'start' | 'end'): string {
  if (!node) return ' ';
  if (node.type !== 'text') return '*';
  // A character has at most two code units.
  const near = edge === 'start' ? node.value.slice(0, 2) : node.value.slice(-2);
  return Array.from(near).at(edge === 'start' ? 0 : -1) ?? ' ';
}

function isWord(character: string): boolean {
  return !/[\s\p{P}\p{S}]/u.test(character);
}

// Adjacent leaves with the same outermost mark share one node. Otherwise, the asterisks of two nodes would touch.
function marked(leaves: readonly Leaf[], marks: readonly Mark[] = markOrder): PhrasingContent[] {
  const content: PhrasingContent[] = [];
  for (const { mark, run } of runsOf(leaves, marks)) {
    const value = run.map((each) => each.text).join('');
    if (value === '') continue;
    if (mark === undefined || value.trim() === '') content.push({ type: 'text', value });
    else if (mark === 'code') content.push({ type: 'inlineCode', value: value.replaceAll('\n', ' ') });
    else {
      const children = tagWhereMarkerFails(marked(run, marks.slice(marks.indexOf(mark) + 1)));
      content.push(...withoutBlankEdges(value, { type: nodeTypes[mark], children }));
    }
  }
  return content;
}

interface Run {
  /** The outermost mark that all its leaves have. */
  mark: Mark | undefined;
  run: Leaf[];
}

function runsOf(leaves: readonly Leaf[], marks: readonly Mark[]): Run[] {
  const runs: Run[] = [];
  for (const leaf of leaves) {
    const mark = marks.find((each) => leaf.marks.some(({ type }) => type === each));
    const last = runs.at(-1);
    if (last && last.mark === mark) last.run.push(leaf);
    else runs.push({ mark, run: [leaf] });
  }
  return runs;
}

const nodeTypes = { bold: 'strong', italic: 'emphasis', strikethrough: 'delete' } as const;

// Emphasis in Markdown cannot start or end with a space, so such spaces are moved out of it.
function withoutBlankEdges(value: string, node: PhrasingContent): PhrasingContent[] {
  const before = value.slice(0, value.length - value.trimStart().length);
  const after = value.slice(value.trimEnd().length);
  trimEdge(node, 'start');
  trimEdge(node, 'end');
  const nodes: PhrasingContent[] = [{ type: 'text', value: before }, node, { type: 'text', value: after }];
  return nodes.filter((each) => each.type !== 'text' || each.value !== '');
}

function trimEdge(node: Nodes, edge: 'start' | 'end'): void {
  if (node.type === 'text') {
    node.value = edge === 'start' ? node.value.trimStart() : node.value.trimEnd();
    return;
  }
  if (!('children' in node)) return;
  const { children } = node;
  let empty = 0;
  for (const child of edge === 'start' ? children : children.toReversed()) {
    trimEdge(child, edge);
    if (child.type !== 'text' || child.value !== '') break;
    empty += 1;
  }
  children.splice(edge === 'start' ? 0 : children.length - empty, empty);
}

function textOf(node: Block | Text | InlineLink): string {
  if (node.object === 'text') return node.leaves.map((each) => each.text).join('');
  const separator = node.object === 'block' && node.nodes.some(isBlock) ? '\n' : '';
  return node.nodes.map(textOf).join(separator);
}
