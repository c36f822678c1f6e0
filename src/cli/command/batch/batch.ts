import { paramNames } from '../../contract/path.ts';
import { eachOf } from '../../shared/each-of.ts';
import { isObject } from '../../shared/is-object.ts';
import { CommandError, failureOf, UsageError, exit, missingValue } from '../program/failure.ts';
import { kebab, paramOf } from './flags.ts';
import { argumentsOf, type Call, type Invocation } from './command.ts';
import { isWebAddress } from '../naming/reading.ts';
import { print } from './invocation.ts';
import { inputText, jsonValue } from './read-input.ts';
import { optionsFor } from './list.ts';
import { checkColumns, createListOutput } from '../output/index.ts';
import { doneText, endpointOf, inputOf, missingParam, paramsOf, sharedParamsOf } from './request.ts';
import { resultColumns, resultOf, wantsResult, failureLine } from './result.ts';

const concurrency = 8;

/** Runs a command once for each id. After a failure it goes on with the rest, unless `--fail-fast` is given. */
export async function runBatch(invocation: Invocation, name: string): Promise<void> {
  const { globals, io } = invocation;
  const { ids, calls, isList } = await callsOf(invocation, name);
  checkColumns(optionsFor(invocation, firstOf(invocation, calls)));
  if (globals.dryRun) {
    const { dryRunAll } = await import('./dry-run/batch.ts');
    return dryRunAll(invocation, calls, ids);
  }
  const { confirmCalls } = await import('./confirm/calls.ts');
  const remarks = await confirmCalls(invocation, calls);
  const outcome = await callAll(invocation, calls, ids);
  if (outcome.done > 0) for (const remark of remarks) await io.note(remark);
  await printOutcome(invocation, calls, outcome, isList);
  if (outcome.failed.length === 0 && !outcome.interruption) {
    if (ids.length === 0) await io.note('Standard input is empty: nothing was done.');
    return ids.length > 1 ? io.note(`${ids.length} done.`) : undefined;
  }
  throw ids.length === 1 ? (outcome.interruption ?? outcome.failed[0]) : summaryOf(outcome, ids.length);
}

/** The first call: what all of them have in common is in it. */
const firstOf = (invocation: Invocation, [first]: Call[]): Pick<Call, 'endpoint' | 'params'> =>
  first ?? { endpoint: endpointOf(invocation), params: {} };

interface Batch {
  ids: string[];
  calls: Call[];
  /** Whether the results are a list although there may be only one. */
  isList: boolean;
}

/** One call for each id. What all have in common is read, or asked for, once. */
async function callsOf(invocation: Invocation, name: string): Promise<Batch> {
  const { args, command, flags, io, path } = invocation;
  const names = paramNames(endpointOf(invocation).path);
  const param = paramOf(name, names, command.input?.params) ?? name;
  const words = [args[name] ?? []].flat();
  const isDataOnInput = flags.data === '-' || flags.data === '@-';
  if (words.includes('-') && isDataOnInput)
    throw new UsageError(
      `<${name}> and --data cannot both read standard input.`,
      'Put the body into a file: --data @file.',
    );
  if (isDataOnInput) flags.data = inputText();
  const isOptional = argumentsOf(command.use).some((argument) => argument.name === name && argument.optional);
  if (words.length === 0 && !isOptional && !io.interactive) throw missingValue(`<${name}>`, path);
  const ids = words.length === 0 ? undefined : await idsOf(invocation, name);
  refuseSingular(invocation, name, ids?.length ?? 1);
  let shared: Promise<Record<string, string>> | undefined;
  const sharedParams = () => (shared ??= sharedParamsOf(invocation, param));
  const pickOne = async () =>
    isOptional ? missingParam(invocation, param, await sharedParams()) : invocation.pick(param, await sharedParams());
  const objects = ids ?? [await pickOne()];
  const calls: Call[] = [];
  for (const id of objects) {
    // An address names the parents of the object, too.
    const params = await paramsOf(invocation, id, isWebAddress(id) ? {} : await sharedParams());
    calls.push({ endpoint: endpointOf(invocation), params, ...(await inputOf(invocation, params)) });
  }
  return { ids: objects, calls, isList: objects.length !== 1 || words.includes('-') };
}

