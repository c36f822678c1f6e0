import { HttpError } from '../../../client/errors/http-error.ts';
import { NotSent } from '../../../client/errors/not-sent.ts';
import { isAnswered } from '../../../client/read-back.ts';
import { reached } from '../../../client/reached.ts';
import { isUnchanged } from '../../../client/unchanged.ts';
import { eachOf } from '../../../shared/each-of.ts';
import { CommandError, exit, UsageError } from '../../program/failure.ts';
import type { Call, Invocation } from '../command.ts';
import { doneText } from '../request.ts';
import { assertParents, isGone } from './gone.ts';
import { failureLine, failureReason, wordOfResult } from '../result.ts';
import { addedColumns, ResultTable } from './result-table.ts';

const concurrency = 8;
/** Refusals of a state that may be the one that is asked for, by their reasons. */
const saysState = new Set(['no-change', 'invalid-state', 'conflict']);

/** What became of an object. */
export type State =
  | 'not tried'
  | 'done'
  /** The service accepted it, but everything was as requested. */
  | 'unchanged'
  /** It was deleted before, or never there. */
  | 'already gone'
  /** It was in the state that was asked for. */
  | 'already done'
  | 'failed'
  /** The request was sent and has no answer. */
  | 'unknown';

/** One object, its call and its result. */
export interface Row {
  id: string;
  call: Call;
  state: State;
  answer?: unknown;
  error?: unknown;
}

/** What a command runs for. */
export interface Objects {
  ids: readonly string[];
  calls: readonly Call[];
  /** Whether some are from standard input, so that the same list may be sent again. */
  isFromInput: boolean;
}

/** The objects of one run of a command. */
export class Rows {
  readonly all: Row[];
  /** The signal that stopped it, as an error. */
  interruption: unknown;
  readonly #invocation: Invocation;
  readonly #name: string;
  readonly #isFromInput: boolean;
  readonly #file: ResultTable | undefined;

  constructor(invocation: Invocation, name: string, { ids, calls, isFromInput }: Objects) {
    this.#isFromInput = isFromInput;
    this.#invocation = invocation;
    this.#name = name;
    this.all = calls.map((call, index) => ({ id: ids[index] ?? '', call, state: 'not tried' }));
    const { result } = invocation.values;
    if (typeof result === 'string') this.#file = new ResultTable(result);
  }

  /** The calls that are still to be sent. */
  get open(): Call[] {
    return this.all.filter(({ state }) => state === 'not tried').map(({ call }) => call);
  }

  count = (...states: State[]): number => this.all.filter(({ state }) => states.includes(state)).length;

  /**
   * Looks up every name before anything is sent, so that all unknown ones are reported at once.
   *
   * @throws the error of the only object, if it is not one of a list
   */
  async judge(isList: boolean): Promise<void> {
    if (!isList) return this.#save();
    const names = await this.#invocation.names();
    const { endpoint } = this.all[0]?.call ?? {};
    if (endpoint)
      await names.expect(
        endpoint,
        this.all.map(({ call }) => call),
      );
    for (const row of this.all) {
      try {
        const { params, query, body } = row.call;
        row.call = { ...row.call, ...(await names.prepare(row.call.endpoint, { params, query, body })) };
      } catch (error) {
        if (!(error instanceof UsageError) && !(await this.#isUnknown(row, error))) throw error;
        await this.#failed(row, error);
      }
    }
    this.#joinRepeated();
    await this.#save();
  }

  /** Whether an error is about the object itself, and not about what it is in. */
  async #isUnknown({ call }: Row, error: unknown): Promise<boolean> {
    if (!(error instanceof CommandError) || error.exitCode !== exit.notFound) return false;
    await assertParents(this.#invocation, call);
    return true;
  }

  /** Different names may be those of one object. */
  #joinRepeated(): void {
    const seen = new Set<string>();
    const isFirst = ({ call, state }: Row) => {
      const key = JSON.stringify(call.params);
      if (state !== 'not tried' || !seen.has(key)) {
        seen.add(key);
        return true;
      }
      return false;
    };
    this.all.splice(0, this.all.length, ...this.all.filter(isFirst));
  }

  /** Sends the calls, several at a time. */
  async send(): Promise<void> {
    const { io, signal, path, command, values } = this.#invocation;
    const { inOrder } = command.input ?? {};
    // Objects that are placed directly after the same object end up in reverse order.
    const isReversed = inOrder === true && values.after !== undefined;
    const rows = this.all.filter(({ state }) => state === 'not tried');
    const progress = io.progress(path, rows.length > 1);
    const write = progress.above(io.err);
    const client = await this.#invocation.client();
    const work = async (row: Row) => {
      if (signal.aborted || this.#isStopped) return;
      try {
        const { endpoint, params, query, body } = row.call;
        row.answer = await client.call(endpoint, { params, query, body });
        row.state = isUnchanged(row.answer) ? 'unchanged' : 'done';
        if (row.answer === undefined) await progress.note(doneText(this.#invocation, row.call));
      } catch (error) {
        await this.#failed(row, error, (text) => write.write(text));
      }
      const failed = this.count('failed', 'unknown');
      progress.count(this.all.length - this.count('not tried'), this.all.length, failed);
    };
    try {
      await eachOf(isReversed ? rows.toReversed() : rows, work, inOrder ? 1 : concurrency);
    } finally {
      progress.stop();
      if (signal.aborted && this.count('not tried', 'unknown') > 0) this.interruption = signal.reason;
      await this.#save();
    }
  }

  get #isStopped(): boolean {
    return this.#invocation.flags.failFast === true && this.count('failed') > 0;
  }

  async #failed(row: Row, error: unknown, write = (text: string) => this.#invocation.io.err.write(text)) {
    const { signal, io } = this.#invocation;
    row.error = error;
    row.state = await this.#stateOf(row, error);
    if (row.state === 'already gone' || row.state === 'already done') return io.note(`${row.id}: ${row.state}.`);
    if (row.state !== 'failed' && signal.aborted) return undefined;
    if (this.all.length > 1) await write(failureLine(error, row.id, this.#invocation));
  }

  async #stateOf({ call }: Row, error: unknown): Promise<State> {
    if (!(error instanceof CommandError) && !isAnswered(error)) return 'unknown';
    if (error instanceof NotSent && this.#invocation.signal.aborted) return 'not tried';
    // A name that somebody types is meant to be there; a list that is sent again has names of what was done before.
    if (!this.#isFromInput) return 'failed';
    if (await isGone(this.#invocation, call, error)) return 'already gone';
    if (error instanceof HttpError && saysState.has(error.reason ?? '')) {
      if (error.reason === 'no-change') return 'already done';
      const client = await this.#invocation.client();
      if (await reached(client, call).catch(() => undefined)) return 'already done';
    }
    return 'failed';
  }

  async #save(): Promise<void> {
    await this.#file?.write([
      [this.#name, ...addedColumns],
      ...this.all.map((row) => [row.id, this.wordOf(row), reasonOf(row, this.#invocation)]),
    ]);
  }

  /** The result in a word: `removed`, `already gone`. */
  wordOf({ state }: Row): string {
    return state === 'done' ? wordOfResult(this.#invocation) : state === 'unknown' ? 'sent, answer unknown' : state;
  }
}

const reasonOf = ({ state, error }: Row, invocation: Invocation): string =>
  state === 'failed' || state === 'unknown' ? failureReason(error, invocation) : '';
