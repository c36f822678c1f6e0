import { checkColumns } from '../output/index.ts';
import { argumentsOf, type Invocation } from './command.ts';
import { printRequest } from './dry-run.ts';
import { list, optionsFor, printAnswer } from './list.ts';
import { callOf, doneText, send } from './request.ts';

/** Runs a command that an endpoint describes. */
export async function runDerived(invocation: Invocation): Promise<void> {
  const variadic = argumentsOf(invocation.command.use).find((arg) => arg.variadic);
  if (variadic) {
    const { runBatch } = await import('./batch.ts');
    return runBatch(invocation, variadic.name);
  }
  const call = await callOf(invocation);
  if (call.endpoint.method !== 'GET') checkColumns(optionsFor(invocation, call));
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  if (invocation.command.confirm) {
    const { confirmCalls } = await import('./confirm.ts');
    await confirmCalls(invocation, [call]);
  }
  if (call.endpoint.paged) return list(invocation, call);
  const answer = await send(invocation, call);
  if (answer === undefined || (invocation.command.output?.done !== undefined && isEmpty(answer)))
    return invocation.io.note(doneText(invocation, call));
  await printAnswer(invocation, call, answer);
}

const isEmpty = (answer: unknown) => typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0;
