import type { Client } from '../../client/client.ts';
import { dotSegmentRefusal, hasDotSegment } from '../../contract/path.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { UsageError } from '../program/failure.ts';
import type { Column, OutputOptions } from '../output/index.ts';
import type { Invocation } from './command.ts';

/** The value of an argument that takes one. @throws UsageError where it is missing */
export function argument(invocation: Invocation, name: string): string {
  const value = invocation.args[name];
  if (typeof value === 'string') return value;
  throw new UsageError(`<${name}> is missing.`, `See "docsctl ${invocation.path} --help".`);
}

/** The output options of this run. */
export function outputOptions({ globals, io }: Invocation, extra: Partial<OutputOptions> = {}): OutputOptions {
  return {
    ...io.screen,
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

/** The organization, space or site of this run. @throws UsageError that names the flag and the variable */
export async function scopeOf(invocation: Invocation, name: ScopeName): Promise<string> {
  const setting = await invocation.session.scope(name, invocation.flags[name]);
  if (setting && hasDotSegment(setting.value))
    throw new UsageError(`${setting.source}: ${dotSegmentRefusal(setting.value)}`);
  if (setting) return setting.value;
  if (name === 'org') {
    const only = await onlyOrganization(await invocation.client());
    if (only !== undefined) return only;
  }
  if (invocation.io.interactive) {
    return invocation.pick(`${name}Id`);
  }
  const noun = { org: 'organization', space: 'space', site: 'site' }[name];
  throw new UsageError(
    `No ${noun} given.`,
    `Pass --${name} <id>, set DOCSCTL_${name.toUpperCase()}, or put "${name}:" into .docsctl.yaml.`,
  );
}

/** The id of the caller's organization; undefined where there is none or several. */
export async function onlyOrganization(client: Client): Promise<string | undefined> {
  const { orgs } = await import('../../contract/orgs.ts');
  const { items, count } = await client.call(orgs.list, { query: { limit: 1 } });
  return count === 1 ? items[0]?.id : undefined;
}
