import type { Client } from '../../../client/client.ts';
import type { Page, PageOptions } from '../../../client/pages.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { type Field, fieldOf, fieldsOf } from '../../../contract/fields.ts';
import { eachOf } from '../../../shared/each-of.ts';
import { valueAt } from '../../../shared/value-at.ts';
import { UsageError } from '../../program/failure.ts';
import type { Call, Fields, Invocation, Tree } from '../command.ts';
import { type ItemFields, contractFields } from './field-type.ts';
import { type ListOrder, orderOf } from './list-order.ts';
import { type Ranked, comparing, ranked, sortKeyOf } from './order.ts';
import { alone, childrenOf, flattened, itemFieldsOf } from './selection.ts';
import type { Condition, FieldType, Selection, SortKey } from './types.ts';

/** A list that is filtered, sorted or asked for in parts. */
export interface ListPlan {
  /** The requests for its first pages. */
  calls: Call[];
  /** Whether all items are needed for the first one that is printed, or may be. */
  readsOn: boolean;
  pages(client: Client, options: PageOptions): AsyncIterable<SelectedPage>;
}

/** A page of the items that pass. */
export interface SelectedPage extends Page<unknown> {
  /** How many items were read so far, with those that do not pass. */
  itemsRead?: number;
}

type ListCall = Pick<Call, 'endpoint' | 'params' | 'query'>;

/** How a list is read that one request and its next pages do not give as it is asked for. @throws UsageError */
export function makePlan({ command, selection, flags }: Invocation, call: ListCall): ListPlan {
  const { endpoint, params } = call;
  const { conditions: asked, keys: allKeys } = selection ?? { conditions: [], keys: [] };
  const filtered = withConditions(endpoint, call.query, asked);
  const sorted = sortedByService(endpoint, filtered, allKeys);
  const keys = sorted ? [] : allKeys;
  const { queries, conditions, order } = inParts(endpoint, sorted ?? filtered, asked);
  refusePage(flags.page, queries.length, keys.length);
  const compare = order && comparingAs(order, itemFieldsOf(command, endpoint));
  const { tree, hides } = command.output ?? {};
  const isLocal = conditions.length > 0 || keys.length > 0 || hides !== undefined;
  return {
    calls: queries.map((query) => ({ endpoint, params, query, body: undefined })),
    readsOn: isLocal,
    pages(client, { limit, ...options }) {
      const lists = queries.map((query) =>
        client.pages(endpoint, { params, query }, { ...options, ...(isLocal ? {} : { limit }) }),
      );
      const [first] = lists;
      const all = first && lists.length === 1 ? first : mergedPages(lists, compare);
      const pages = hides ? withoutHidden(all, (item) => hides(item, client)) : all;
      return selectedPages(pages, { conditions, keys }, selection ? tree : undefined, limit);
    },
  };
}

async function* withoutHidden(
  pages: AsyncIterable<Page<unknown>>,
  isHidden: (item: unknown) => boolean | Promise<boolean>,
): AsyncGenerator<Page<unknown>, void, undefined> {
  for await (const page of pages) {
    const items: unknown[] = [];
    for (const item of page.items) if (!(await isHidden(item))) items.push(item);
    yield { ...page, items };
  }
}

/** The order of the service: of equal items, the id decides in the same direction. */
function comparingAs({ field, descending }: ListOrder, fields: ItemFields): (a: unknown, b: unknown) => number {
  const keys = [sortKeyOf(descending ? `${field}:desc` : field, fields)];
  const compare = comparing(keys);
  return (a, b) => compare(ranked(keys, a), ranked(keys, b)) || (descending ? -1 : 1) * compareIds(idOf(a), idOf(b));
}

const idOf = (item: unknown) => String(valueAt(item, 'id') ?? '');
const compareIds = (a: string, b: string) => Number(a > b) - Number(a < b);

/** A token belongs to the pages of one request. @throws UsageError */
function refusePage(page: string | undefined, requests: number, keys: number): void {
  if (page === undefined || (requests === 1 && keys === 0)) return;
  const other = keys > 0 ? '--sort-by' : 'a filter with several values';
  throw new UsageError(`--page and ${other} cannot be combined.`, 'Leave --page out: the whole list is needed.');
}

interface Parts {
  queries: Fields[];
  conditions: Condition[];
  order: ListOrder | undefined;
}

/**
 * A request for each combination of values if a parameter takes one value and has several. Where the parts could not be
 * put in the order of the list again, the whole list is asked for and filtered here, if its items have the field.
 */
