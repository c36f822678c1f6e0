import { checkColumns } from '../output/index.ts';
import { argumentsOf, type Invocation } from './command.ts';
import { dryRun, printRequests } from './dry-run/dry-run.ts';
import { list, optionsFor, planOf, printAnswer } from './list.ts';
import { callOf, doneText, send } from './request.ts';
import { paramNames } from '../../contract/path.ts';
import { paramOf } from './flags.ts';
import { print } from './invocation.ts';
import { resultColumns, resultOf, unchangedText, wantsResult } from './result.ts';
import { isUnchanged } from '../../client/unchanged.ts';
import { UsageError } from '../program/failure.ts';

/** Runs a command that an endpoint describes. */
export async function runDerived(invocation: Invocation): Promise<void> {
  refuseDash(invocation);
  const { olderThan: age, allSpaces } = invocation.values;
  if (typeof age === 'string') {
    const { olderThan } = await import('./filter/older-than.ts');
    invocation.selection = olderThan(invocation, age);
  }
  if (allSpaces === true) {
    const { listAllSpaces } = await import('./all-spaces.ts');
    return listAllSpaces(invocation);
  }
  if (invocation.io.interactive) {
    const { askMissingInput } = await import('./missing-input.ts');
    await askMissingInput(invocation);
  }
  const variadic = argumentsOf(invocation.command.use).find((arg) => arg.variadic);
  if (variadic) {
    const { runBatch } = await import('./batch/batch.ts');
    return runBatch(invocation, variadic.name);
  }
  const call = await callOf(invocation);
  if (call.endpoint.method !== 'GET') checkColumns(optionsFor(invocation, call));
  const plan = call.endpoint.paged ? await planOf(invocation, call) : undefined;
  if (invocation.globals.dryRun) {
    if (plan) return printRequests(invocation, plan.calls);
    await dryRun(invocation, call);
    const { noteQuestions } = await import('./confirm/calls.ts');
    return noteQuestions(invocation, [call]);
  }
  const remarks: string[] = [];
  if (call.endpoint.method !== 'GET') {
    const { confirmCalls } = await import('./confirm/calls.ts');
    remarks.push(...(await confirmCalls(invocation, [call])));
  }
  if (call.endpoint.paged) return list(invocation, call, plan);
  const answer = await send(invocation, call);
  for (const remark of remarks) await invocation.io.note(remark);
  if (answer === undefined || (invocation.command.output?.done !== undefined && isEmpty(answer))) {
    await invocation.io.note(doneText(invocation, call));
    if (wantsResult(invocation)) await print(invocation, await resultOf(invocation, call), resultColumns);
    return;
  }
  await printAnswer(invocation, call, answer);
  if (isUnchanged(answer)) await invocation.io.note(unchangedText);
}

/** @throws UsageError for `-` if one object is meant: it is the sign for several on standard input */
function refuseDash({ args, command, path }: Invocation): void {
  const dash = argumentsOf(command.use).find(({ name, variadic }) => !variadic && args[name] === '-');
  if (!dash || !isObjectArgument(command, dash.name)) return;
  throw new UsageError(
    `<${dash.name}>: "${path}" takes one ${dash.name}, and does not read standard input for "-".`,
    'Name it on the command line; "xargs -n 1" runs the command once for each line.',
  );
}

function isObjectArgument({ endpoint, input }: Invocation['command'], name: string): boolean {
  const names = paramNames(endpoint?.path ?? '');
  return names.includes(paramOf(name, names, input?.params) ?? '');
}

const isEmpty = (answer: unknown) => typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0;
