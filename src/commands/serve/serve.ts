import { command } from '../../cli/command/define.ts';
import { databaseFlag, serveFlags } from './options.ts';
import { tokenCommands } from './token-commands.ts';

const serve = command({
  use: 'serve',
  changes: ['files', 'settings'],
  prints: async () => (await import('../shared/printed-local.ts')).listening,
  summary: 'Run the local instance over HTTP.',
  description:
    'Runs until you interrupt it, then finishes running requests within 4 s. Creates the database if it does not exist, with an organization, an administrator and a token, which is shown once and saved in a profile; DOCSCTL_SERVE_TOKEN sets the token. The database may be PostgreSQL, with passwords from DOCSCTL_SERVE_DB, PGPASSWORD or ~/.pgpass. Without --host, only this machine can connect. There is no encryption: use a TLS proxy.',
  examples: {
    'Listen on a free port and print JSON for a script': 'docsctl serve --port 0 --json',
    'Serve example data': 'docsctl serve --db demo.db --seed demo --port 0',
    'Refuse every tenth request to test a script': 'docsctl serve --port 0 --fault rate=0.1,status=429,retry-after=1',
  },
  exitStatuses: {
    1: 'the port is in use, the file is not a database, or its folder does not exist',
    2: 'a value is invalid, or DOCSCTL_SERVE_TOKEN is too short',
    6: 'the database already has data, with --seed',
  },
  docs: 'docs/deployment.md',
  seeAlso: ['init', 'serve token create', 'serve backup', 'serve check'],
  flags: serveFlags,
  endsQuietly: true,
  run: async (invocation) => (await import('./run-service.ts')).runService(invocation),
  subcommands: [
    tokenCommands,
    command({
      use: 'backup <file>',
      changes: ['files'],
      prints: 'nothing',
      summary: 'Back up the database while it is in use.',
      description:
        'The copy is complete and consistent, includes all tokens, and is renamed to its final name when it is complete. Existing files are not overwritten. To restore a backup, stop all users of the database and replace it with the copy.',
      examples: {
        'Back up before an irreversible change': 'docsctl serve backup before-import.db',
        'Create one backup per day from a timer': 'docsctl serve backup "docs-$(date +%F).db"',
      },
      exitStatuses: { 2: 'no such database', 6: 'the file already exists' },
      seeAlso: ['serve check', 'serve'],
      flags: [databaseFlag],
      run: async (invocation) => (await import('./backup.ts')).backup(invocation),
    }),
    command({
      use: 'copy',
      changes: ['files'],
      prints: async () => (await import('../shared/printed-local.ts')).copiedTables,
      summary: 'Copy a database to PostgreSQL, or back to a file.',
      description:
        'Copies everything in one transaction, with IDs, tokens and passwords of links, and compares row counts and checksums. The target must be empty or not exist, and stays that way if the command fails. Stop the instance first: changes made during the copy are not included. PostgreSQL passwords come from PGPASSWORD, ~/.pgpass or DOCSCTL_SERVE_DB.',
      examples: {
        'Move a local instance to PostgreSQL':
          'docsctl serve copy --from local.db --to postgres://docs@db.example/docs',
        'Copy it to a file for experiments': 'docsctl serve copy --from postgres://docs@db.example/docs --to copy.db',
      },
      exitStatuses: {
        2: 'no such database, or a password on the command line',
        6: 'the target already has data',
        7: 'the database is unreachable',
        9: 'the rows differ',
      },
      seeAlso: ['serve backup', 'serve check', 'serve'],
      flags: [
        { flags: '--from <database>', description: 'path of a file, or postgres://user@host/name' },
        { flags: '--to <database>', description: 'path of a new file, or postgres://user@host/name' },
      ],
      output: { columns: [{ key: 'table' }, { key: 'rows' }, { key: 'checksum', optional: true }] },
      run: async (invocation) => (await import('./copy.ts')).copy(invocation),
    }),
    command({
      use: 'check',
      changes: [],
      prints: async () => (await import('../shared/printed-local.ts')).databaseChecks,
      summary: 'Check the database: structure, references, counters.',
      description:
        'Checks that the file is intact, that references point to existing rows, and that counters match the number of rows. Nothing is changed: if a check fails, restore a backup. The instance may be running.',
      examples: {
        'Check the local instance': 'docsctl serve check',
        'Make a backup and check it': 'docsctl serve backup copy.db && docsctl serve check --db copy.db',
      },
      seeAlso: ['serve backup', 'doctor'],
      exitStatuses: { 2: 'no such database', 9: 'a check failed' },
      flags: [databaseFlag],
      output: {
        columns: [
          { key: 'check' },
          { key: 'result', kind: 'state', style: { ok: 'good', failed: 'bad' } },
          { key: 'detail' },
        ],
      },
      run: async (invocation) => (await import('./check.ts')).check(invocation),
    }),
  ],
});
export default serve;
