import { configFile, updateConfig } from '../cli/config.ts';
import { forgetToken, placeOfToken } from '../cli/credentials.ts';
import { nearest } from '../cli/derive.ts';
import { exit } from '../cli/exit.ts';
import { CommandError, UsageError } from '../cli/failure.ts';
import { argument, type Invocation, outputOptions, print } from '../cli/invocation.ts';
import type { Column } from '../cli/output/index.ts';
import { profileNamed } from '../cli/profile.ts';
import type { Session, Setting } from '../cli/session.ts';
import type { Flag, Node } from '../cli/tree.ts';
import { normalized } from './profile-address.ts';

const keys = ['profile', 'url', 'org', 'space', 'site'] as const;
type Key = (typeof keys)[number];
const meanings = keys.join(', ');

const columns: Column[] = [{ key: 'key', kind: 'id' }, { key: 'value' }];
const originColumns: Column[] = [...columns, { key: 'origin' }, { key: 'source' }];
const showOrigin: Flag = {
  flags: '--show-origin',
  description: 'also say where each value comes from: flag, environment, project, profile',
};

/** The value that counts, and where it comes from. */
async function settingOf(session: Session, key: Key): Promise<Setting | undefined> {
  if (key === 'profile') {
    const name = await session.profileName();
    if (name?.origin === 'flag') profileNamed(session.config.profiles, name.value, name.source);
    return name;
  }
  try {
    return await (key === 'url' ? session.address() : session.scope(key, undefined));
  } catch (error) {
    // Without a service there are no defaults of one either.
    if ((error as CommandError).exitCode === exit.signedOut) return undefined;
    throw error;
  }
}

const row = (key: Key, { value, origin, source }: Setting, isWhole: boolean) =>
  isWhole ? { key, value, origin, source } : { key, value };

async function list(invocation: Invocation) {
  const { session, flags, io } = invocation;
  const rows = [];
  for (const key of keys) {
    const setting = await settingOf(session, key);
    if (setting) rows.push(row(key, setting, flags.showOrigin));
  }
  const { createListOutput } = await import('../cli/output/index.ts');
  const shown = flags.showOrigin ? originColumns : columns;
  const output = createListOutput(outputOptions(invocation, { idKey: 'key' }), shown, io.out);
  await output.page(rows);
  await output.end();
  if (rows.length === 0) await io.note('Nothing is set. Begin with "docsctl auth login" or "docsctl init".');
}

async function get(invocation: Invocation) {
  const { session, flags, globals, io } = invocation;
  const key = keyOf(argument(invocation, 'key'));
  const setting = await settingOf(session, key);
  if (!setting)
    throw new CommandError(`"${key}" is not set.`, { hint: `Set it with "docsctl config set ${key} ...".` });
  if (flags.showOrigin || globals.output !== undefined || globals.jq !== undefined)
    return print(invocation, row(key, setting, flags.showOrigin), flags.showOrigin ? originColumns : columns);
  await io.out.write(`${setting.value}\n`);
}

async function set(invocation: Invocation) {
  const { globals, io, session } = invocation;
  const key = keyOf(argument(invocation, 'key'));
  const given = argument(invocation, 'value').trim();
  if (given === '') throw new UsageError('The value is empty.', `Remove it with "docsctl config unset ${key}".`);
  const value = key === 'url' ? normalized(given) : given;
  const name = key === 'profile' ? value : await profileToChange(invocation);
  if (key === 'profile') profileNamed(session.config.profiles, name);
  const what = key === 'profile' ? `the profile in use` : `"${key}" of the profile "${name}"`;
  if (globals.dryRun) return io.note(`Would set ${what} to ${value}.`);
  const before = await updateConfig((config) => {
    const profile = profileNamed(config.profiles, name);
    const { url } = profile;
    if (key === 'profile') config.current = name;
    else profile[key] = value;
    return url;
  });
  await io.note(`Set ${what} to ${value}.`);
  // A token goes to the address it was kept for, and to no other.
  if (key === 'url' && before !== value && placeOfToken(name) !== undefined) {
    await forgetToken(name);
    await io.note(`The token for ${before} is forgotten. Sign in with "docsctl auth login --profile ${name}".`);
  }
  if (key !== 'profile') await sayOverruled(invocation, key, value);
}

