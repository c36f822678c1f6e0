import type { Endpoint } from '../../contract/endpoint.ts';
import { type Field, fieldsOf } from '../../contract/fields.ts';
import type { Referenced } from '../../contract/schema.ts';
import { hasMembers } from '../../shared/is-object.ts';

/** A text in a query or a body that names an object. */
export interface Reference extends Referenced {
  in: 'query' | 'body';
  /** Names of members, and indexes, down to it. */
  path: string[];
  text: string;
}

export interface RequestInput {
  query?: unknown;
  body?: unknown;
}

/** The texts in query and body that name objects. Only fields that have a value are read. */
export function referencesIn(endpoint: Endpoint, { query, body }: RequestInput): Reference[] {
  if (!hasReferenceValues(query) && body === undefined) return [];
  const fields = fieldsOf(endpoint);
  const members: Field = { kind: 'object', optional: false, nullable: false, members: fields.query };
  return [
    ...collect(query, members, []).map((each) => ({ ...each, in: 'query' as const })),
    ...(fields.body ? collect(body, fields.body, []).map((each) => ({ ...each, in: 'body' as const })) : []),
  ];
}

/** Parameters of paging name nothing; lists without others are the most frequent requests. */
const hasReferenceValues = (query: unknown) =>
  hasMembers(query) &&
  Object.keys(query).some((name) => !['page', 'limit'].includes(name) && query[name] !== undefined);

type Unplaced = Omit<Reference, 'in'>;

function collect(value: unknown, field: Field, path: string[]): Unplaced[] {
  const { object, item, members = {}, branches = [], kind } = field;
  if (kind === 'record' && object && hasMembers(value))
    return Object.keys(value).map((text) => ({ ...object, path: [...path, text], text }));
  if (object && typeof value === 'string') return [{ ...object, path, text: value }];
  if (Array.isArray(value)) {
    const of = item ?? branches.find((branch) => branch.item)?.item;
    return of ? value.flatMap((each, index) => collect(each, of, [...path, String(index)])) : [];
  }
  if (branches.length > 0) return uniqueOf(branches.flatMap((branch) => collect(value, branch, path)));
  if (!hasMembers(value)) return [];
  return Object.entries(members).flatMap(([name, member]) => collect(value[name], member, [...path, name]));
}

const uniqueOf = (references: Unplaced[]): Unplaced[] => [
  ...new Map(references.map((reference) => [reference.path.join('\n'), reference])).values(),
];

/** A copy of query and body with other texts at the places of references. */
export function withReferences<Input extends RequestInput>(input: Input, texts: ReadonlyMap<Reference, string>): Input {
  const changes = [...texts].filter(([{ text }, id]) => text !== id);
  if (changes.length === 0) return input;
  const copy = structuredClone({ query: input.query, body: input.body });
  for (const [reference, id] of changes) {
    replaceAt(reference.in === 'query' ? copy.query : copy.body, reference.path, reference.text, id);
  }
  return { ...input, ...copy };
}

function replaceAt(target: unknown, [first = '', ...rest]: string[], text: string, id: string): void {
  if (!hasMembers(target)) return;
  const value = target[first];
  if (rest.length > 0) return replaceAt(value, rest, text, id);
  // The key of a record is the text itself; the order of the others stays.
  if (value === text) target[first] = id;
  else {
    const entries = Object.entries(target).map(([key, each]) => [key === first ? id : key, each] as const);
    for (const key of Object.keys(target)) delete target[key];
    Object.assign(target, Object.fromEntries(entries));
  }
}
