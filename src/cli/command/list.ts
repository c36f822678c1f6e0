import { HttpError } from '../../client/errors/http-error.ts';
import type { Page } from '../../client/pages.ts';
import { type Endpoint, maxLimit } from '../../contract/endpoint.ts';
import { fieldsOf } from '../../contract/fields.ts';
import { objectNamedBy } from '../../contract/objects.ts';
import { paramNames } from '../../contract/path.ts';
import { valueAt } from '../../shared/value-at.ts';
import {
  type Column,
  type ListOutput,
  type OutputOptions,
  type Progress,
  type Sink,
  type Titles,
  createListOutput,
  createRawListOutput,
  passesThrough,
} from '../output/index.ts';
import { UsageError, checkFailed } from '../program/failure.ts';
import type { Io } from '../program/io.ts';
import { embeddedFile } from '../settings/database-folder.ts';
import { answerPaths } from './answer-paths.ts';
import type { Call, CommandOutput, Invocation } from './command.ts';
import { leavesOut, noteLeftOut } from './filter/list-order.ts';
import type { ListPlan, SelectedPage } from './filter/plan.ts';
import type { Selection } from './filter/types.ts';
import { onlyOrganization, outputOptions, print, scopeSetting } from './invocation.ts';

/** Prints the answer of the service: an array as a list, anything else as one object. */
export async function printAnswer(
  invocation: Invocation,
  call: Pick<Call, 'endpoint' | 'params'>,
  answer: unknown,
): Promise<void> {
  const { member } = invocation.command.output ?? {};
  const selected: unknown = member === undefined ? answer : valueAt(answer, member);
  const options = optionsFor(invocation, call);
  if (!Array.isArray(selected)) return print(invocation, selected, undefined, options);
  await printItems(invocation, selected, invocation.command.output, options);
}

/** Prints a list that a command made itself. @param shape if it is not always that of the command */
export async function printList(
  invocation: Invocation,
  items: unknown[],
  shape = invocation.command.output,
  extra: Partial<OutputOptions> = {},
): Promise<void> {
  await printItems(invocation, items, shape, outputOptions(invocation, { idKey: shape?.idKey, ...extra }));
}

async function printItems(
  { io, selection }: Invocation,
  items: unknown[],
  shape: CommandOutput | undefined,
  options: OutputOptions,
): Promise<void> {
  const output = await listOutput(selection ? withoutTree(shape) : shape, options, io.out);
  const selected = selection ? await selectedFrom(items, selection, shape) : items;
  await output.page(selected);
  await output.end();
  if (selection && selected.length === 0) await tellNothing(io, options);
}

async function selectedFrom(items: unknown[], selection: Selection, shape: CommandOutput | undefined) {
  const { select } = await import('./filter/selection.ts');
  return select(selection, items, shape?.tree);
}

/** Items that are selected one by one are no longer nested. */
function withoutTree(shape: CommandOutput = {}): CommandOutput {
  const { tree, ...rest } = shape;
  return tree && 'parent' in tree ? shape : rest;
}

/** The formats for programs show an empty list as such. */
async function tellNothing(io: Io, options: OutputOptions): Promise<void> {
  if (isTable(options) && options.jq === undefined) await io.note('Nothing found.');
}

/** The output options of this run, with what the contract knows of the answer. */
export function optionsFor(invocation: Invocation, { endpoint, params }: Pick<Call, 'endpoint' | 'params'>) {
  const { globals, command } = invocation;
  const { idKey, member } = command.output ?? {};
  return outputOptions(invocation, {
    idKey,
    contractPaths: globals.columns && answerPaths(endpoint, member),
    titles: createTitles(invocation, params),
  });
}

/** How a list is read that one request and its next pages do not give as it is asked for; undefined for other lists. */
export async function planOf(invocation: Invocation, call: Call): Promise<ListPlan | undefined> {
  const { query: parameters } = fieldsOf(call.endpoint);
  const hasSeveral = Object.entries(call.query).some(
    ([name, value]) => Array.isArray(value) && parameters[name]?.kind !== 'array',
  );
  const { hides } = invocation.command.output ?? {};
  if (!invocation.selection && !hasSeveral && !hides) return undefined;
  const { makePlan } = await import('./filter/plan.ts');
  return makePlan(invocation, call);
}

