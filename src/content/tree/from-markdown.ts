import type { ListItem, PhrasingContent, Root, RootContent } from 'mdast';
import type { Block, InlineLink, Leaf, Text, Tree } from '../../contract/pages.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { plainText } from '../markdown/markdown.ts';
import { parse } from '../markdown/parse.ts';
import { addressOf, referenceOf } from '../markdown/references.ts';
import { type Mark, markOrder, maxDepth } from './tree.ts';

/**
 * Converts Markdown without its front matter to a tree. Elements that do not exist in trees become paragraphs of their
 * text.
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

// Trees have no task lists, so the checkbox becomes a character.
function withTaskBox(item: ListItem): RootContent[] {
  if (typeof item.checked !== 'boolean') return item.children;
  const box: PhrasingContent = { type: 'text', value: item.checked ? '☑ ' : '☐ ' };
  const [first, ...rest] = item.children;
  if (first?.type === 'paragraph') return [{ ...first, children: [box, ...first.children] }, ...rest];
  return [{ type: 'paragraph', children: [box] }, ...item.children];
}

const paragraph = (value: string): Block => block('paragraph', [text([leaf(value, [])])]);

const paragraphs = (value: string): Block[] => (value.trim() === '' ? [] : [paragraph(value.trim())]);

const atLeastOne = (blocks: Block[]): Block[] => (blocks.length > 0 ? blocks : [paragraph('')]);

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
      for (const child of children) walk(child, mark ? [...marks, mark] : marks, to);
    };
    switch (node.type) {
      case 'text':
        return add(leaf(node.value, marks), url);
      case 'inlineCode':
        return add(leaf(node.value, [...marks, 'code']), url);
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
      // Trees have no images inside text, so an image becomes a link to it.
      case 'image':
        return add(leaf(node.alt || node.url || 'image', marks), url ?? node.url);
      case 'imageReference':
        return add(leaf(node.alt || node.identifier, marks), url ?? definitions.get(node.identifier));
      case 'html':
        return /^<br\s*\/?>$/i.test(node.value) ? add(leaf('\n', marks), url) : undefined;
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

const text = (leaves: Leaf[]): Text => ({ object: 'text', leaves });

const block = (type: string, nodes: (Block | Text | InlineLink)[], data: Record<string, unknown> = {}): Block => ({
  object: 'block',
  type,
  data,
  nodes,
});

const marksOf = (each: Leaf): string => each.marks.map((mark) => mark.type).join();
