import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { createTreeOutput } from '../../cli/output/index.ts';
import { printRequest } from '../../cli/command/dry-run/dry-run.ts';
import { optionsFor, printAnswer } from '../../cli/command/list.ts';
import { callOf, send } from '../../cli/command/request.ts';
import { sites } from '../../contract/sites.ts';
import { partsOf, structureColumns } from './columns.ts';

/** Prints a site as a card, followed in a terminal by its structure. */
export async function view(invocation: Invocation<{}, {}, typeof sites.view>): Promise<void> {
  const { globals, io } = invocation;
  const call = await callOf(invocation);
  if (globals.dryRun) return printRequest(invocation, call);
  await printAnswer(invocation, call, await send(invocation, call));
  const options = optionsFor(invocation, call);
  const isCard = (options.format ?? (options.terminal ? 'table' : 'tsv')) === 'table';
  if (!isCard || globals.jq !== undefined || globals.columns !== undefined) return;
  const client = await invocation.client();
  const { structure } = await client.call(sites.structure, { params: call.params, query: call.query });
  if (structure.length === 0) return;
  await io.out.write('\n');
  const tree = createTreeOutput(outputOptions(invocation), structureColumns, io.out, partsOf);
  await tree.page(structure);
  await tree.end();
}