function inParts(endpoint: Endpoint, query: Fields, conditions: readonly Condition[]): Parts {
  const { query: parameters } = fieldsOf(endpoint);
  const several = Object.entries(query).flatMap(([name, values]) =>
    Array.isArray(values) && parameters[name]?.kind !== 'array'
      ? [{ name, values: [...new Set<unknown>(values)] }]
      : [],
  );
  const order = orderOf(endpoint.name, query);
  const same = order || several.length === 0 ? undefined : sameFields(endpoint);
  const local = several.filter(({ name }) => same?.get(name) && parameters[name]?.default === undefined);
  const asked = several.filter((one) => !local.includes(one));
  const base = Object.fromEntries(Object.entries(query).filter(([name]) => !several.some((one) => one.name === name)));
  return {
    queries: asked.reduce<Fields[]>(
      (queries, { name, values }) => queries.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
      [base],
    ),
    conditions: [...conditions, ...local.map(({ name, values }) => anyOf(name, values))],
    order,
  };
}

function anyOf(field: string, values: readonly unknown[]): Condition {
  return {
    field,
    operator: '=',
    operand: undefined,
    matches: (item) =>
      values.includes(typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined),
  };
}

/** How many items more than `--limit` are kept while sorting, before they are sorted and cut. */
const spare = 5000;
const outputSize = 500;

/** The items that pass, in order, up to the limit. Only a sort keeps items in memory. */
async function* selectedPages(
  pages: AsyncIterable<Page<unknown>>,
  { conditions, keys }: { conditions: readonly Pick<Condition, 'matches'>[]; keys: Selection['keys'] },
  tree: Tree | undefined,
  limit = Infinity,
): AsyncGenerator<SelectedPage, void, undefined> {
  const children = childrenOf(tree);
  const compare = keys.length > 0 ? comparing(keys) : undefined;
  let itemsRead = 0;
  let printed = 0;
  let matching: Ranked[] = [];
  // The note of a list is about its first page.
  let answer: unknown;
  const pageOf = (items: unknown[], count?: number): SelectedPage => {
    printed += items.length;
    const printable = children ? items.map((item) => alone(item, children)) : items;
    return { items: printable, size: printable.length, count, answer, itemsRead };
  };
  if (limit === 0) return;
  for await (const page of pages) {
    answer ??= page.answer;
    itemsRead += page.size;
    const items = children ? flattened(page.items, children) : page.items;
    const passing = items.filter((item) => conditions.every(({ matches }) => matches(item)));
    if (compare) {
      for (const item of passing) matching.push(ranked(keys, item));
      if (matching.length > limit + spare) matching = matching.sort(compare).slice(0, limit);
      yield pageOf([], page.count);
    } else {
      yield pageOf(passing.slice(0, limit - printed), page.count);
      if (printed >= limit) return;
    }
  }
  if (!compare) return;
  matching = matching.sort(compare).slice(0, limit);
  for (let start = 0; start < matching.length; start += outputSize)
    yield pageOf(matching.slice(start, start + outputSize).map(({ item }) => item));
}

/** The words of a query parameter that are not words of the field: every state, and null. */
const otherWords = new Set(['all', 'guest']);

/** The query parameters that ask for the value of the field of the same name. */
function sameFields(endpoint: Endpoint): Map<string, { parameter: Field; type: FieldType }> {
  const item = endpoint.items && contractFields(fieldOf(endpoint.items()), []);
  return new Map(
    Object.entries(fieldsOf(endpoint).query).flatMap(([name, parameter]) => {
      const type = item?.typeOf(name);
      return type && asksFor(parameter, type) ? [[name, { parameter, type }]] : [];
    }),
  );
}

/** Whether a parameter has just the values of a field. A boolean that may be missing could count as false or as neither. */
function asksFor(parameter: Field, { kind, many, nullable, words = [] }: FieldType): boolean {
  if (many) return false;
  if (parameter.kind === 'boolean') return kind === 'boolean' && !nullable;
  const values = ((parameter.kind === 'array' ? parameter.item : parameter)?.values ?? []).filter(
    (word) => !otherWords.has(word),
  );
  return kind === 'word' && values.length === words.length && values.every((word) => words.includes(word));
}

/** The query with the conditions that the service can check, and without the defaults that would hide what they ask for. */
function withConditions(endpoint: Endpoint, query: Fields, conditions: readonly Condition[]): Fields {
  const result = { ...query };
  const same = conditions.length > 0 ? sameFields(endpoint) : new Map<string, never>();
  for (const [name, { parameter }] of same) {
    const ofField = conditions.filter(({ field }) => field === name);
    if (ofField.length === 0 || query[name] !== undefined) continue;
    const equal = ofField.find(({ operator }) => operator === '=');
    const value = equal && serviceValue(parameter, equal.operand);
    if (value !== undefined) result[name] = value;
    else if (parameter.default !== undefined && parameter.default !== 'all') result[name] = parameter.values;
  }
  return result;
}

