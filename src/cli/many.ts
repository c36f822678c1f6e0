import { exit } from './exit.ts';
import { CommandError, failureOf, failureText, UsageError } from './failure.ts';
import type { Invocation } from './invocation.ts';
import { createProgress } from './output/index.ts';
import { type Call, doneText, endpointOf, inputOf, list, paramOf, paramsOf, printRequest } from './run.ts';

const concurrency = 8;

/** Runs a command once for each of its ids. A failure is reported and the rest goes on, unless `--fail-fast`. */
export async function runMany(invocation: Invocation, name: string): Promise<void> {
  const ids = await idsOf(invocation, name);
  const input = await inputOf(invocation);
  const calls: Call[] = [];
  for (const id of ids)
    calls.push({ endpoint: endpointOf(invocation), params: await paramsOf(invocation, id), ...input });
  if (invocation.globals.dryRun) {
    for (const call of calls) await printRequest(invocation, call);
    return;
  }
  if (invocation.command.confirm) {
    const { confirm } = await import('./confirm.ts');
    await confirm(invocation, calls);
  }
  if (calls.length === 1 && calls[0]!.endpoint.paged) return list(invocation, calls[0]!);
  const { answers, failed } = await callAll(invocation, calls, ids);
  const { createListOutput } = await import('./output/index.ts');
  const { outputOptions } = await import('./invocation.ts');
  const given = answers.filter((answer) => answer !== undefined);
  if (given.length === 1 && calls.length === 1) {
    const { print } = await import('./invocation.ts');
    await print(invocation, given[0]);
  } else if (given.length > 0) {
    const output = createListOutput(
      outputOptions(invocation),
      invocation.command.columns ?? [{ key: 'id', kind: 'id' }],
      invocation.io.out,
    );
    await output.page(given);
    await output.end();
  }
  if (failed.length === 0) return;
  if (ids.length === 1) throw failed[0];
  throw new CommandError(`${failed.length} of ${ids.length} failed.`, { exitCode: exit.someFailed });
}

/** The ids given, and for `-` those of standard input, one a line. Each counts once. */
export async function idsOf(invocation: Invocation, name: string): Promise<string[]> {
  const { args, path, io } = invocation;
  const given = args[name];
  const words = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const ids = words.flatMap((word) => (word === '-' ? linesOfInput() : [word]));
  if (words.length === 0 && io.interactive && invocation.command.endpoint) return [await chosenId(invocation, name)];
  if (ids.length === 0 && !words.includes('-'))
    throw new UsageError(`<${name}> is missing.`, `See "docsctl ${path} --help".`);
  return [...new Set(ids)];
}

async function chosenId(invocation: Invocation, name: string): Promise<string> {
  const names = [...endpointOf(invocation).path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const { chooseParam } = await import('./choose.ts');
  return chooseParam(invocation, paramOf(name, names, invocation.command.params) ?? name, {});
}

function linesOfInput(): string[] {
  const text = process.getBuiltinModule('node:fs').readFileSync(0, 'utf8');
  return text
    .split('\n')
    .map((line) => line.split('\t')[0]!.trim())
    .filter(Boolean);
}

async function callAll(invocation: Invocation, calls: Call[], ids: string[]) {
  const { io, flags, signal } = invocation;
  const client = await invocation.client();
  const answers: unknown[] = Array.from({ length: calls.length });
  const failed: unknown[] = [];
  const progress = createProgress(invocation.path, { lively: io.lively && calls.length > 1 });
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < calls.length && !signal.aborted && !(flags.failFast && failed.length > 0)) {
      const at = next++;
      const call = calls[at]!;
      try {
        answers[at] = await client.call(call.endpoint, {
          params: call.params,
          query: call.query,
          body: call.body,
        } as never);
        if (answers[at] === undefined && !io.quiet) await progress.note(doneText(invocation, call));
      } catch (error) {
        failed.push(error);
        if (calls.length > 1)
          await progress.note(
            failureText(failureOf(error))
              .replace(/^error: /, `error: ${ids[at]}: `)
              .trimEnd(),
          );
      }
      progress.count(++done, calls.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, calls.length) }, work));
  progress.stop();
  return { answers, failed };
}
