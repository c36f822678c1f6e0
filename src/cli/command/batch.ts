import { paramNames } from '../../contract/path.ts';
import { exit } from '../program/exit-status.ts';
import { CommandError, failureJson, failureOf, failureText, UsageError } from '../program/failure.ts';
import { paramOf } from './flags.ts';
import type { Call, Invocation } from './command.ts';
import { printRequests } from './dry-run.ts';
import { print } from './invocation.ts';
import { inputText } from './read-input.ts';
import { optionsFor } from './list.ts';
import { createListOutput, createProgress, visibleLines } from '../output/index.ts';
import { doneText, endpointOf, inputOf, paramsOf } from './request.ts';

const concurrency = 8;

/** Runs a command once for each id. After a failure it goes on with the rest, unless `--fail-fast` is given. */
export async function runBatch(invocation: Invocation, name: string): Promise<void> {
  const { command, globals, io } = invocation;
  const ids = await idsOf(invocation, name);
  const calls: Call[] = [];
  for (const id of ids) {
    const params = await paramsOf(invocation, id);
    calls.push({ endpoint: endpointOf(invocation), params, ...(await inputOf(invocation, params)) });
  }
  if (globals.dryRun) return printRequests(invocation, calls);
  if (command.confirm) {
    const { confirmCalls } = await import('./confirm.ts');
    await confirmCalls(invocation, calls);
  }
  const outcome = await callAll(invocation, calls, ids);
  const answers = outcome.answers.filter((answer) => answer !== undefined);
  const options = optionsFor(invocation, endpointOf(invocation));
  if (answers.length === 1 && calls.length === 1) await print(invocation, answers[0], undefined, options);
  else if (answers.length > 0) {
    const output = createListOutput(options, command.output?.columns ?? [{ key: 'id', kind: 'id' }], io.out);
    await output.page(answers);
    await output.end();
  }
  if (outcome.failed.length === 0 && !outcome.interruption) {
    if (ids.length === 0) await io.note('Standard input is empty: nothing was done.');
    return ids.length > 1 ? io.note(`${ids.length} done.`) : undefined;
  }
  throw ids.length === 1 ? (outcome.interruption ?? outcome.failed[0]) : summaryOf(outcome, ids.length);
}

function summaryOf({ done, failed, unknown, interruption }: Outcome, all: number): CommandError {
  const untried = all - done - failed.length - unknown;
  const parts = [
    interruption ? `Interrupted: ${done} of ${all} done` : `${failed.length} of ${all} failed`,
    ...(interruption && failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(unknown > 0 ? [`${unknown} in progress, which may have been done`] : []),
    ...(untried > 0 ? [`${untried} not tried`] : []),
  ];
  return new CommandError(`${parts.join('; ')}.`, {
    exitCode: interruption ? failureOf(interruption).exitCode : exit.someFailed,
  });
}

/** The ids of the arguments, and for `-` those of standard input, one per line. Duplicates count once. */
export async function idsOf(invocation: Invocation, name: string): Promise<string[]> {
  const { args, path, io } = invocation;
  const words = [args[name] ?? []].flat();
  const ids = words.flatMap((word) => (word === '-' ? linesOfInput() : [word]));
  if (words.length === 0 && io.interactive && invocation.command.endpoint) return [await chosenId(invocation, name)];
  if (ids.length === 0 && !words.includes('-'))
    throw new UsageError(`<${name}> is missing.`, `See "docsctl ${path} --help".`);
  return [...new Set(ids)];
}

async function chosenId(invocation: Invocation, name: string): Promise<string> {
  const names = paramNames(endpointOf(invocation).path);
  return invocation.pick(paramOf(name, names, invocation.command.input?.params) ?? name);
}

function linesOfInput(): string[] {
  return inputText()
    .split('\n')
    .map((line) => line.replace(/\t.*/s, '').trim())
    .filter(Boolean);
}

interface Outcome {
  /** Of each call that has one. */
  answers: unknown[];
  done: number;
  failed: unknown[];
  /** Calls that a signal ended: whether they were carried out is unknown. */
  unknown: number;
  /** The signal, as an error. */
  interruption: unknown;
}

async function callAll(invocation: Invocation, calls: Call[], ids: string[]): Promise<Outcome> {
  const { io, flags, signal } = invocation;
  const client = await invocation.client();
  const outcome: Outcome = { answers: [], done: 0, failed: [], unknown: 0, interruption: undefined };
  const { answers, failed } = outcome;
  const progress = createProgress(invocation.path, {
    animated: io.canAnimate && calls.length > 1,
    quiet: io.quiet,
    messages: io.err,
  });
  const above = progress.above(io.err);
  // The workers share the iterator, so each call is made by one of them.
  const queue = calls.entries();
  const work = async () => {
    for (const [index, call] of queue) {
      if (signal.aborted || (flags.failFast && failed.length > 0)) return;
      const { endpoint, params, query, body } = call;
      try {
        answers[index] = await client.call(endpoint, { params, query, body });
        outcome.done++;
        if (answers[index] === undefined) await progress.note(doneText(invocation, call));
      } catch (error) {
        if (signal.aborted) {
          outcome.unknown++;
          continue;
        }
        failed.push(error);
        if (calls.length > 1) await above.write(failureLine(error, ids[index] ?? '', invocation));
      }
      progress.count(outcome.done + failed.length, calls.length, failed.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, calls.length) }, work));
  progress.stop();
  if (signal.aborted && outcome.done + failed.length < calls.length) outcome.interruption = signal.reason;
  return outcome;
}

function failureLine(error: unknown, id: string, { globals, flagOf }: Invocation): string {
  const failure = failureOf(error);
  if (globals.output === 'json' || globals.output === 'jsonl') return failureJson({ ...failure, item: id });
  return visibleLines(failureText(failure, flagOf).replace(/^error: /, () => `error: ${id}: `));
}