function serviceValue(parameter: Field, operand: unknown): unknown {
  if (parameter.kind === 'boolean') return operand;
  if (parameter.kind === 'array') return operand === null ? undefined : [operand];
  const word = operand ?? 'guest';
  return parameter.values?.some((value) => value === word) ? word : undefined;
}

/** The query that has the service sort by a field, if it can without leaving items out; undefined if not. */
function sortedByService(endpoint: Endpoint, query: Fields, keys: readonly SortKey[]): Fields | undefined {
  const [key, ...more] = keys;
  // Texts are sorted here: a service may have another order for letters with accents.
  if (!key || more.length > 0 || !['date', 'number'].includes(key.type.kind)) return undefined;
  const { order, sort } = fieldsOf(endpoint).query;
  // The service leaves out who was never seen, or it could not sort by that.
  const sorts = sort ? (sort.values ?? []).filter((field) => field === key.field && !key.type.nullable) : [undefined];
  const directions = order ? ['asc', 'desc'] : [undefined];
  return sorts
    .flatMap((field) => directions.map((direction) => ({ ...query, sort: field, order: direction })))
    .map((candidate) => Object.fromEntries(Object.entries(candidate).filter(([, value]) => value !== undefined)))
    .find((candidate) => {
      const given = orderOf(endpoint.name, candidate);
      return given?.field === key.field && given.descending === key.descending;
    });
}

/** A list that is read page by page, as far as it is read. */
interface Reader {
  pages: AsyncIterator<Page<unknown>>;
  items: readonly unknown[];
  next: number;
  count: number | undefined;
  isDone: boolean;
}

const concurrency = 6;
/** In lists with one order, an item comes at about the same time in each. */
const remembered = 10_000;

type Remember = (id: unknown) => boolean;

/** Returns whether an ID is new, as far as the last IDs tell: memory must not grow with the list. */
function recentIds(size: number): Remember {
  const ids = new Set<unknown>();
  return (id) => {
    if (ids.has(id)) return false;
    ids.add(id);
    if (ids.size > size) ids.delete(ids.values().next().value);
    return true;
  };
}

/**
 * Several lists as one, page by page: by `compare`, in whose order each of them is, or one after the other without it. An
 * item that is in several of them is there once.
 */
async function* mergedPages(
  lists: readonly AsyncIterable<Page<unknown>>[],
  compare?: (a: unknown, b: unknown) => number,
): AsyncGenerator<Page<unknown>, void, undefined> {
  const readers = lists.map((list): Reader => ({
    pages: list[Symbol.asyncIterator](),
    items: [],
    next: 0,
    count: undefined,
    isDone: false,
  }));
  // Without an order, the same item may come at any time.
  const isNew = recentIds(compare ? remembered : Infinity);
  try {
    await eachOf(readers, fill, concurrency);
    const counts = readers.map(({ count }) => count);
    const count = counts.every((each) => each !== undefined) ? counts.reduce((sum, each) => sum + each, 0) : undefined;
    for (let isFirst = true; ; isFirst = false) {
      const items = takeUntilEmpty(readers, isNew, compare);
      // An empty list has one page too, with its count.
      if (items.length > 0 || isFirst) yield { items, size: items.length, count, answer: undefined };
      if (readers.every(({ isDone }) => isDone)) return;
      await eachOf(
        readers.filter((reader) => reader.next >= reader.items.length),
        fill,
        concurrency,
      );
    }
  } finally {
    await Promise.all(readers.map(({ pages }) => pages.return?.()));
  }
}

/** Reads the next page that has items. */
async function fill(reader: Reader): Promise<void> {
  while (!reader.isDone && reader.next >= reader.items.length) {
    const result = await reader.pages.next();
    if (result.done) reader.isDone = true;
    else {
      reader.items = result.value.items;
      reader.next = 0;
      reader.count ??= result.value.count;
    }
  }
  if (reader.isDone) reader.count ??= 0;
}

/** The next items in order, up to the end of one of the pages: what follows it is not known yet. */
function takeUntilEmpty(
  readers: readonly Reader[],
  isNew: Remember,
  compare: ((a: unknown, b: unknown) => number) | undefined,
): unknown[] {
  const taken: unknown[] = [];
  const open = readers.filter(({ isDone }) => !isDone);
  while (open.length > 0 && open.every(({ items, next }) => next < items.length)) {
    const reader = compare
      ? open.reduce((best, each) => (compare(headOf(each), headOf(best)) < 0 ? each : best))
      : open[0];
    if (!reader) break;
    const item = headOf(reader);
    reader.next++;
    const id = valueAt(item, 'id');
    if (id === undefined || isNew(id)) taken.push(item);
  }
  return taken;
}

const headOf = ({ items, next }: Reader): unknown => items[next];
