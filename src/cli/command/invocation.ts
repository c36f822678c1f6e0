import type { Client } from '../../client/client.ts';
import type { Port } from '../../client/port.ts';
import { dotSegmentRefusal, hasDotSegment } from '../../contract/path.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { explicitOrganization, type ScopeInUse, scopeInUse } from '../naming/scope-in-use.ts';
import { UsageError, missingValue } from '../program/failure.ts';
import type { Setting } from '../settings/session.ts';
import type { Column, OutputOptions, Progress } from '../output/index.ts';
import type { Invocation } from './command.ts';

/** The value of an argument that takes one. @throws UsageError if it is missing */
export function argument(invocation: Invocation, name: string): string {
  const value = invocation.args[name];
  if (typeof value === 'string') return value;
  throw missingValue(`<${name}>`, invocation.path);
}

/** The output options of this run. */
export function outputOptions({ command, globals, io }: Invocation, extra: Partial<OutputOptions> = {}): OutputOptions {
  const { columns = [], card = [] } = command.output ?? {};
  return {
    ...io.screen,
    otherColumns: [...columns, ...card],
    note: (text) => io.note(text),
    format: globals.output,
    columns: globals.columns,
    jq: globals.jq,
    header: globals.header,
    quiet: io.quiet,
    ...extra,
  };
}

/** Prints one object with the output options of this run. */
export async function print(
  invocation: Invocation,
  object: unknown,
  columns?: readonly Column[],
  options = outputOptions(invocation),
): Promise<void> {
  const { command, io } = invocation;
  const { printObject } = await import('../output/index.ts');
  const { columns: listColumns, card = listColumns } = command.output ?? {};
  await printObject(options, object, columns ?? (Array.isArray(object) ? listColumns : card), io.out);
}

/** The organization, space or site of this run, or a default that is not used. */
export const scopeSetting = (
  { session, flags, names }: Pick<Invocation, 'session' | 'flags' | 'names'>,
  name: ScopeName,
  options?: Parameters<typeof scopeInUse>[2],
): Promise<ScopeInUse> => scopeInUse({ session, flags, lookup: async () => (await names()).lookup() }, name, options);

/**
 * The organization, space or site of this run.
 *
 * @param own a default that takes the place of the settings
 * @throws UsageError that names the flag and the variable
 */
export async function scopeOf(invocation: Invocation, name: ScopeName, own?: Setting): Promise<string> {
  const { setting, unused } = await scopeSetting(invocation, name, { own });
  if (setting && hasDotSegment(setting.value))
    throw new UsageError(`${setting.source}: ${dotSegmentRefusal(setting.value)}`);
  if (setting && name === 'org' && invocation.globals.dryRun) await requireOrganization(invocation);
  if (setting) return setting.value;
  if (name === 'org') {
    const only = await onlyOrganization(await invocation.client());
    if (only !== undefined) return only;
  }
  // Kept, so that it is asked for once.
  if (invocation.io.interactive) return (invocation.flags[name] = await invocation.pick(`${name}Id`));
  const noun = { org: 'organization', space: 'space', site: 'site' }[name];
  const remark =
    unused === undefined
      ? ''
      : ` The default ${noun} ${unused.setting.value} (${unused.setting.source}) is not in the organization "${unused.organization.value}" (${unused.organization.source}).`;
  throw new UsageError(
    `No ${noun} given.${remark}`,
    `Pass --${name} <id>, set DOCSCTL_${name.toUpperCase()}, or put "${name}:" into .docsctl.yaml.`,
    'no-scope',
  );
}

/**
 * Looks up the organization that a flag or the environment names, if no request does.
 *
 * @returns its id; undefined if none is named
 * @throws CommandError (status 5) if there is none
 */
export async function requireOrganization({
  session,
  flags,
  names,
}: Pick<Invocation, 'session' | 'flags' | 'names'>): Promise<string | undefined> {
  const explicit = await explicitOrganization({ session, flags });
  if (explicit === undefined) return undefined;
  return (await (await names()).lookup()).idOrNameOf({ param: 'orgId', text: explicit.value, params: {} });
}

/** The id of the caller's organization; undefined if there is none or several. */
export async function onlyOrganization(client: Client): Promise<string | undefined> {
  const { orgs } = await import('../../contract/orgs.ts');
  const { items, count } = await client.call(orgs.list, { query: { limit: 1 } });
  return count === 1 ? items[0]?.id : undefined;
}

/** Runs an engine while a progress indicator shows `text`. */
export async function withPort<T>(
  { io, signal }: Pick<Invocation<{}, {}>, 'io' | 'signal'>,
  { text, client }: { text: string; client: Client },
  run: (port: Port) => Promise<T>,
): Promise<T> {
  return withProgress(io, text, (progress) => run({ client, signal, progress, note: (line) => progress.note(line) }));
}

/** Shows what the command is doing while `work` runs. */
export async function withProgress<T>(
  io: Invocation['io'],
  text: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = io.progress(text);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}
