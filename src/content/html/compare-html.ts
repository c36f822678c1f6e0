import { diffArrays } from 'diff';
import type { Element, ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { addClass, childrenOf, element, isBlank, isElement, text } from './hast.ts';
import { writeHtml } from './write-html.ts';

export interface ComparedHtml {
  /** The new text with `ins` and `del`, and `.compare-ins` and `.compare-del` around whole blocks. */
  html: string;
  /** Changes in a row count as one. The first node of each has the ID `change-1` and so on. */
  changes: number;
}

/** Texts with more changes are shown as replaced, because comparing them takes too long. */
const timeoutMs = 1_000;

/** Shows what changed in the HTML of a page. IDs are removed. */
export function compareHtml(before: string, after: string): ComparedHtml {
  const [old, now] = [before, after].map((html) => childrenOf(fromHtml(html, { fragment: true })).map(withoutId));
  const children = compareBlocks(old ?? [], now ?? []);
  const changes = numberChanges(children);
  return { html: writeHtml({ children }), changes };
}

function withoutId(node: ElementContent): ElementContent {
  if (node.type !== 'element') return node;
  const { id: _, ...properties } = node.properties;
  return { ...node, properties, children: node.children.map(withoutId) };
}

const keyOf = (node: ElementContent): string => writeHtml({ children: [node] });

/** Compares a list of blocks. Those that were replaced by similar ones are compared in turn. */
function compareBlocks(before: ElementContent[], after: ElementContent[]): ElementContent[] {
  const [old, now] = [before, after].map((nodes) =>
    nodes.filter((node) => !isBlank(node)).map((node) => [node, keyOf(node)] as const),
  );
  const parts = diffArrays(old ?? [], now ?? [], {
    comparator: ([, one], [, other]) => one === other,
    timeout: timeoutMs,
  });
  const result: ElementContent[] = [];
  let removed: ElementContent[] = [];
  for (const part of parts ?? [
    { removed: true, added: false, value: old ?? [] },
    { removed: false, added: true, value: now ?? [] },
  ]) {
    const nodes = part.value.map(([node]) => node);
    if (part.removed) removed = nodes;
    else {
      result.push(...(part.added ? replaceBlocks(removed, nodes) : [...marked(removed, 'del'), ...nodes]));
      removed = [];
    }
  }
  return [...result, ...marked(removed, 'del')];
}

/** Pairs each new block with the next removed block that is like it. */
function replaceBlocks(before: ElementContent[], after: ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  let from = 0;
  for (const node of after) {
    const index = before.findIndex((other, place) => place >= from && isLike(other, node));
    const other = before[index];
    if (!other) {
      result.push(...marked([node], 'ins'));
      continue;
    }
    result.push(...marked(before.slice(from, index), 'del'), ...compareNode(other, node));
    from = index + 1;
  }
  return [...result, ...marked(before.slice(from), 'del')];
}

const leastShared = 0.3;

/** Whether two blocks are of one kind and share words. Cells keep their columns. */
function isLike(one: ElementContent, other: ElementContent): boolean {
  if (!isElement(one) || !isElement(other)) return one.type === other.type;
  if (one.tagName !== other.tagName) return false;
  if (isElement(one, 'td', 'th')) return true;
  const [words, others] = [wordsIn(one), wordsIn(other)];
  if (words.size === 0 || others.size === 0) return words.size === others.size;
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / Math.min(words.size, others.size) >= leastShared;
}

function wordsIn(node: ElementContent, words = new Set<string>()): Set<string> {
  if (node.type === 'text') for (const word of node.value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) words.add(word);
  if (isElement(node)) for (const child of node.children) wordsIn(child, words);
  return words;
}

const inline = new Set(
  'a abbr b br button cite code del em i img ins kbd mark math q s samp small span strong sub sup svg time u var'.split(
    ' ',
  ),
);
const isInline = (node: ElementContent): boolean => !isElement(node) || inline.has(node.tagName);

function compareNode(before: ElementContent, after: ElementContent): ElementContent[] {
  if (!isElement(before) || !isElement(after)) return compareInline([before], [after]);
  const isText = before.children.every(isInline) && after.children.every(isInline);
  const compare = isText ? compareInline : compareBlocks;
  return [{ ...after, children: compare(before.children, after.children) }];
}

/** A word, a space or an element without text, in the elements around it. */
interface Token {
  key: string;
  node: ElementContent;
  path: Element[];
}

function tokensIn(nodes: ElementContent[], path: Element[] = []): Token[] {
  const around = path.map(({ tagName, properties }) => tagName + JSON.stringify(properties)).join('>');
  return nodes.flatMap((node): Token[] => {
    if (node.type === 'text') {
      const parts = node.value.match(/\s+|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu) ?? [];
      return parts.map((part) => ({ key: `${around} ${/^\s+$/.test(part) ? ' ' : part}`, node: text(part), path }));
    }
    if (!isElement(node)) return [];
    const isWhole = node.children.length === 0 || node.tagName === 'svg' || node.tagName === 'math';
    if (isWhole) return [{ key: keyOf(node), node, path }];
    return tokensIn(node.children, [...path, node]);
  });
}

function compareInline(before: ElementContent[], after: ElementContent[]): ElementContent[] {
  const [old, now] = [tokensIn(before), tokensIn(after)];
  const parts = diffArrays(old, now, { comparator: (one, other) => one.key === other.key, timeout: timeoutMs }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  return parts.flatMap(({ added, removed, value }) => {
    const mark = added ? 'ins' : removed ? 'del' : undefined;
    return nested(value, 0, mark);
  });
}

/** Puts tokens back into their elements, with the mark innermost. */
function nested(tokens: readonly Token[], depth: number, mark: 'ins' | 'del' | undefined): ElementContent[] {
  const result: ElementContent[] = [];
  for (let from = 0; from < tokens.length;) {
    const around = tokens[from]?.path[depth];
    let to = from + 1;
    while (to < tokens.length && tokens[to]?.path[depth] === around) to += 1;
    const here = tokens.slice(from, to);
    if (around) result.push({ ...around, children: nested(here, depth + 1, mark) });
    else {
      const nodes = here.map(({ node }) => node);
      result.push(...(mark ? [element(mark, {}, nodes)] : nodes));
    }
    from = to;
  }
  return result;
}

/** Marks whole blocks. List items and rows cannot be in another element. */
const marked = (nodes: readonly ElementContent[], mark: 'ins' | 'del'): ElementContent[] =>
  nodes.map((node) => {
    if (!isElement(node) || inline.has(node.tagName)) return element(mark, {}, [node]);
    const copy = { ...node, properties: { ...node.properties } };
    addClass(copy, `compare-${mark}`);
    return copy;
  });

const isChange = (node: ElementContent): boolean =>
  isElement(node) &&
  (/^(?:ins|del)$/.test(node.tagName) || String(node.properties['className'] ?? '').includes('compare-'));

/** Numbers the changes. @returns how many there are */
function numberChanges(top: ElementContent[]): number {
  let count = 0;
  const visit = (nodes: ElementContent[]) => {
    let wasChange = false;
    for (const node of nodes) {
      if (isChange(node) && isElement(node)) {
        if (!wasChange) node.properties = { ...node.properties, id: `change-${(count += 1)}`, tabIndex: -1 };
        wasChange = true;
      } else {
        wasChange = wasChange && isBlank(node);
        if (isElement(node)) visit(node.children);
      }
    }
  };
  visit(top);
  return count;
}
