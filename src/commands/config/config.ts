import { configFile, updateConfig } from '../../cli/settings/config.ts';
import { forgetToken, placeOfToken } from '../../cli/settings/credentials.ts';
import { nearest } from '../../shared/suggest.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { argument, type Invocation, outputOptions, print } from '../../cli/command/invocation.ts';
import type { Column } from '../../cli/output/index.ts';
import { profileNamed } from '../../cli/settings/profile.ts';
import { ProfileNotAllowed } from '../../cli/settings/project-permission.ts';
import type { Session, Setting } from '../../cli/settings/session.ts';
import type { Flag, Node } from '../../cli/command/command.ts';
import { normalized } from '../profiles/address.ts';

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
    const name = await session.profileInUse({ ask: false });
    if (name?.origin === 'flag') profileNamed(session.config.profiles, name.value, name.source);
    return name;
  }
  try {
    return await (key === 'url' ? session.address({ ask: false }) : session.scope(key, undefined, { ask: false }));
  } catch (error) {
    // Without a service there are no defaults of one either.
    if ((error as CommandError).exitCode === exit.unauthenticated && !(error instanceof ProfileNotAllowed))
      return undefined;
    throw error;
  }
}

const row = (key: Key, { value, origin, source }: Setting, isWhole: boolean) =>
  isWhole ? { key, value, origin, source } : { key, value };

async function list(invocation: Invocation) {
  const { session, flags, io } = invocation;
  const rows = [];
  let refusal: ProfileNotAllowed | undefined;
  for (const key of keys) {
    try {
      const setting = await settingOf(session, key);
      if (setting) rows.push(row(key, setting, flags.showOrigin));
    } catch (error) {
      if (!(error instanceof ProfileNotAllowed)) throw error;
      refusal = error;
    }
  }
  const { createListOutput } = await import('../../cli/output/index.ts');
  const shown = flags.showOrigin ? originColumns : columns;
  const output = createListOutput(outputOptions(invocation, { idKey: 'key' }), shown, io.out);
  await output.page(rows);
  await output.end();
  if (refusal && rows.some(({ key }) => key === 'url')) await io.note(refusal.message);
  // Without the profile, its address and defaults are missing from the list.
  else if (refusal) throw refusal;
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
  const name = await session.profileInUse();
  if (name !== undefined) {
    profileNamed(session.config.profiles, name.value, name.source);
    return name.value;
  }
  throw new CommandError('No profile is in use.', {
    exitCode: exit.unauthenticated,
    hint: 'Make one with "docsctl auth login", "docsctl init" or "docsctl profiles create".',
  });
}

const nodes: Node[] = [
  {
    use: 'list',
    help: {
      summary: 'List the settings that count here and now.',
      description: `The settings are ${meanings}. A flag goes before the environment, that before the project file .docsctl.yaml, that before the profile.`,
      examples: [
        { run: 'docsctl config list --show-origin', does: 'What is set, and by what' },
        { run: 'docsctl config list --profile local', does: 'What would count with another profile' },
      ],
      exitStatuses: { 3: 'the project file chooses a profile that is not allowed here; the rest is listed' },
      seeAlso: ['profiles list', 'profiles allow', 'help profiles', 'help environment'],
    },
    input: {
      flags: [showOrigin],
    },
    output: {
      columns,
    },
    run: list,
  },
  {
    use: 'get <key>',
    help: {
      summary: 'Print one setting.',
      description: `The value alone, as it counts here and now: from a variable, the project file or the profile. The settings are ${meanings}.`,
      examples: [
        { run: 'docsctl config get org', does: 'The organization that is meant where none is named' },
        { run: 'docsctl config get profile --show-origin', does: 'Which profile, and why' },
      ],
      exitStatuses: {
        1: 'it is not set',
        2: 'there is no such setting',
        3: 'the project file chooses a profile that is not allowed here',
      },
      seeAlso: ['config list', 'config set'],
    },
    input: {
      suggestions: { key: () => keys },
      flags: [showOrigin],
    },
    run: get,
  },
  {
    use: 'set <key> <value>',
    help: {
      summary: 'Change a setting of the profile in use.',
      description: `The settings are ${meanings}; with --profile those of another profile. Ids are kept as they are given, without asking the service whether it knows them. "profile" is which profile is in use. A new address makes the profile forget its token.`,
      examples: [
        { run: 'docsctl config set space handbook0001', does: 'Mean this space where none is named' },
        { run: 'docsctl config set org "$(docsctl orgs list --limit 1 -o id)"', does: 'And this organization' },
      ],
      exitStatuses: {
        2: 'there is no such setting, or the value is empty',
        3: 'no profile is in use',
        5: 'there is no such profile',
      },
      seeAlso: ['config list', 'config unset', 'profiles use'],
    },
    input: {
      suggestions: { key: () => keys },
    },
    run: set,
  },
  {
    use: 'unset <key>',
    help: {
      summary: 'Remove a setting of the profile in use.',
      description:
        'With --profile that of another profile. What variables and .docsctl.yaml say stays. An address cannot be removed: "profiles delete" takes the whole profile.',
      examples: [
        { run: 'docsctl config unset space', does: 'Mean no space where none is named' },
        { run: 'docsctl config unset site --dry-run', does: 'Say what would be removed' },
      ],
      exitStatuses: { 2: 'there is no such setting, or it is the address', 5: 'there is no such profile' },
      seeAlso: ['config set', 'profiles delete'],
    },
    input: {
      suggestions: { key: () => keys },
    },
    run: unset,
  },
  {
    use: 'path',
    help: {
      summary: 'Print where the settings are kept.',
      description:
        'The file with the profiles, whether it is there yet or not. Tokens are never in it: they are in the keyring, or in credentials.json beside it. DOCSCTL_CONFIG_DIR names another folder.',
      examples: [
        { run: 'docsctl config path', does: 'Where the file is' },
        { run: 'cp "$(docsctl config path)" config-before.json', does: 'Keep a copy of it' },
      ],
      seeAlso: ['config list', 'help environment'],
    },
    run: async ({ io }) => {
      await io.out.write(`${configFile()}\n`);
    },
  },
];
export default nodes;
