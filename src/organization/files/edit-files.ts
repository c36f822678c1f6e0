import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isObject } from '../../shared/is-object.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { nameIn as objectIn } from '../parts.ts';
import { withTerms } from '../terms.ts';
import { editCsv } from './csv.ts';
import { writeYaml } from './write-files.ts';

/** Larger files are rewritten, because `yaml` needs too long for them. */
const maxLength = 200_000;

/**
 * The text of a file with the values of an export, which keeps the comments, order and columns that the file has. A file that
 * cannot be edited in place is replaced.
 */
export function editFile(path: string, before: string, after: string): string {
  if (before === after) return after;
  if (path.endsWith('.csv')) return editCsv(path, before, after);
  if (before === '' || !path.endsWith('.yaml')) return after;
  if (before.length > maxLength) return objectIn('teams', path) === undefined ? after : keepTerms(before, after);
  const complete = objectIn('teams', path) === undefined ? keepOrder(path, before, after) : keepTerms(before, after);
  return editYaml(before, complete) ?? complete;
}

/** Lists whose order means nothing. The service has them in the order of creation, which an apply cannot choose. */
const unordered = [
  ['invite-links', 'links'],
  ['translations', 'translations'],
  ['sites', 'shareLinks'],
] as const;

/** The text of an export with such a list in the order of the file. New items are at the end. */
function keepOrder(path: string, before: string, after: string): string {
  const key = unordered.find(([part]) => objectIn(part, path) !== undefined)?.[1];
  if (key === undefined) return after;
  const [old, next] = [yamlObject(before), yamlObject(after)];
  const [items, list] = [old[key], next[key]];
  if (!Array.isArray(items) || !Array.isArray(list)) return after;
  const places = new Map(items.map((item, index) => [JSON.stringify(item), index]));
  const names = new Map(items.map((item, index) => [nameIn(item), index]));
  const placeOf = (item: unknown) => places.get(JSON.stringify(item)) ?? names.get(nameIn(item)) ?? items.length;
  const sorted = list.toSorted((one: unknown, other: unknown) => placeOf(one) - placeOf(other));
  return isDeepStrictEqual(sorted, list) ? after : firstComment(after) + writeYaml({ ...next, [key]: sorted });
}

/** The text of a team with the terms of its file, which the service does not have. */
function keepTerms(before: string, after: string): string {
  if (!before.includes('until')) return after;
  const [old, next] = [yamlObject(before), yamlObject(after)];
  const members = withTerms(old['members'], next['members']);
  return members === next['members'] ? after : firstComment(after) + writeYaml({ ...next, members });
}

const firstComment = (text: string) => /^#.*\n/.exec(text)?.[0] ?? '';

/** The object in a YAML text; empty if there is none. */
export function yamlObject(text: string): Record<string, unknown> {
  try {
    const value = readYaml(text, undefined, { hasEnv: true });
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof UnreadableYaml) return {};
    throw error;
  }
}

function editYaml(before: string, after: string): string | undefined {
  try {
    const value = readYaml(after);
    if (isDeepStrictEqual(readYaml(before), value)) return before;
    // `readYaml` has refused doubled keys, which `yaml` looks for by comparing each key with all others.
    const document = parseDocument(before, { logLevel: 'silent', uniqueKeys: false });
    if (document.errors.length > 0 || !isMap(document.contents) || !isObject(value)) return undefined;
    editMap(document, document.contents, value);
    const text = document.toString({ lineWidth: 0 });
    return isDeepStrictEqual(readYaml(text), value) ? text : undefined;
  } catch (error) {
    // Among others, texts with !env: an export has the values of variables. `yaml` expands only a few aliases.
    if (error instanceof UnreadableYaml || error instanceof ReferenceError) return undefined;
    throw error;
  }
}

function editMap(document: Document, map: YAMLMap, value: Record<string, unknown>): void {
  map.items = map.items.filter(({ key }) => Object.hasOwn(value, keyOf(key)));
  const pairs = new Map((map.items as Pair<unknown, Node>[]).map((pair) => [keyOf(pair.key), pair]));
  for (const [key, member] of Object.entries(value)) {
    const pair = pairs.get(key);
    if (pair) pair.value = editNode(document, pair.value ?? undefined, member);
    else map.items.push(document.createPair(key, member));
  }
}

const keyOf = (key: unknown) => String(isScalar(key) ? key.value : key);

/** The node with the value: itself where it can be kept, or another one. */
function editNode(document: Document, node: Node | undefined, value: unknown): Node {
  if (node && isDeepStrictEqual(node.toJS(document), value)) return node;
  if (isMap(node) && isObject(value)) editMap(document, node, value);
  else if (isSeq(node) && Array.isArray(value)) editSeq(document, node, value);
  else if (isScalar(node) && !isObject(value) && !Array.isArray(value)) node.value = value;
  else return document.createNode(value) as Node;
  return node;
}

/** Items are recognized by their value, or by what names them. */
function editSeq(document: Document, seq: YAMLSeq, values: readonly unknown[]): void {
  const nodes = (seq.items as Node[]).map((node) => ({ node, value: node.toJS(document) as unknown }));
  const free = new Set(nodes);
  const takeFrom = (groups: Map<string | undefined, typeof nodes>, key: string) => {
    const found = groups.get(key)?.find((each) => free.has(each));
    if (found) free.delete(found);
    return found?.node;
  };
  const equal = Map.groupBy(nodes, ({ value }) => JSON.stringify(value));
  const named = Map.groupBy(nodes, ({ value }) => nameIn(value));
  const kept = values.map((value) => takeFrom(equal, JSON.stringify(value)));
  seq.items = values.map((value, index) => {
    const name = nameIn(value);
    return kept[index] ?? editNode(document, name === undefined ? undefined : takeFrom(named, name), value);
  });
}

/** What tells an item of a list from others. */
function nameIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const key = ['name', 'section', 'group', 'space', 'collection', 'title'].find((each) => value[each] !== undefined);
  return key === undefined ? undefined : `${key} ${String(value[key])}`;
}
