import { checkColumns } from '../output/index.ts';
import { printedPaths } from './answer-paths.ts';
import type { Invocation } from './command.ts';
import { outputOptions } from './invocation.ts';

/** @throws UsageError for columns that the result of a hand-written command does not have, before it changes anything */
export async function refuseUnknownColumns(invocation: Invocation): Promise<void> {
  const { prints } = invocation.command;
  if (typeof prints !== 'function') return;
  checkColumns(outputOptions(invocation, { contractPaths: printedPaths(await prints()) }));
}
