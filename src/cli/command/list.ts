import type { Page } from '../../client/pages.ts';
import {
  type Column,
  createListOutput,
  createProgress,
  createRawListOutput,
  type ListOutput,
  type OutputOptions,
  passesThrough,
  type Progress,
  type Sink,
} from '../output/index.ts';
import { valueAt } from '../output/value.ts';
import { exit } from '../program/exit-status.ts';
import { CommandError, UsageError } from '../program/failure.ts';
import { embeddedFile } from '../settings/session.ts';
import { answerPaths } from './answer-paths.ts';
import type { Call, CommandOutput, Invocation, ParentTree } from './command.ts';
import { outputOptions, print } from './invocation.ts';
import { createTitles } from './titles.ts';

/** Prints the answer of the service: an array as a list, anything else as one object. */
export async function printAnswer(
  invocation: Invocation,
  call: Pick<Call, 'endpoint' | 'params'>,
  answer: unknown,
): Promise<void> {
  const { select } = invocation.command.output ?? {};
  const selected: unknown = select ? select(answer) : answer;
  const options = optionsFor(invocation, call);
  if (!Array.isArray(selected)) return print(invocation, selected, undefined, options);
  await printItems(invocation, selected, invocation.command.output, options);
}

/** Prints a list that a command made itself. @param shape where it is not always that of the command */
export async function printList(
  invocation: Invocation,
  items: unknown[],
  shape = invocation.command.output,
  extra: Partial<OutputOptions> = {},
): Promise<void> {
  await printItems(invocation, items, shape, outputOptions(invocation, { idKey: shape?.idKey, ...extra }));
}

async function printItems(
  { io }: Invocation,
  items: unknown[],
  shape: CommandOutput | undefined,
  options: OutputOptions,
): Promise<void> {
  const output = await listOutput(shape, options, io.out);
  await output.page(items);
  await output.end();
}

/** The output options of this run, with what the contract knows of the answer. */
export function optionsFor(invocation: Invocation, { endpoint, params }: Pick<Call, 'endpoint' | 'params'>) {
  const { globals, command } = invocation;
  const { idKey, select } = command.output ?? {};
  return outputOptions(invocation, {
    idKey,
    contractPaths: globals.columns && answerPaths(endpoint, select),
    titles: createTitles(invocation, params),
  });
}

/** Prints a list page by page, up to its end or `--limit`. */
export async function list(
  invocation: Invocation,
  { endpoint, params, query }: Pick<Call, 'endpoint' | 'params' | 'query'>,
): Promise<void> {
  const { flags, io } = invocation;
  const { limit, page } = flags;
  const options = optionsFor(invocation, { endpoint, params });
  const pageSize = await pageSizeOf(invocation, options);
  const client = await invocation.client();
  const progress = createProgress('Reading', { animated: io.canAnimate });
  const output = await listPrinter(invocation, options, progress.above(io.out));
  const pages = client.pages(endpoint, { params, query }, { pageSize, raw: output.raw, limit, page });
  const count = await printPages(pages, output, progress, limit);
  // The other formats show an empty list as such.
  if (count === 0 && isTable(options) && options.jq === undefined) await io.note('Nothing found.');
  output.checkFailOn(count);
}

/** Prints pages in one format. */
interface PageOutput {
  page(page: Page<unknown>): Promise<void>;
  end(): Promise<void>;
  abort(): Promise<void>;
}

/** Prints pages as they arrive, and ends the progress. @param limit items in total @returns the number of items */
export async function printPages(
  pages: AsyncIterable<Page<unknown>>,
  output: PageOutput,
  progress: Progress,
  limit = Infinity,
): Promise<number> {
  let count = 0;
  try {
    for await (const page of pages) {
      count += page.size;
      await output.page(page);
      progress.count(count, page.count === undefined ? undefined : Math.min(page.count, limit));
    }
    await output.end();
    return count;
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
async function pageSizeOf({ flags, session }: Invocation, { terminal }: OutputOptions): Promise<number> {
  const { limit, pageSize } = flags;
  if (pageSize !== undefined && (pageSize < 1 || pageSize > 1000))
    throw new UsageError('--page-size must be from 1 to 1000.');
  if (pageSize !== undefined) return pageSize;
  if (terminal && limit === undefined) return 200;
  const isEmbedded = embeddedFile((await session.address()).value, session.env) !== undefined;
  return Math.max(1, Math.min(limit ?? 1000, isEmbedded ? 500 : 1000));
}

interface ListPrinter extends PageOutput {
  /** Whether the pages are needed as bytes. */
  raw: boolean;
  /** @throws CommandError where an item has one of the words of `--fail-on` */
  checkFailOn(count: number): void;
}

/** Passes the items through as bytes where nothing reads them, and parses them elsewhere. */
async function listPrinter({ command, values }: Invocation, options: OutputOptions, sink: Sink): Promise<ListPrinter> {
  const { failOn, select } = command.output ?? {};
  const failWords = new Set<unknown>(failOn && Array.isArray(values.failOn) ? values.failOn : []);
  if (passesThrough(options) && !select && failWords.size === 0) {
    const output = createRawListOutput(options, sink);
    return { ...output, raw: true, page: async ({ raw }) => raw && output.page(raw), checkFailOn() {} };
  }
  const output = await listOutput(command.output, options, sink);
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
      throw new CommandError(
        `${matches} of ${count} ${count === 1 ? 'link' : 'links'} ${matches === 1 ? 'is' : 'are'} ${words}.`,
        { exitCode: exit.checkFailed },
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
  const { createTreeOutput } = await import('../output/index.ts');
  if ('children' in tree) return createTreeOutput(options, columns, sink, (item) => tree.children(item));
  // Only a tree in a table needs all items at once; the other formats print them as they arrive.
  if (!isTable(options) || options.jq !== undefined) return createListOutput(options, columns, sink);
  return createFlatTreeOutput(tree, (children) => createTreeOutput(options, columns, sink, children));
}

/** Collects a flat list, and prints it at its end as the tree that the parents of its items make. */
function createFlatTreeOutput(
  tree: ParentTree,
  open: (children: (item: unknown) => unknown[] | undefined) => ListOutput,
): ListOutput {
  const items: unknown[] = [];
  return {
    async page(more) {
      items.push(...more);
    },
    async end() {
      const ids = new Set(items.map(idOf));
      const byParent = Map.groupBy(items, (item) => {
        const parent = tree.parent(item);
        return parent !== undefined && ids.has(parent) ? parent : undefined;
      });
      const output = open((item) => byParent.get(idOf(item)));
      await output.page(byParent.get(undefined) ?? []);
      await output.end();
    },
    async abort() {},
  };
}

function idOf(item: unknown): string | undefined {
  const id = valueAt(item, 'id');
  return typeof id === 'string' ? id : undefined;
}