/** @throws UsageError for a flag whose value fits one object only, if there are several */
function refuseSingular({ command, derived, flags, values }: Invocation, name: string, count: number): void {
  if (count < 2) return;
  const data = flags.data === undefined ? undefined : jsonValue(flags.data, '--data');
  for (const attribute of command.input?.singular ?? []) {
    const flag = derived.find((one) => one.attribute === attribute);
    const isInData = flag !== undefined && isObject(data) && (flag.path[0] ?? '') in data;
    if (values[attribute] === undefined && !isInData) continue;
    throw new UsageError(
      `${isInData ? `--data: "${flag.path[0]}"` : (flag?.long ?? `--${kebab(attribute)}`)} fits one <${name}>, but ${count} are given.`,
      'Run the command once for each of them, or leave it out.',
    );
  }
}

/** Prints the answers; if the service answers with nothing, what was done with each object, if it is asked for. */
async function printOutcome(
  invocation: Invocation,
  calls: Call[],
  { answers, isDone }: Outcome,
  isList: boolean,
): Promise<void> {
  const { command, io } = invocation;
  const results: unknown[] = [];
  for (const [index, call] of calls.entries()) {
    if (!isDone[index]) continue;
    if (answers[index] !== undefined) results.push(answers[index]);
    else if (wantsResult(invocation)) results.push(await resultOf(invocation, call));
  }
  const options = optionsFor(invocation, firstOf(invocation, calls));
  const columns = answers.some((answer) => answer !== undefined) ? command.output?.columns : resultColumns;
  if (results.length === 1 && !isList)
    return print(invocation, results[0], columns === resultColumns ? columns : undefined, options);
  if (results.length === 0 && !(isList && wantsResult(invocation))) return;
  const output = createListOutput(options, columns ?? [{ key: 'id', kind: 'id' }], io.out);
  await output.page(results);
  await output.end();
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
  const { args, path } = invocation;
  const words = [args[name] ?? []].flat();
  const ids = words.flatMap((word) => (word === '-' ? linesOfInput() : [word]));
  if (ids.length === 0 && !words.includes('-')) throw missingValue(`<${name}>`, path);
  return [...new Set(ids)];
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
  /** Which calls were carried out, by their place. */
  isDone: boolean[];
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
  const outcome: Outcome = { answers: [], isDone: [], done: 0, failed: [], unknown: 0, interruption: undefined };
  const { answers, failed } = outcome;
  const progress = io.progress(invocation.path, calls.length > 1);
  const above = progress.above(io.err);
  const { inOrder } = invocation.command.input ?? {};
  // Objects that are placed directly after the same object end up in reverse order.
  const isReversed = inOrder === true && invocation.values.after !== undefined;
  const queue = isReversed ? [...calls.entries()].toReversed() : [...calls.entries()];
  const send = async ([index, call]: [number, Call]) => {
    if (signal.aborted || (flags.failFast && failed.length > 0)) return;
    const { endpoint, params, query, body } = call;
    try {
      answers[index] = await client.call(endpoint, { params, query, body });
      outcome.isDone[index] = true;
      outcome.done++;
      if (answers[index] === undefined) await progress.note(doneText(invocation, call));
    } catch (error) {
      if (signal.aborted) {
        outcome.unknown++;
        return;
      }
      failed.push(error);
      if (calls.length > 1) await above.write(failureLine(error, ids[index] ?? '', invocation));
    }
    progress.count(outcome.done + failed.length, calls.length, failed.length);
  };
  await eachOf(queue, send, inOrder ? 1 : concurrency);
  progress.stop();
  if (signal.aborted && outcome.done + failed.length < calls.length) outcome.interruption = signal.reason;
  return outcome;
}
