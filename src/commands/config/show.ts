import type { InvocationOf } from '../../cli/command/define.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { CommandError, exit, UsageError } from '../../cli/program/failure.ts';
import { ProfileNotAllowed } from '../../cli/settings/project-permission.ts';
import type { Session, Setting } from '../../cli/settings/session.ts';
import { columns, type Key, keys, originColumns, type showFlags } from './options.ts';
import { profileNamed } from '../../cli/settings/config.ts';
import { nearest } from '../../shared/suggest.ts';

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

/** The value in effect and its origin. */
export async function settingOf(session: Session, key: Key): Promise<Setting | undefined> {
  if (key === 'profile') {
    const profile = await session.profileInUse({ ask: false });
    if (profile?.origin === 'flag') profileNamed(session.config.profiles, profile.value, profile.source);
    return profile;
  }
  try {
    if (key === 'token-command') {
      const { value: profile = '' } = (await session.profileInUse({ ask: false })) ?? {};
      const value = session.config.profiles[profile]?.[key];
      return value === undefined ? undefined : { value, origin: 'profile', source: profile };
    }
    if (key === 'journal') {
      const journal = await session.journal({ ask: false });
      return journal.source === '' ? undefined : journal;
    }
    return await (key === 'url' ? session.address({ ask: false }) : session.scope(key, undefined, { ask: false }));
  } catch (error) {
    if (isWithoutService(error)) return undefined;
    throw error;
  }
}

/** Without a service, there are no address and no defaults. */
const isWithoutService = (error: unknown) =>
  error instanceof CommandError && error.exitCode === exit.unauthenticated && !(error instanceof ProfileNotAllowed);

/** The setting with this name. @throws UsageError with the most similar name */
export function keyNamed(word: string): Key {
  const key = keys.find((candidate) => candidate === word);
  if (key) return key;
  const near = nearest(word, keys);
  throw new UsageError(
    `There is no setting "${word}".`,
    near ? `Did you mean "${near}"?` : `The settings are ${keys.join(', ')}.`,
  );
}