/** Prints a list page by page, up to its end or `--limit`. */
export async function list(invocation: Invocation, call: Call, plan?: ListPlan): Promise<void> {
  const { command, flags, io, selection } = invocation;
  const { endpoint, params, query } = call;
  const { limit, page } = flags;
  const options = optionsFor(invocation, { endpoint, params });
  const pageSize = await pageSizeOf(invocation, options, plan?.readsOn ? undefined : limit);
  const client = await invocation.client();
  const progress = io.progress('Reading');
  const shape = selection ? withoutTree(command.output) : command.output;
  const output = await listPrinter(
    invocation,
    { shape, options, mustParse: plan !== undefined },
    progress.above(io.out),
  );
  const pages = plan
    ? plan.pages(client, { pageSize, limit, page })
    : client.pages(endpoint, { params, query }, { pageSize, raw: output.raw, limit, page });
  const notes: string[] = [];
  const { size, count } = await printPages(withNotes(pages, command.output, notes), output, progress, limit);
  if (size === 0) await tellNothing(io, options);
  for (const note of notes) await io.note(note);
  if (count !== undefined && leavesOut(call)) await noteLeftOut(invocation, plan?.calls ?? [call], count);
  output.checkFailOn(size);
}

/** Adds the note about the first page to `notes`. */
async function* withNotes(
  pages: AsyncIterable<SelectedPage>,
  shape: CommandOutput | undefined,
  notes: string[],
): AsyncIterable<SelectedPage> {
  let isFirst = true;
  for await (const page of pages) {
    const note = isFirst ? shape?.note?.(page.answer) : undefined;
    if (note !== undefined) notes.push(note);
    isFirst = false;
    yield page;
  }
}

/** Prints pages in one format. */
interface PageOutput {
  page(page: Page<unknown>): Promise<void>;
  end(): Promise<void>;
  abort(): Promise<void>;
}

/**
 * Prints pages as they arrive, and ends the progress.
 *
 * @param limit items in total
 * @returns the number of printed items, and that of the whole list, if the service gives it
 */
export async function printPages(
  pages: AsyncIterable<SelectedPage>,
  output: PageOutput,
  progress: Progress,
  limit = Infinity,
): Promise<{ size: number; count: number | undefined }> {
  let size = 0;
  let count: number | undefined;
  try {
    for await (const page of pages) {
      size += page.size;
      count ??= page.count;
      const { itemsRead } = page;
      // The first page decides the widths of a table: it must have items.
      if (page.size > 0 || itemsRead === undefined) await output.page(page);
      if (itemsRead !== undefined) progress.count(itemsRead, page.count);
      else progress.count(size, page.count === undefined ? undefined : Math.min(page.count, limit));
    }
    await output.end();
    return { size, count };
  } catch (error) {
    await output.abort();
    throw error;
  } finally {
    progress.stop();
  }
}

const isTable = ({ format, terminal }: OutputOptions) => format === 'table' || (format === undefined && terminal);

/**
 * Larger pages mean fewer requests. In a terminal smaller pages show the first items sooner. In this process a request
 * costs almost nothing, and smaller pages take less memory.
 *
 * @throws UsageError for a `--page-size` out of range
 */
async function pageSizeOf(
  { flags, session }: Invocation,
  { terminal }: OutputOptions,
  limit: number | undefined,
): Promise<number> {
  const { pageSize } = flags;
  if (pageSize !== undefined && (pageSize < 1 || pageSize > 1000))
    throw new UsageError('--page-size must be from 1 to 1000.');
  if (pageSize !== undefined) return pageSize;
  if (terminal && limit === undefined) return 200;
  const isEmbedded = embeddedFile((await session.address()).value, session.env) !== undefined;
  return Math.max(1, Math.min(limit ?? 1000, isEmbedded ? 500 : 1000));
}

interface ListFormat {
  shape: CommandOutput | undefined;
  options: OutputOptions;
  /** The items are needed as objects. */
  mustParse: boolean;
}

interface ListPrinter extends PageOutput {
  /** Whether the pages are needed as bytes. */
  raw: boolean;
  /** @throws CommandError if an item has one of the words of `--fail-on` */
  checkFailOn(count: number): void;
}

/** Passes the items through as bytes if nothing reads them, and parses them elsewhere. */
async function listPrinter(
  { values }: Invocation,
  { shape = {}, options, mustParse }: ListFormat,
  sink: Sink,
): Promise<ListPrinter> {
  const { failOn, select } = shape;
  const failWords = new Set<unknown>(failOn && Array.isArray(values.failOn) ? values.failOn : []);
  if (passesThrough(options) && !mustParse && !select && failWords.size === 0) {
    const output = createRawListOutput(options, sink);
    return { ...output, raw: true, page: async ({ raw }) => raw && output.page(raw), checkFailOn() {} };
  }
  const output = await listOutput(shape, options, sink);
  let matches = 0;
  return {
    ...output,
    raw: false,
    async page({ items }) {
      if (failOn && failWords.size > 0)
        matches += items.filter((item) => failWords.has(valueAt(item, failOn.key))).length;
      await output.page(select ? items.map((item): unknown => select(item)) : items);
    },
    checkFailOn(count) {
      if (matches === 0) return;
      const words = [...failWords].join(' or ');
      throw checkFailed(
        `${matches} of ${count} ${count === 1 ? 'link' : 'links'} ${matches === 1 ? 'is' : 'are'} ${words}.`,
      );
    },
  };
}

