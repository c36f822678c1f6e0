import type { NamedObject } from './choose.ts';
import type { Call, Invocation } from './command.ts';
import { printRequests } from './dry-run.ts';
import { exit } from '../program/exit-status.ts';
import { CommandError } from '../program/failure.ts';
import { visible } from '../output/index.ts';
import { nounOf } from '../../contract/objects.ts';
import { failureLine } from './failure-line.ts';
import { paramNames } from './flags.ts';

/**
 * Prints the requests of several objects, after each object was looked up. Titles go to standard error, because standard
 * output has the requests.
 *
 * @throws CommandError where an object does not exist: status 5 for the only one, 8 for some of several
 */
export async function dryRunAll(invocation: Invocation, calls: Call[], ids: string[]): Promise<void> {
  const { io } = invocation;
  const { objectsOf } = await import('./choose.ts');
  const found = await objectsOf(invocation, calls);
  const failures: { id: string; failure: unknown }[] = [];
  for (const [index, call] of calls.entries()) {
    const object = found[index] ?? (await missingFrom(call));
    const id = ids[index] ?? '';
    if (object instanceof Error) failures.push({ id, failure: object });
    else if (object && object.title !== object.value)
      await io.note(`${visible(object.title)} (${visible(object.value)})`);
  }
  const isFound = (index: number) => !failures.some(({ id }) => id === ids[index]);
  await printRequests(
    invocation,
    calls.filter((_, index) => isFound(index)),
  );
  const [first] = failures;
  if (!first) return;
  if (calls.length === 1) throw first.failure;
  for (const { id, failure } of failures) await io.err.write(failureLine(failure, id, invocation));
  throw new CommandError(`${failures.length} of ${calls.length} would fail.`, { exitCode: exit.someFailed });
}

/** The failure of an object that is not in the list of its kind; undefined where there is no such list. */
async function missingFrom({ endpoint, params }: Call): Promise<NamedObject | Error | undefined> {
  const path = endpoint.path.slice(0, endpoint.path.lastIndexOf('}') + 1);
  const param = paramNames(path).at(-1) ?? '';
  const { listOf } = await import('./choose.ts');
  const list = await listOf(param, path);
  if (!list || list.itemsOf) return undefined;
  return new CommandError(`There is no ${nounOf(param)} "${params[param]}" here.`, { exitCode: exit.notFound });
}
