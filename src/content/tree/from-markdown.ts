import type { ListItem, PhrasingContent, Root, RootContent } from 'mdast';
import type { Block, InlineLink, Leaf, Text, Tree } from '../../contract/pages.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { plainText } from '../markdown/markdown.ts';
import { parse } from '../markdown/parse.ts';
import { addressOf, referenceOf } from '../markdown/references.ts';
import { type Mark, markOrder, maxDepth } from './tree.ts';

/**
 * The tree of a Markdown text without its front matter. Elements that a tree cannot contain become paragraphs with
 * their text.
 */
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
      const items = node.children.map((item) => block('list-item', atLeastOne(below(withTaskBox(item), 2))));
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

// The tree has no task lists: the box becomes a character of the text.
function withTaskBox(item: ListItem): RootContent[] {
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
    } else if (last?.object === 'inline' && addressOf(last.data.ref) === url)
      last.nodes.forEach((each) => addLeaf(each, added));
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
      // The tree has no images inside text: an image becomes a link to it.
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
  if (last && marksOf(last) === marksOf(added)) last.text += added.text;
  else to.leaves.push(added);
}

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

function marksOf(each: Leaf): string {
  return each.marks.map((mark) => mark.type).join();
}
