import { command } from '../../cli/command/define.ts';
import { databaseFlag } from './database-flag.ts';
import { defaultHost, defaultLog, defaultPort } from './defaults.ts';
import { tokenCommands } from './token-commands.ts';

const serve = command({
  use: 'serve',
  help: {
    summary: 'Run the local instance over HTTP.',
    description:
      'Runs until it is interrupted. The exit status is then 0; it is 130 or 143 if requests were cut off because they took longer than 4 s. A database that does not exist is created, with an organization, an administrator and a token. The token is shown only once, and kept in a profile: that of --profile, else "local", else "local-2" where that name is taken. Later starts create no token ("serve token create" does), but give the profile of the database the address of this start. If DOCSCTL_SERVE_TOKEN is set, it is the token.\n\nThe database may be one of PostgreSQL, which any number of processes can serve at the same time: --db takes an address without a password, and DOCSCTL_SERVE_DB one with or without. Passwords are also read from PGPASSWORD and ~/.pgpass.\n\nOnly this machine can connect unless --host says otherwise. There is no encryption: put a proxy with TLS in front of it. Other commands may use the same database at the same time. With --json the result is one line: {"url","token","organization","user","database","profile"}; without a token it has a "hint", and "notes" where the profile changed.',
    examples: [
      { run: 'docsctl serve --port 0 --json', does: 'On any free port, printed as a line of JSON, for a script' },
      { run: 'docsctl serve --db demo.db --seed demo --port 0', does: 'With example data' },
      {
        run: 'docsctl serve --port 0 --fault rate=0.1,status=429,retry-after=1',
        does: 'Refuse every tenth request, to test how a script handles it',
      },
    ],
    exitStatuses: {
      1: 'the port is in use, the file is not a database, or its folder does not exist',
      2: 'a value is not valid, or DOCSCTL_SERVE_TOKEN is too short',
      6: 'with --seed: the database has data already',
    },
    seeAlso: ['init', 'serve token create', 'serve backup', 'serve check'],
  },
  input: {
    flags: [
      { flags: '--host <host>', description: 'address to listen on', default: defaultHost },
      { flags: '--port <port>', description: 'port to listen on; 0 picks a free one', default: defaultPort },
      {
        flags: '--db <database>',
        description: 'file of the database, or postgres://user@host/name (default local.db in the data folder)',
      },
      { flags: '--seed <what>', description: 'fill a database without data with example data', choices: ['demo'] },
      { flags: '--public-url <address>', description: 'address at which others can reach it' },
      { flags: '--allow-host <name>', description: 'also accept this host name (repeatable)', repeatable: true },
      {
        flags: '--log <form>',
        description: 'how to log each request on standard error',
        choices: ['text', 'json', 'off'],
        default: defaultLog,
      },
      {
        flags: '--fault <what>',
        description:
          'inject faults into requests (repeatable): rate=0.1,status=429,retry-after=1; latency=200ms; reset-after=7pages; truncate',
        // Rules hold commas.
        repeatable: 'verbatim',
      },
      { flags: '--import-pages <number>', description: 'limit of pages for the import of a website (default 500)' },
      {
        flags: '--import-depth <number>',
        description: 'limit of links followed from the first page of an import (default 10)',
      },
      {
        flags: '--body-memory <MiB>',
        description: 'limit of memory for the bodies of all current requests; beyond it they get 503 (default 256)',
      },
      {
        flags: '--font <file>',
        description: 'draw PDFs with this font where the built-in ones lack letters (repeatable)',
        repeatable: 'verbatim',
      },
      { flags: '--record <file>', description: 'append every request and its answer to this file, without tokens' },
      { flags: '--replay <file>', description: 'answer from a recording instead of the database' },
      {
        flags: '--cors <origin>',
        description: 'allow requests from web pages of this origin (repeatable)',
        repeatable: true,
      },
    ],
  },
  endsQuietly: true,
  run: async (invocation) => (await import('./run-service.ts')).runService(invocation),
  subcommands: [
    tokenCommands,
    command({
      use: 'backup <file>',
      help: {
        summary: 'Copy the database while it is in use.',
        description:
          'The copy is complete and consistent, and includes all tokens. It gets its name only when it is complete. An existing file is not overwritten. To restore it, stop everything that uses the database and replace the database by the copy.',
        examples: [
          { run: 'docsctl serve backup before-import.db', does: 'Before a change that cannot be undone' },
          { run: 'docsctl serve backup "docs-$(date +%F).db"', does: 'One for each day, for a timer' },
        ],
        exitStatuses: { 2: 'there is no such database', 6: 'the file exists already' },
        seeAlso: ['serve check', 'serve'],
      },
      input: {
        flags: [databaseFlag],
      },
      run: async (invocation) => (await import('./backup.ts')).backup(invocation),
    }),
    command({
      use: 'copy',
      help: {
        summary: 'Copy a database to PostgreSQL, or back to a file.',
        description:
          'Everything is copied with its ids, tokens and passwords of links included, in one transaction. The numbers and the checksums of the rows of both are compared before it ends. The target must be empty, or a file that does not exist; if the command fails or is ended, it stays so. The source is not changed, but what is written to it meanwhile is not in the copy: stop what serves it first. A password of PostgreSQL comes from PGPASSWORD, ~/.pgpass or DOCSCTL_SERVE_DB.',
        examples: [
          {
            run: 'docsctl serve copy --from local.db --to postgres://docs@db.example/docs',
            does: 'Move a local instance to PostgreSQL',
          },
          {
            run: 'docsctl serve copy --from postgres://docs@db.example/docs --to copy.db',
            does: 'Copy it back into a file, to try something on it',
          },
        ],
        exitStatuses: {
          2: 'there is no such database, or a password stands in the command line',
          6: 'the target has data already',
          7: 'the database cannot be reached',
          9: 'the rows of both are not the same',
        },
        seeAlso: ['serve backup', 'serve check', 'serve'],
      },
      input: {
        flags: [
          { flags: '--from <database>', description: 'path of a file, or postgres://user@host/name' },
          { flags: '--to <database>', description: 'path of a new file, or postgres://user@host/name' },
        ],
      },
      output: { columns: [{ key: 'table' }, { key: 'rows' }, { key: 'checksum', optional: true }] },
      run: async (invocation) => (await import('./copy.ts')).copy(invocation),
    }),
    command({
      use: 'check',
      help: {
        summary: 'Check the database: structure, references, counters.',
        description:
          'Checks that the file is intact, that references lead to existing rows, and that counters equal the number of rows. It changes nothing: if a check fails, restore a backup. The instance may be running.',
        examples: [
          { run: 'docsctl serve check', does: 'Check the local instance' },
          {
            run: 'docsctl serve backup copy.db && docsctl serve check --db copy.db',
            does: 'Make a copy and check that',
          },
        ],
        seeAlso: ['serve backup', 'doctor'],
        exitStatuses: { 2: 'there is no such database', 9: 'a check failed' },
      },
      input: {
        flags: [databaseFlag],
      },
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
