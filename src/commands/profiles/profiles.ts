import type { Profile } from '../../cli/settings/config.ts';
import { updateConfig } from '../../cli/settings/config.ts';
import { forgetToken, placeOfToken, renameToken, writeToken } from '../../cli/settings/credentials.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { argument, type Invocation, outputOptions, print } from '../../cli/command/invocation.ts';
import type { Column } from '../../cli/output/index.ts';
import { profileNamed } from '../../cli/settings/profile.ts';
import { foldersAllowed, forgetPermissions } from '../../cli/settings/project-permission.ts';
import { embeddedFile } from '../../cli/settings/session.ts';
import type { Flag, Node } from '../../cli/command/command.ts';
import { checkProfileName, normalized } from './address.ts';

const columns: Column[] = [
  { key: 'name', kind: 'id' },
  { key: 'current', kind: 'boolean', style: { true: 'good' } },
  { key: 'url', title: 'Address' },
  { key: 'org', title: 'Organization', kind: 'id', optional: true },
  { key: 'space', kind: 'id', optional: true },
  { key: 'site', kind: 'id', optional: true },
  { key: 'token', title: 'Token in' },
];

const card: Column[] = [...columns, { key: 'folders', title: 'Allowed in', kind: 'list' }];

const defaults: Flag[] = [
  { flags: '--org <id>', description: 'organization where none is named' },
  { flags: '--space <id>', description: 'space where none is named' },
  { flags: '--site <id>', description: 'site where none is named' },
];

/** A profile as it is shown: never with its token. */
function shown(name: string, profile: Profile, inUse: string | undefined) {
  const token = embeddedFile(profile.url) === undefined ? (placeOfToken(name) ?? 'none') : 'not needed';
  return { name, current: name === inUse, ...profile, token };
}

async function list(invocation: Invocation) {
  const { session, io } = invocation;
  const { name: inUse, refusal } = await session.profileStatus();
  const rows = Object.entries(session.config.profiles).map(([name, profile]) => shown(name, profile, inUse));
  const { createListOutput } = await import('../../cli/output/index.ts');
  const output = createListOutput(outputOptions(invocation, { idKey: 'name' }), columns, io.out);
  await output.page(rows);
  await output.end();
  if (refusal) await io.note(`${refusal.message} ${refusal.hint ?? ''}`.trimEnd());
  if (rows.length === 0)
    await io.note(
      'There is no profile. Make one with "docsctl auth login", or with "docsctl init" for a local instance.',
    );
}

async function view(invocation: Invocation) {
  const { session } = invocation;
  const { name: inUse, refusal } = await session.profileStatus();
  const argumentName = invocation.args.name as string | undefined;
  if (argumentName === undefined && refusal) throw refusal;
  const name = argumentName ?? inUse ?? (await chosen(invocation));
  const profile = profileNamed(session.config.profiles, name);
  await print(invocation, { ...shown(name, profile, inUse), folders: foldersAllowed(name) });
}

async function create(invocation: Invocation) {
  const { flags, globals, io } = invocation;
  const name = argument(invocation, 'name');
  checkProfileName(name);
  if (globals.url === undefined) throw new UsageError('Which service? No address is given.', 'Give --url https://...');
  const profile: Profile = { url: normalized(globals.url), ...picked(flags) };
  if (globals.dryRun) return io.note(`Would make the profile "${name}" for ${profile.url}.`);
  const isCurrent = await updateConfig((config) => {
    if (config.profiles[name])
      throw new CommandError(`There is a profile "${name}" already.`, {
        exitCode: exit.refused,
        hint: `Change it with "docsctl config set url ... --profile ${name}", or delete it first.`,
      });
    config.profiles[name] = profile;
    if (flags.use || config.current === undefined) config.current = name;
    return config.current === name;
  });
  // What was kept under this name belonged to another profile.
  await writeToken(name, undefined);
  await io.note(
    `Made the profile "${name}"${isCurrent ? ', which is in use now' : ''}.${
      embeddedFile(profile.url) === undefined ? ` Sign in with "docsctl auth login --profile ${name}".` : ''
    }`,
  );
  await print(invocation, shown(name, profile, isCurrent ? name : undefined));
}

const picked = ({ org, space, site }: Record<string, any>): Partial<Profile> => ({
  ...(org === undefined ? {} : { org }),
  ...(space === undefined ? {} : { space }),
  ...(site === undefined ? {} : { site }),
});

async function use(invocation: Invocation) {
  const { globals, io, session } = invocation;
  const name = (invocation.args.name as string | undefined) ?? (await chosen(invocation));
  if (globals.dryRun) {
    profileNamed(session.config.profiles, name);
    return io.note(`Would use the profile "${name}" from now on.`);
  }
  const profile = await updateConfig((config) => {
    const found = profileNamed(config.profiles, name);
    config.current = name;
    return found;
  });
  await io.note(`The profile "${name}" is used from now on: ${profile.url}.`);
  await sayOverruled(invocation, name);
}