async function unset(invocation: Invocation) {
  const { globals, io } = invocation;
  const key = keyOf(argument(invocation, 'key'));
  if (key === 'url')
    throw new UsageError('A profile always has an address.', 'Delete it whole with "docsctl profiles delete".');
  const name = key === 'profile' ? '' : await profileToChange(invocation);
  const what = key === 'profile' ? 'the profile in use' : `"${key}" of the profile "${name}"`;
  if (globals.dryRun) return io.note(`Would unset ${what}.`);
  await updateConfig((config) => {
    if (key === 'profile') delete config.current;
    else delete profileNamed(config.profiles, name)[key];
  });
  await io.note(`Unset ${what}.`);
}

async function sayOverruled({ session, io }: Invocation, key: Key, value: string) {
  const setting = await settingOf(session, key);
  if (setting && setting.origin !== 'profile' && setting.value !== value)
    await io.note(`${setting.source} says ${setting.value}, which goes before it.`);
}

function keyOf(word: string): Key {
  const found = keys.find((key) => key === word);
  if (found) return found;
  const near = nearest(word, keys);
  throw new UsageError(`There is no setting "${word}".`, near ? `Did you mean "${near}"?` : `There are ${meanings}.`);
}

async function profileToChange({ session }: Invocation): Promise<string> {
  const name = await session.profileName();
  if (name !== undefined) {
    profileNamed(session.config.profiles, name.value, name.source);
    return name.value;
  }
  throw new CommandError('No profile is in use.', {
    exitCode: exit.signedOut,
    hint: 'Make one with "docsctl auth login", "docsctl init" or "docsctl profiles create".',
  });
}

const nodes: Node[] = [
  {
    use: 'list',
    summary: 'List the settings that count here and now.',
    description: `The settings are ${meanings}. A flag goes before the environment, that before the project file .docsctl.yaml, that before the profile.`,
    columns,
    flags: [showOrigin],
    examples: [
      { run: 'docsctl config list --show-origin', does: 'What is set, and by what' },
      { run: 'docsctl config list --profile local', does: 'What would count with another profile' },
    ],
    see: ['profiles list', 'help profiles', 'help environment'],
    run: list,
  },
  {
    use: 'get <key>',
    words: { key: () => keys },
    summary: 'Print one setting.',
    description: `The value alone, as it counts here and now: from a variable, the project file or the profile. The settings are ${meanings}.`,
    flags: [showOrigin],
    examples: [
      { run: 'docsctl config get org', does: 'The organization that is meant where none is named' },
      { run: 'docsctl config get profile --show-origin', does: 'Which profile, and why' },
    ],
    exits: { 1: 'it is not set', 2: 'there is no such setting' },
    see: ['config list', 'config set'],
    run: get,
  },
  {
    use: 'set <key> <value>',
    words: { key: () => keys },
    summary: 'Change a setting of the profile in use.',
    description: `The settings are ${meanings}; with --profile those of another profile. Ids are kept as they are given, without asking the service whether it knows them. "profile" is which profile is in use. A new address makes the profile forget its token.`,
    examples: [
      { run: 'docsctl config set space handbook0001', does: 'Mean this space where none is named' },
      { run: 'docsctl config set org "$(docsctl orgs list --limit 1 -o id)"', does: 'And this organization' },
    ],
    exits: {
      2: 'there is no such setting, or the value is empty',
      3: 'no profile is in use',
      5: 'there is no such profile',
    },
    see: ['config list', 'config unset', 'profiles use'],
    run: set,
  },
  {
    use: 'unset <key>',
    words: { key: () => keys },
    summary: 'Remove a setting of the profile in use.',
    description:
      'With --profile that of another profile. What variables and .docsctl.yaml say stays. An address cannot be removed: "profiles delete" takes the whole profile.',
    examples: [
      { run: 'docsctl config unset space', does: 'Mean no space where none is named' },
      { run: 'docsctl config unset site --dry-run', does: 'Say what would be removed' },
    ],
    exits: { 2: 'there is no such setting, or it is the address', 5: 'there is no such profile' },
    see: ['config set', 'profiles delete'],
    run: unset,
  },
  {
    use: 'path',
    summary: 'Print where the settings are kept.',
    description:
      'The file with the profiles, whether it is there yet or not. Tokens are never in it: they are in the keyring, or in credentials.json beside it. DOCSCTL_CONFIG_DIR names another folder.',
    examples: [
      { run: 'docsctl config path', does: 'Where the file is' },
      { run: 'cp "$(docsctl config path)" config-before.json', does: 'Keep a copy of it' },
    ],
    see: ['config list', 'help environment'],
    run: async ({ io }) => {
      await io.out.write(`${configFile()}\n`);
    },
  },
];
export default nodes;