const idColumn: Column = { key: 'id', kind: 'id' };

const rowFormats: ReadonlySet<unknown> = new Set(['tsv', 'csv', 'id']);
const isRows = ({ format, terminal, jq }: OutputOptions) =>
  jq === undefined && (rowFormats.has(format) || (format === undefined && !terminal));

async function listOutput(
  { columns = [idColumn], tree, rows }: CommandOutput = {},
  options: OutputOptions,
  sink: Sink,
): Promise<ListOutput> {
  if (rows && isRows(options)) {
    const output = createListOutput(options, rows.columns, sink);
    return { ...output, page: (items) => output.page(items.flatMap((item) => rows.of(item))) };
  }
  if (!tree) return createListOutput(options, columns, sink);
  const { createFlatTreeOutput, createTreeOutput } = await import('../output/index.ts');
  if ('children' in tree) return createTreeOutput(options, columns, sink, (item) => tree.children(item));
  // Only a tree in a table needs all items at once; the other formats print them as they arrive.
  if (!isTable(options) || options.jq !== undefined) return createListOutput(options, columns, sink);
  return createFlatTreeOutput(options, columns, sink, (item) => tree.parent(item));
}

/** How many objects of a kind are looked at. The ids of others are shown as they are. */
const maxObjects = 10_000;

/**
 * Titles of the objects that an answer names by id, from the list of the objects: read once for each kind of object, and
 * only up to the last one that is needed.
 */
function createTitles(invocation: Invocation, params: Record<string, string>): Titles {
  const titles = new Map<string, Map<string, string>>();
  /** Lists of which no more is read. */
  const done = new Set<string>();
  return {
    async load(param, ids, item) {
      const loaded = titles.get(param) ?? new Map<string, string>();
      titles.set(param, loaded);
      const missing = new Set(ids.filter((id) => !loaded.has(id)));
      const known: Record<string, string> = { ...organizationOf(item), ...params };
      const list = `${param} ${known['orgId'] ?? ''}`;
      if (missing.size === 0 || done.has(list)) return;
      // An id that the list does not have is not looked for again.
      for (const id of missing) loaded.set(id, id);
      await loadTitles(invocation, param, known, missing, loaded);
      // Not all were found: another list would show the same objects.
      if (missing.size > 0) done.add(list);
    },
    titleOf: (param, id) => titles.get(param)?.get(id),
  };
}

async function loadTitles(
  invocation: Invocation,
  param: string,
  knownParams: Record<string, string>,
  missing: Set<string>,
  loaded: Map<string, string>,
): Promise<void> {
  const [{ listOf }, { choiceOf }] = await Promise.all([
    import('../../contract/object-lists.ts'),
    import('../../contract/object-titles.ts'),
  ]);
  const list = await listOf(param);
  if (!list || list.itemsOf) return;
  const params = await paramsOfList(invocation, list.endpoint, knownParams);
  if (!params) return;
  const client = await invocation.client();
  try {
    for await (const { items } of client.pages(list.endpoint, { params }, { pageSize: maxLimit, limit: maxObjects })) {
      for (const { value, title } of items.map((item) => choiceOf(item, param))) {
        loaded.set(value, title);
        missing.delete(value);
      }
      if (missing.size === 0) return;
    }
  } catch (error) {
    // The result is printed all the same, for example if the caller may not see the list.
    if (!(error instanceof HttpError)) throw error;
  }
}

const organizationOf = (item: unknown): Record<string, string> => {
  const id = valueAt(item, 'organization');
  return typeof id === 'string' ? { orgId: id } : {};
};

/** The parameters of a list; undefined if one is not known. Nothing is asked. */
async function paramsOfList(
  invocation: Invocation,
  { path }: Endpoint,
  knownParams: Record<string, string>,
): Promise<Record<string, string> | undefined> {
  const params: Record<string, string> = {};
  for (const name of paramNames(path)) {
    const scope = objectNamedBy(name)?.scope;
    const value =
      knownParams[name] ??
      (scope && (await scopeSetting(invocation, scope, { ask: false })).setting?.value) ??
      (scope === 'org' ? await onlyOrganization(await invocation.client()) : undefined);
    if (value === undefined) return undefined;
    params[name] = value;
  }
  return params;
}
