import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { isObject } from '../../shared/is-object.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { files } from '../parts.ts';
import { editMembersCsv } from './csv.ts';

/** Larger files are rewritten, because `yaml` needs too long for them. */
const maxLength = 200_000;

/**
 * The text of a file with the values of an export, which keeps the comments, order and columns that the file has. A file that
 * cannot be edited in place is replaced.
 */
export function editFile(path: string, before: string, after: string): string {
  if (before === after || before.length > maxLength) return after;
  if (path === files.members.file) return editMembersCsv(before, after);
  return path.endsWith('.yaml') ? (editYaml(before, after) ?? after) : after;
}

function editYaml(before: string, after: string): string | undefined {
  try {
    const value = readYaml(after);
    if (isDeepStrictEqual(readYaml(before), value)) return before;
    const document = parseDocument(before, { logLevel: 'silent' });
    if (document.errors.length > 0 || !isMap(document.contents) || !isObject(value)) return undefined;
    editMap(document, document.contents, value);
    const text = document.toString({ lineWidth: 0 });
    return isDeepStrictEqual(readYaml(text), value) ? text : undefined;
  } catch (error) {
    // Among others, texts with !env: an export has the values of variables.
    if (error instanceof UnreadableYaml) return undefined;
    throw error;
  }
}

function editMap(document: Document, map: YAMLMap, value: Record<string, unknown>): void {
  for (const key of Object.keys(map.toJS(document) as object)) if (!Object.hasOwn(value, key)) map.delete(key);
  for (const [key, member] of Object.entries(value)) {
    const node = map.get(key, true) as Node | undefined;
    const edited = editNode(document, node, member);
    if (edited !== node) map.set(key, edited);
  }
}

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
  const free = (seq.items as Node[]).map((node) => ({ node, value: node.toJS(document) as unknown }));
  const take = (isMeant: (value: unknown) => boolean) => {
    const index = free.findIndex(({ value }) => isMeant(value));
    return index < 0 ? undefined : free.splice(index, 1)[0]?.node;
  };
  const kept = values.map((value) => take((old) => isDeepStrictEqual(old, value)));
  seq.items = values.map((value, index) => {
    if (kept[index]) return kept[index];
    const name = nameIn(value);
    return editNode(document, name === undefined ? undefined : take((old) => nameIn(old) === name), value);
  });
}

/** What tells an item of a list from others. */
function nameIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const key = ['name', 'section', 'group', 'space', 'collection', 'title'].find((each) => value[each] !== undefined);
  return key === undefined ? undefined : `${key} ${String(value[key])}`;
}
