import type { Block, InlineLink, Leaf, Text, Tree } from '../../contract/pages.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Reference } from '../markdown/references.ts';
import { markOrder, maxDepth } from './tree.ts';

export interface TreeIssue {
  /** A JSON Pointer from the root of the tree. */
  path: string;
  message: string;
}

const maxIssues = 20;

type Report = (path: string, message: string) => undefined;

/** Validates a submitted tree. Returns it with defaults for optional members, or up to 20 issues. */
export function readTree(value: unknown): { tree: Tree; issues?: undefined } | { issues: TreeIssue[] } {
  const issues: TreeIssue[] = [];
  const tree = readDocument(value, (path, message) => {
    if (issues.length < maxIssues) issues.push({ path, message });
    return undefined;
  });
  return tree && issues.length === 0 ? { tree } : { issues };
}

function readDocument(value: unknown, report: Report): Tree | undefined {
  if (!isObject(value)) return report('', 'must be an object');
  const { object, data = {}, nodes } = value;
  if (object !== 'document') report('/object', 'must be document');
  const schemaVersion = isObject(data) ? data['schemaVersion'] : undefined;
  if (!isObject(data)) report('/data', 'must be an object');
  else if (schemaVersion !== undefined && !Number.isInteger(schemaVersion)) {
    report('/data/schemaVersion', 'must be a whole number');
  }
  return {
    object: 'document',
    data: typeof schemaVersion === 'number' ? { schemaVersion } : {},
    nodes: readList(nodes, '/nodes', report, (node, path) => {
      if (!isObject(node)) return report(path, 'must be an object');
      if (node['object'] !== 'block') return report(`${path}/object`, 'must be block');
      return readBlock(node, path, 1, report);
    }),
  };
}

function readList<Item>(
  value: unknown,
  path: string,
  report: Report,
  read: (item: unknown, path: string, report: Report) => Item | undefined,
): Item[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => read(item, `${path}/${index}`, report) ?? []);
  report(path, 'must be an array');
  return [];
}

type Members = Record<string, unknown>;

function readBlock(block: Members, path: string, depth: number, report: Report): Block | undefined {
  const { type, data = {}, nodes, isVoid } = block;
  if (typeof type !== 'string' || type === '') report(`${path}/type`, 'must be a string');
  if (!isObject(data)) report(`${path}/data`, 'must be an object');
  const mayBeEmpty = isVoid === true || type === 'divider';
  const children = nodes === undefined && mayBeEmpty ? [] : readNodes(nodes, `${path}/nodes`, depth + 1, report);
  if (typeof type !== 'string' || !isObject(data)) return undefined;
  return { object: 'block', type, ...(isVoid === true && { isVoid }), data, nodes: children };
}

function readNodes(nodes: unknown, path: string, depth: number, report: Report): (Block | Text | InlineLink)[] {
  if (Array.isArray(nodes) && depth > maxDepth) {
    report(path, `must not nest blocks more than ${maxDepth} deep`);
    return [];
  }
  return readList(nodes, path, report, (node, nodePath) => {
    if (!isObject(node)) return report(nodePath, 'must be an object');
    if (node['object'] === 'text') return readText(node, nodePath, report);
    if (node['object'] === 'inline') return readLink(node, nodePath, report);
    if (node['object'] === 'block') return readBlock(node, nodePath, depth, report);
    return report(`${nodePath}/object`, 'must be one of block, text, inline');
  });
}

function readText({ leaves }: Members, path: string, report: Report): Text {
  return { object: 'text', leaves: readList(leaves, `${path}/leaves`, report, readLeaf) };
}

function readLeaf(leaf: unknown, path: string, report: Report): Leaf | undefined {
  if (!isObject(leaf) || leaf['object'] !== 'leaf') return report(`${path}/object`, 'must be leaf');
  const { text, marks = [] } = leaf;
  if (typeof text !== 'string') return report(`${path}/text`, 'must be a string');
  return {
    object: 'leaf',
    text,
    marks: readList(marks, `${path}/marks`, report, (mark, markPath) => {
      const name = isObject(mark) ? mark['type'] : undefined;
      if (typeof name !== 'string') return report(`${markPath}/type`, 'must be a string');
      // Marks that do not exist in Markdown are ignored.
      const type = markOrder.find((each) => each === name);
      return type && { object: 'mark' as const, type };
    }),
  };
}

function readLink({ type, data, nodes }: Members, path: string, report: Report): InlineLink | undefined {
  if (type !== 'link') return report(`${path}/type`, 'must be link');
  const ref = readReference(isObject(data) ? data['ref'] : undefined, `${path}/data/ref`, report);
  const texts = readList(nodes, `${path}/nodes`, report, (node, nodePath) => {
    if (!isObject(node) || node['object'] !== 'text') return report(`${nodePath}/object`, 'must be text');
    return readText(node, nodePath, report);
  });
  return ref && { object: 'inline', type: 'link', data: { ref }, nodes: texts };
}

interface Place {
  space: string | undefined;
  page: string | undefined;
}

/** By kind, the required member of a reference and a function that creates the reference from its value. */
const references = new Map<string, [member: string, create: (value: string, place: Place) => Reference]>([
  ['url', ['url', (url) => ({ kind: 'url', url })]],
  ['file', ['file', (file) => ({ kind: 'file', file })]],
  ['page', ['page', (page, { space }) => ({ kind: 'page', page, space })]],
  ['anchor', ['anchor', (anchor, { space, page }) => ({ kind: 'anchor', anchor, space, page })]],
  ['user', ['user', (user) => ({ kind: 'user', user })]],
  ['collection', ['collection', (collection) => ({ kind: 'collection', collection })]],
  ['space', ['space', (space) => ({ kind: 'space', space })]],
  [
    'reusable-content',
    ['reusableContent', (reusableContent, { space }) => ({ kind: 'reusable-content', reusableContent, space })],
  ],
  ['openapi', ['spec', (spec) => ({ kind: 'openapi', spec })]],
]);

function readReference(ref: unknown, path: string, report: Report): Reference | undefined {
  if (!isObject(ref)) return report(path, 'is required');
  const [member, create] = references.get(String(ref['kind'])) ?? [];
  if (!member || !create) return report(`${path}/kind`, `must be one of ${[...references.keys()].join(', ')}`);
  const value = ref[member];
  if (typeof value !== 'string') return report(`${path}/${member}`, 'must be a string');
  return create(value, { space: textOrNone(ref['space']), page: textOrNone(ref['page']) });
}

const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined);
