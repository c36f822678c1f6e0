import { resolve } from 'node:path';
import { updateConfig } from '../../cli/settings/config.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { type Invocation, print } from '../../cli/command/invocation.ts';
import { createProgress } from '../../cli/output/index.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import type { Command } from '../../cli/command/command.ts';

/** Makes the database with its organization and administrator, and the profile that uses it in this process. */
async function init(invocation: Invocation) {
  const { flags, io, globals } = invocation;
  const file = resolve(flags.db ?? defaultDatabase());
  const name: string = globals.profile ?? 'local';
  if (globals.dryRun) {
    await io.note(`Would make ${file} and the profile "${name}".`);
    return;
  }
  const { openInstance } = await import('../../server/open-instance.ts');
  const { administrator } = await import('../../server/organizations/bootstrap.ts');
  const instance = await openInstance({
    file,
    ...(flags.title === undefined ? {} : { founding: { title: flags.title } }),
  });
  try {
    const { organization } = (await instance.store.read(administrator))!;
    if (flags.demo) {
      if (!instance.store.fresh && !(await isEmpty(instance.store, organization))) {
        throw new CommandError(`${file} holds data already, so it is not filled with the demo.`, {
          exitCode: exit.refused,
          hint: 'Name another file with --db, or leave --demo out.',
        });
      }
      const { seedDemo } = await import('../../server/demo/demo.ts');
      const progress = createProgress('Filling the demo', { animated: io.canAnimate });
      await seedDemo(instance).finally(() => progress.stop());
    }
    await updateConfig((config) => {
      config.profiles[name] = { ...config.profiles[name], url: `embedded:${file}`, org: organization };
      config.current = name;
    });
    await io.note(
      `${instance.store.fresh ? 'Made' : 'Found'} ${file}. The profile "${name}" uses it; try "docsctl members list".`,
    );
    await print(invocation, { profile: name, database: file, organization });
  } finally {
    await instance.close();
  }
}

async function isEmpty(
  store: { read<T>(work: (db: any) => Promise<T>): Promise<T> },
  organization: string,
): Promise<boolean> {
  const row = await store.read((db) =>
    db.selectFrom('organization').select('spaces').where('id', '=', organization).executeTakeFirst(),
  );
  return (row as { spaces: number } | undefined)?.spaces === 0;
}

const command: Command = {
  use: 'init',
  help: {
    summary: 'Make a local instance and the profile that uses it.',
    description:
      'The instance is a file with an organization and its administrator, whom you act as: commands open it in their own process, so no server has to run and no token is needed. The profile is called "local", or as --profile says, and is in use from then on. A database that is there already is kept as it is. To be rid of it all, delete the file and the profile.',
    examples: [
      { run: 'docsctl init', does: 'Make the local instance, or take the one that is there' },
      {
        run: 'docsctl init --demo --db demo.db --profile demo',
        does: 'One more, with data to try things on, as the profile "demo"',
      },
      { run: 'docsctl init --db other.db --dry-run', does: 'Say what would be made' },
    ],
    exitStatuses: {
      1: 'the file is no database, or cannot be written',
      6: '--demo, and the database holds data already',
    },
    seeAlso: ['serve', 'profiles list', 'doctor'],
  },
  input: {
    flags: [
      {
        flags: '--demo',
        description: 'fill it: an organization with 2,500 members, teams, spaces and change requests',
      },
      { flags: '--db <file>', description: 'file of the database (default local.db in the data folder)' },
      { flags: '--title <title>', description: 'title of the organization of a new database (default Local)' },
    ],
  },
  run: init,
};
export default command;
