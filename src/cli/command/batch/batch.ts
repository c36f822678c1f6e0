import { paramNames } from '../../../contract/path.ts';
import { isObject } from '../../../shared/is-object.ts';
import { UsageError, missingValue } from '../../program/failure.ts';
import { kebab, paramOf } from '../flags.ts';
import { argumentsOf, type Call, type Invocation } from '../command.ts';
import { isWebAddress } from '../../naming/reading.ts';
import { inputText, jsonValue } from '../read-input.ts';
import { optionsFor } from '../list.ts';
import { checkColumns } from '../../output/index.ts';
import { endpointOf, inputOf, missingParam, paramsOf, sharedParamsOf } from '../request.ts';
import { idsOf } from './ids.ts';
import { type Objects, Rows } from './rows.ts';
import { finish, printOutcome } from './outcome.ts';

/** Runs a command once for each id. After a failure it goes on with the rest, unless `--fail-fast` is given. */
export async function runBatch(invocation: Invocation, name: string): Promise<void> {
  const { globals } = invocation;
  const batch = await callsOf(invocation, name);
  const { calls, isList } = batch;
  const first = firstOf(invocation, calls);
  checkColumns(optionsFor(invocation, first));
  if (globals.dryRun) {
    const { dryRunAll } = await import('./dry-run-all.ts');
    return dryRunAll(invocation, batch);
  }
  const rows = new Rows(invocation, name, batch);
  await rows.judge(isList);
  if (rows.open.length > 0) await invocation.command.guard?.(invocation, rows.open);
  const { confirmCalls } = await import('../confirm/calls.ts');
  const remarks = await confirmCalls(invocation, rows.open);
  await rows.send();
  if (rows.count('done') > 0) for (const remark of remarks) await invocation.io.note(remark);
  await printOutcome(invocation, first, rows, isList);
  await finish(invocation, rows);
}

/** The first call: what all of them have in common is in it. */
const firstOf = (invocation: Invocation, [first]: Call[]): Pick<Call, 'endpoint' | 'params'> =>
  first ?? { endpoint: endpointOf(invocation), params: {} };

interface Batch extends Objects {
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
  let shared: Promise<Record<string, string>> | undefined;
  const sharedParams = () => (shared ??= sharedParamsOf(invocation, param));
  const named = words.length === 0 ? undefined : await idsOf(invocation, name);
  const ids = named && param === 'userId' ? await peopleIn(invocation, named, sharedParams) : named;
  refuseSingular(invocation, name, ids?.length ?? 1);
  const pickOne = async () =>
    isOptional ? missingParam(invocation, param, await sharedParams()) : invocation.pick(param, await sharedParams());
  const objects = ids ?? [await pickOne()];
  const calls: Call[] = [];
  for (const id of objects) {
    // An address names the parents of the object, too.
    const params = await paramsOf(invocation, id, isWebAddress(id) ? {} : await sharedParams());
    calls.push({ endpoint: endpointOf(invocation), params, ...(await inputOf(invocation, params)) });
  }
  const isFromInput = words.includes('-');
  return { ids: objects, calls, isList: objects.length !== 1 || isFromInput, isFromInput };
}

/** The people with the IDs of those whom selectors select. */
async function peopleIn(
  invocation: Invocation,
  names: readonly string[],
  params: () => Promise<Record<string, string>>,
): Promise<string[]> {
  const { selectedPeople, selectsPeople } = await import('./people.ts');
  if (!names.some(selectsPeople)) return [...names];
  const { orgId = '' } = await params();
  return selectedPeople(names, { client: await invocation.client(), orgId });
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
