import type { InvocationOf } from '../../cli/command/define.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { ProfileNotAllowed } from '../../cli/settings/project-permission.ts';
import type { Setting } from '../../cli/settings/session.ts';
import { columns, type Key, keys, originColumns, type showFlags } from './options.ts';
import { keyNamed, settingOf } from './settings.ts';

const rowOf = (key: Key, { value, origin, source }: Setting, showOrigin: boolean | undefined) =>
  showOrigin ? { key, value, origin, source } : { key, value };

export async function list(invocation: InvocationOf<'list', typeof showFlags>): Promise<void> {
  const { session, flags, io } = invocation;
  const rows: ReturnType<typeof rowOf>[] = [];
  let refusal: ProfileNotAllowed | undefined;
  for (const key of keys) {
    try {
      const setting = await settingOf(session, key);
      if (setting) rows.push(rowOf(key, setting, flags.showOrigin));
    } catch (error) {
      if (!(error instanceof ProfileNotAllowed)) throw error;
      refusal = error;
    }
  }
  await printList(invocation, rows, { columns: flags.showOrigin ? originColumns : columns, idKey: 'key' });
  if (refusal && rows.some(({ key }) => key === 'url')) await io.note(refusal.message);
  // The list lacks the address and defaults of the profile.
  else if (refusal) throw refusal;
  if (rows.length === 0) await io.note('Nothing is set. Start with "docsctl auth login" or "docsctl init".');
}

export async function get(invocation: InvocationOf<'get <key>', typeof showFlags>): Promise<void> {
  const { session, flags, globals, io } = invocation;
  const key = keyNamed(argument(invocation, 'key'));
  const setting = await settingOf(session, key);
  if (!setting)
    throw new CommandError(`"${key}" is not set.`, { hint: `Set it with "docsctl config set ${key} ...".` });
  if (flags.showOrigin || globals.output !== undefined || globals.jq !== undefined)
    return print(invocation, rowOf(key, setting, flags.showOrigin), flags.showOrigin ? originColumns : columns);
  await io.out.write(`${setting.value}\n`);
}
