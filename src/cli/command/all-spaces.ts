import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { PageOptions } from '../../client/pages.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { spaces } from '../../contract/spaces.ts';
import { UsageError, someFailed } from '../program/failure.ts';
import type { Call, Invocation } from './command.ts';
import { printRequests } from './dry-run/dry-run.ts';
import { makePlan, type SelectedPage } from './filter/plan.ts';
import { select } from './filter/selection.ts';
import { scopeOf } from './invocation.ts';
import { list, printList } from './list.ts';
import { callOf } from './request.ts';

type Space = ItemOf<typeof spaces.list>;

/** How many spaces are read at the same time. */
const concurrency = 6;

/** Lists what a command lists of one space for all spaces of the organization, with the space of each item. */
export async function listAllSpaces(invocation: Invocation): Promise<void> {
  const { command, io, globals, flags } = invocation;
  refuseOneSpace(invocation);
  const client = await invocation.client();
  const orgId = await scopeOf(invocation, 'org');
  const all = await Array.fromAsync(client.items(spaces.list, { params: { orgId } }));
  const [first] = all;
  if (!first) {
    await printList(invocation, []);
    return io.note('You see no space of the organization.');
  }
  const call = await callOf({ ...invocation, flags: { ...flags, space: first.id } });
  const calls = all.map(({ id }): Call => ({ ...call, params: { ...call.params, spaceId: id } }));
  if (globals.dryRun) return printRequests(invocation, calls);
  const reading = new Reading(invocation, all, calls);
  const columns = [{ key: 'space.title', title: 'Space' }, ...(command.output?.columns ?? [])];
  const shown = { ...invocation, command: { ...command, output: { ...command.output, columns } } };
  await list(shown, call, { calls, readsOn: true, pages: (reader, options) => reading.pages(reader, options) });
  await reading.report();
}

/** @throws UsageError for options that mean one space or one list */
function refuseOneSpace({ args, flags }: Invocation): void {
  const one = args.space !== undefined || flags.space !== undefined ? 'a space' : undefined;
  const other = one ?? (flags.cr === undefined ? (flags.page === undefined ? undefined : '--page') : '--cr');
  if (other === undefined) return;
  throw new UsageError(`--all-spaces and ${other} cannot be combined.`, 'Leave one of them out.');
}

class Reading {
  readonly #invocation: Invocation;
  readonly #spaces: readonly Space[];
  readonly #calls: readonly Call[];
  readonly #refused: string[] = [];

  constructor(invocation: Invocation, all: readonly Space[], calls: readonly Call[]) {
    this.#invocation = invocation;
    this.#spaces = all;
    this.#calls = calls;
  }

  /** One page for each space, or a single one if the items of all spaces are sorted together. */
  async *pages(client: Client, { limit = Infinity, ...options }: PageOptions): AsyncIterable<SelectedPage> {
    const { selection } = this.#invocation;
    const isSorted = selection !== undefined && selection.keys.length > 0;
    let all: unknown[] = [];
    let [read, size] = [0, 0];
    for await (const items of this.#inOrder(client, { ...options, limit })) {
      read += items.length;
      if (isSorted) all.push(...items);
      else yield pageOf(items.slice(0, limit - size), read);
      size += items.length;
      if (size >= limit && !isSorted) return;
    }
    if (!isSorted) return;
    all = select({ conditions: [], keys: selection.keys }, all);
    yield pageOf(all.slice(0, limit), read);
  }

  /** The items of each space, in the order of the spaces, while the next ones are read. */
  async *#inOrder(client: Client, options: PageOptions): AsyncIterable<unknown[]> {
    const started: Promise<unknown[]>[] = [];
    const start = (index: number) => {
      if (index >= this.#spaces.length) return;
      const items = this.#itemsOf(index, client, options);
      // An error is thrown where the items are awaited.
      items.catch(() => {});
      started.push(items);
    };
    for (let index = 0; index < concurrency; index++) start(index);
    for (let index = 0; index < this.#spaces.length; index++) {
      yield await started[index]!;
      start(index + concurrency);
    }
  }

  async #itemsOf(index: number, client: Client, options: PageOptions): Promise<unknown[]> {
    const space = this.#spaces[index]!;
    const items: unknown[] = [];
    try {
      for await (const page of makePlan(this.#invocation, this.#calls[index]!).pages(client, options))
        for (const item of page.items) items.push({ ...(item as object), space: { id: space.id, title: space.title } });
      return items;
    } catch (error) {
      if (!(error instanceof HttpError) || ![403, 404].includes(error.status)) throw error;
      this.#refused.push(`${space.title} (${space.id}): ${error.message}`);
      return [];
    }
  }

  /** @throws CommandError if some spaces could not be read */
  async report(): Promise<void> {
    if (this.#refused.length === 0) return;
    const [count, all] = [this.#refused.length, this.#spaces.length];
    throw someFailed(`${count} of ${all} spaces could not be read:\n  ${this.#refused.join('\n  ')}`);
  }
}

const pageOf = (items: unknown[], itemsRead: number): SelectedPage => ({
  items,
  size: items.length,
  itemsRead,
  answer: undefined,
});
