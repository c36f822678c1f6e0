import { resolve } from 'node:path';
import { updateConfig } from '../../cli/settings/config.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { print } from '../../cli/command/invocation.ts';
import { createProgress } from '../../cli/output/index.ts';
import { assertDatabaseFolder } from '../../cli/settings/database-folder.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import type { Flag } from '../../cli/command/command.ts';
import { command, type InvocationOf } from '../../cli/command/define.ts';
import type { Store } from '../../store/store.ts';

const flags = [
  {
    flags: '--demo',
    description: 'fill it: an organization with 2,500 members, teams, spaces and change requests',
  },
  { flags: '--db <file>', description: 'file of the database (default local.db in the data folder)' },
  { flags: '--title <title>', description: 'title of the organization of a new database (default Local)' },
] as const satisfies readonly Flag[];

/** Creates the database with its organization and administrator, and the profile that uses it in this process. */
async function init(invocation: InvocationOf<'init', typeof flags>): Promise<void> {
  const { io, globals } = invocation;
  const { db, title, demo } = invocation.flags;
  const file = resolve(db ?? defaultDatabase());
  assertDatabaseFolder(file);
  const profile = globals.profile ?? 'local';
  if (globals.dryRun) return io.note(`Would create ${file} and the profile "${profile}".`);
  const { openInstance } = await import('../../server/open-instance.ts');
  const { administrator } = await import('../../server/organizations/bootstrap.ts');
  const instance = await openInstance({ file, ...(title === undefined ? {} : { bootstrap: { title } }) });
  try {
    const founder = await instance.store.read(administrator);
    if (!founder) throw new Error(`${file} has no administrator.`);
    const { organization } = founder;
    if (demo) {
      await refuseUnlessEmpty(instance.store, organization);
      const { seedDemo } = await import('../../server/demo/demo.ts');
      const progress = createProgress('Filling the demo', { animated: io.canAnimate });
      await seedDemo(instance).finally(() => progress.stop());
    }
    await updateConfig((config) => {
      config.profiles[profile] = { ...config.profiles[profile], url: `embedded:${file}`, org: organization };
      config.current = profile;
    });
    await io.note(
      `${instance.store.fresh ? 'Created' : 'Found'} ${file}. The profile "${profile}" uses it; try "docsctl members list".`,
    );
    await print(invocation, { profile, database: file, organization });
  } finally {
    await instance.close();
  }
}

/** @throws CommandError (status 6) where the database has data that the demo would mix with */
async function refuseUnlessEmpty(store: Store, organization: string): Promise<void> {
  if (store.fresh) return;
  const row = await store.read((db) =>
    db.selectFrom('organization').select('spaces').where('id', '=', organization).executeTakeFirst(),
  );
  if (row?.spaces === 0) return;
  throw new CommandError(`${store.file} has data already, so it is not filled with the demo.`, {
    exitCode: exit.refused,
    hint: 'Use another file with --db, or leave out --demo.',
  });
}

export default command({
  use: 'init',
  help: {
    summary: 'Create a local instance and the profile that uses it.',
    description:
      'The instance is a file with an organization and its administrator, who is the user of every command. Commands open the file in their own process, so no server has to run and no token is needed. The profile is called "local", or as --profile says, and is in use from then on. A database that exists is kept as it is. To remove everything, delete the file and the profile.',
    examples: [
      { run: 'docsctl init', does: 'Create the local instance, or use the one that exists' },
      {
        run: 'docsctl init --demo --db demo.db --profile demo',
        does: 'Another one with data to try things on, as the profile "demo"',
      },
      { run: 'docsctl init --db other.db --dry-run', does: 'Show what would be created' },
    ],
    exitStatuses: {
      1: 'the file is not a database, or cannot be written',
      6: 'with --demo: the database has data already',
    },
    seeAlso: ['serve', 'profiles list', 'doctor'],
  },
  input: { flags },
  run: init,
});