/** What goes before the current profile is easily forgotten. */
async function sayOverruled({ session, io, globals }: Invocation, name: string) {
  const { DOCSCTL_URL, DOCSCTL_PROFILE } = session.env;
  if (DOCSCTL_URL) await io.note('DOCSCTL_URL is set and goes before it.');
  else if (DOCSCTL_PROFILE && DOCSCTL_PROFILE !== name)
    await io.note(`DOCSCTL_PROFILE=${DOCSCTL_PROFILE} goes before it.`);
  else if (globals.profile === undefined) {
    const project = await session.project();
    if (project?.profile !== undefined && project.profile !== name)
      await io.note(`Here ${project.file} names "${project.profile}", which goes before it.`);
  }
}

async function rename(invocation: Invocation) {
  const { globals, io, session } = invocation;
  const from = argument(invocation, 'old');
  const to = argument(invocation, 'new');
  checkProfileName(to);
  const fail = (profiles: Record<string, Profile>) => {
    profileNamed(profiles, from);
    if (profiles[to] && from !== to)
      throw new CommandError(`There is a profile "${to}" already.`, { exitCode: exit.refused });
  };
  if (globals.dryRun) {
    fail(session.config.profiles);
    return io.note(`Would rename the profile "${from}" to "${to}".`);
  }
  await updateConfig((config) => {
    fail(config.profiles);
    if (from === to) return;
    // In its old place among the others.
    config.profiles = Object.fromEntries(
      Object.entries(config.profiles).map(([name, profile]) => [name === from ? to : name, profile]),
    );
    if (config.current === from) config.current = to;
  });
  if (from !== to) {
    await renameToken(from, to);
    await forgetPermissions(from);
  }
  await io.note(`The profile "${from}" is called "${to}" now.`);
}

async function remove(invocation: Invocation) {
  const { globals, io, session } = invocation;
  const given = (invocation.args.name as string[] | undefined) ?? [];
  const names = [...new Set(given.length > 0 ? given : [await chosen(invocation)])];
  for (const name of names) profileNamed(session.config.profiles, name);
  const told = names.map((name) => `"${name}"`).join(', ');
  if (globals.dryRun) return io.note(`Would delete the profile${names.length > 1 ? 's' : ''} ${told}, with the token.`);
  const { confirmQuestion } = await import('../../cli/command/confirm.ts');
  await confirmQuestion(invocation, `Delete the profile${names.length > 1 ? 's' : ''} ${told}, with the token?`);
  for (const name of names) {
    try {
      await forgetToken(name);
    } catch (error) {
      await io.note(`${(error as Error).message} It stays there, and nothing refers to it any more.`);
      await writeToken(name, undefined);
    }
    await updateConfig((config) => {
      delete config.profiles[name];
      if (config.current === name) delete config.current;
    });
    await forgetPermissions(name);
    await io.note(`Deleted the profile "${name}".`);
  }
  const { current, profiles } = (await import('../../cli/settings/config.ts')).readConfig();
  if (current === undefined && Object.keys(profiles).length > 0)
    await io.note('No profile is in use now. Choose one with "docsctl profiles use".');
}

async function chosen(invocation: Invocation): Promise<string> {
  const { io, path, session } = invocation;
  const profiles = Object.entries(session.config.profiles);
  if (!io.interactive || profiles.length === 0)
    throw new UsageError('<name> is missing.', `See "docsctl ${path} --help".`);
  const { openPrompt } = await import('../../cli/prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  return prompt.select({
    message: 'Which profile?',
    choices: profiles.map(([name, { url }]) => ({ value: name, title: name, note: url })),
    ...(session.config.current === undefined ? {} : { start: session.config.current }),
  });
}

const existingNames = ({ session }: Invocation, given: readonly string[]) =>
  Object.keys(session.config.profiles).filter((name) => !given.includes(name));

