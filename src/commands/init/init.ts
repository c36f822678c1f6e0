import { resolve } from 'node:path';
import { updateConfig } from '../../cli/settings/config.ts';
import { forgetToken } from '../../cli/settings/credentials.ts';
import { assertDatabaseFolder, assertFile } from '../../cli/settings/database-folder.ts';
import { print } from '../../cli/command/invocation.ts';
import { withProgress } from '../../cli/command/invocation.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import type { Flag, Invocation } from '../../cli/command/command.ts';
import { command, type InvocationOf } from '../../cli/command/define.ts';
import type { Instance } from '../../server/engine/instance.ts';
import { assertEmpty, assertEmptyDatabase } from '../../store/assert-empty.ts';
import { chooseLocalProfile, type LocalProfile, replacementNote } from '../shared/local-profile.ts';

const flags = [
  {
    flags: '--demo',
    description: 'add demo data: an organization with 2,500 members, teams, spaces and change requests',
  },
  { flags: '--db <file>', description: 'database file (default local.db in the data folder)' },
  { flags: '--title <title>', description: 'title of the organization in a new database (default Local)' },
] as const satisfies readonly Flag[];

/** Creates the database with its organization and administrator, and a profile that opens it directly. */
async function init(invocation: InvocationOf<'init', typeof flags>): Promise<void> {
  const { io, globals } = invocation;
  const { db, title, demo } = invocation.flags;
  if (db !== undefined) assertFile(db);
  const file = resolve(db ?? defaultDatabase());
  assertDatabaseFolder(file);
  const url = `embedded:${file}`;
  const profile = await chooseLocalProfile(invocation, (existing) => existing.url === url);
  if (globals.dryRun) {
    if (demo) await assertEmptyDatabase(file, '--demo');
    return io.note(`Would create ${file} and the profile "${profile.name}".${replacementNote(profile)}`);
  }
  const { openInstance } = await import('../../server/open-instance.ts');
  const { administrator } = await import('../../server/organizations/bootstrap.ts');
  const instance = await openInstance({ file, ...(title === undefined ? {} : { bootstrap: { title } }) });
  try {
    const founder = await instance.store.read(administrator);
    if (!founder) throw new Error(`${file} has no administrator.`);
    const { organization } = founder;
    if (demo) await fillDemo(invocation, instance);
    const before = await useProfile(profile, url, organization);
    const verb = instance.store.fresh ? 'Created' : 'Found';
    await io.note(
      `${verb} ${file}. The profile "${profile.name}" uses it; try "docsctl members list".${replacementNote(profile)}`,
    );
    if (before !== undefined && before !== profile.name)
      await io.note(`The previous profile was "${before}"; "docsctl profiles use ${before}" switches back to it.`);
    await print(invocation, {
      profile: profile.name,
      database: file,
      organization,
      ...(profile.replaced === undefined ? {} : { replaced: profile.replaced.url }),
    });
  } finally {
    await instance.close();
  }
}

async function fillDemo({ io }: Invocation, instance: Instance): Promise<void> {
  if (!instance.store.fresh) await assertEmpty(instance.store, '--demo');
  const { seedDemo } = await import('../../server/demo/demo.ts');
  await withProgress(io, 'Creating the demo data', () => seedDemo(instance));
}

/** Saves the profile and makes it the current one. @returns the previous current profile */
async function useProfile({ name, replaced }: LocalProfile, url: string, org: string): Promise<string | undefined> {
  const before = await updateConfig((config) => {
    // The default space and site of another service do not exist here.
    config.profiles[name] = { ...(replaced ? {} : config.profiles[name]), url, org };
    const { current } = config;
    config.current = name;
    return current;
  });
  // The token of the replaced profile belongs to another service.
  if (replaced) await forgetToken(name);
  return before;
}

export default command({
  use: 'init',
  changes: ['files', 'settings'],
  prints: async () => (await import('../shared/printed-local.ts')).instance,
  summary: 'Create a local instance and a profile for it.',
  description:
    'The instance is a database file with an organization and an administrator. Commands open the file directly, as this administrator, so you need no server and no token. The profile becomes the current one; its name is that of --profile, or "local", or "local-2" if that is taken. An existing database is kept, with its profile. To remove an instance, delete the file and the profile.',
  examples: {
    'Create the local instance, or use the existing one': 'docsctl init',
    'Create a demo instance with the profile "demo"': 'docsctl init --demo --db demo.db --profile demo',
    'Preview what would be created': 'docsctl init --db other.db --dry-run',
  },
  exitStatuses: {
    1: 'the file is not a database or cannot be written, or its folder does not exist',
    2: 'the token of the profile in --profile would be lost, and --yes is missing',
    6: 'with --demo: the database already has data',
  },
  seeAlso: ['serve', 'profiles list', 'doctor'],
  flags,
  run: init,
});