const nodes: Node[] = [
  {
    use: 'list',
    help: {
      summary: 'List the profiles.',
      description:
        'With the address, the defaults and where the token lies, never the token itself. No service is asked: whether a token still works is told by "auth status".',
      examples: [
        { run: 'docsctl profiles list', does: 'Which services are set up, and which one is in use' },
        { run: "docsctl profiles list --jq '.[] | select(.current) | .name'", does: 'The one in use, for a script' },
      ],
      seeAlso: ['auth status', 'profiles use', 'help profiles'],
    },
    output: {
      columns,
    },
    run: list,
  },
  {
    use: 'view [name]',
    help: {
      summary: 'Show a profile; without a name the one in use.',
      description:
        'What is kept under that name, and the folders whose .docsctl.yaml may choose it. Flags, variables and .docsctl.yaml may say otherwise for a command: "config list --show-origin" shows what counts.',
      examples: [
        { run: 'docsctl profiles view', does: 'The one in use' },
        { run: 'docsctl profiles view local --jq .url', does: 'The address of the local instance' },
      ],
      exitStatuses: { 3: 'the project file chooses a profile that is not allowed here', 5: 'there is no such profile' },
      seeAlso: ['config list', 'profiles list', 'profiles allow'],
    },
    input: {
      suggestions: { name: existingNames },
    },
    output: {
      columns,
      card,
    },
    run: view,
  },
  {
    use: 'create <name>',
    help: {
      summary: 'Make a profile for the service at --url.',
      description:
        'Nothing is asked and nobody signs in: "auth login" does both, and keeps a token. The address is https://..., or embedded:<file> for an instance in the same process. It is in use at once where there was no other; else with --use.',
      examples: [
        { run: 'docsctl profiles create work --url https://docs.example', does: 'A second service' },
        {
          run: 'docsctl profiles create handbook --url embedded: --space handbook0001 --use',
          does: 'The local instance with a space of its own as default',
        },
      ],
      exitStatuses: { 2: 'there is no --url, or it is no address', 6: 'there is a profile of this name' },
      seeAlso: ['auth login', 'profiles use'],
    },
    input: {
      flags: [...defaults, { flags: '--use', description: 'use it from now on' }],
    },
    output: {
      columns,
    },
    run: create,
  },
  {
    use: 'use [name]',
    help: {
      summary: 'Use a profile from now on.',
      description:
        'Without a name it asks, in a terminal. Commands that are running keep theirs. For one command there is --profile, for one shell DOCSCTL_PROFILE, for one folder "profile:" in .docsctl.yaml, once "profiles allow" allowed it: these go before it.',
      examples: [
        { run: 'docsctl profiles use local', does: 'Work with the local instance' },
        { run: 'docsctl profiles use local --dry-run', does: 'Only see whether there is such a profile' },
      ],
      exitStatuses: { 5: 'there is no such profile' },
      seeAlso: ['profiles list', 'help profiles'],
    },
    input: {
      suggestions: { name: existingNames },
    },
    run: use,
  },
  {
    use: 'allow [folder]',
    help: {
      summary: 'Let the project file of a folder choose its profile.',
      description:
        'A .docsctl.yaml may come from anybody, so the profile it names is used only after you allowed it, for this folder and this profile. Without a folder it is the working directory; the file may be above it. In a terminal a command that needs the profile asks once; elsewhere it ends with status 3, with --yes too. Completions send nothing before.\n\nIt is not needed where --profile or DOCSCTL_PROFILE names the profile, or DOCSCTL_URL and DOCSCTL_TOKEN give the service and its token, as in CI. The permission is kept beside the profiles; nothing is written into the folder.',
      examples: [
        { run: 'docsctl profiles allow handbook', does: 'Let handbook/.docsctl.yaml choose' },
        { run: 'docsctl profiles allow handbook --dry-run', does: 'Only see which profile it names' },
      ],
      exitStatuses: {
        2: 'the file names no profile, or cannot be read',
        5: 'there is no project file, or no profile of that name',
      },
      seeAlso: ['profiles deny', 'profiles view', 'help profiles'],
    },
    run: async (invocation) => (await import('./allow.ts')).allow(invocation),
  },
  {
    use: 'deny [folder]',
    help: {
      summary: 'Take back what was allowed for a folder.',
      description:
        'Its .docsctl.yaml chooses no profile any more, and nobody is asked about the one it names now: commands that would need it end with status 3 until "profiles allow" allows it. It works for a folder that is gone, too. "profiles view" shows where a profile is allowed.',
      examples: [
        { run: 'docsctl profiles deny handbook', does: 'Use no profile because of handbook/.docsctl.yaml' },
        { run: 'docsctl profiles deny handbook --dry-run', does: 'Only see which file that is' },
      ],
      exitStatuses: { 2: 'the file cannot be read', 5: 'there is no project file, and nothing was allowed there' },
      seeAlso: ['profiles allow', 'profiles view'],
    },
    run: async (invocation) => (await import('./allow.ts')).deny(invocation),
  },
  {
    use: 'rename <old> <new>',
    help: {
      summary: 'Give a profile another name.',
      description:
        'Its token and defaults go with it, and it stays in use where it was. DOCSCTL_PROFILE and .docsctl.yaml files that name it are not changed; under its new name it is allowed in no folder.',
      examples: [
        { run: 'docsctl profiles rename local sandbox', does: 'Another name for the local instance' },
        { run: 'docsctl profiles rename local sandbox --dry-run', does: 'Only see whether the names are good' },
      ],
      exitStatuses: { 5: 'there is no such profile', 6: 'the new name is taken' },
      seeAlso: ['profiles list', 'profiles use'],
    },
    input: {
      suggestions: { old: existingNames },
    },
    run: rename,
  },
  {
    use: 'delete [name...]',
    help: {
      summary: 'Delete profiles with their tokens.',
      description:
        'They are gone from this machine for good; "auth login" makes them anew. The service keeps all it has, the token stays valid there, and the database of a local instance stays. Where the profile in use is deleted, none is in use.',
      examples: [
        { run: 'docsctl profiles delete local --yes', does: 'The database of the local instance stays' },
        { run: 'docsctl profiles delete local --dry-run', does: 'Say what would go' },
      ],
      exitStatuses: { 2: 'not confirmed: --yes is needed where nobody can be asked', 5: 'there is no such profile' },
      seeAlso: ['auth logout', 'profiles use'],
    },
    input: {
      suggestions: { name: existingNames },
    },
    run: remove,
  },
];
export default nodes;
