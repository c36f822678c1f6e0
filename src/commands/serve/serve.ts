import { resolve } from 'node:path';
import { updateConfig } from '../../cli/settings/config.ts';
import { writeToken } from '../../cli/settings/credentials.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/invocation.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import { visibleLines } from '../../cli/output/index.ts';
import type { Command } from '../../cli/command/command.ts';
import type { Listening, ListenOptions } from '../../server/http/listen.ts';
import type { Instance } from '../../server/engine/instance.ts';
import type { Watchdog } from './watchdog.ts';

/** The thread that watches takes the processor for a moment, which whoever waits for the service needs. */
const watchdogDelayMs = 250;

/** A text that is still being read so long after a signal is given up, while its request can still be answered (503). */
const textsGraceMs = 3_000;

/** Runs the instance over HTTP until a signal ends it. */
async function serve(invocation: Invocation) {
  const { flags, io, signal, session } = invocation;
  const file = resolve(flags.db ?? defaultDatabase());
  const port = Number(flags.port);
  // Number() makes 0 of an empty text, as an unset variable in a script gives it.
  if (!/^\d{1,5}$/.test(flags.port) || port > 65535)
    throw new UsageError(`--port must be from 0 to 65535, not "${flags.port}".`);
  // The platform takes an empty host for every address of the machine.
  if (flags.host === '') throw new UsageError('--host must not be empty; 127.0.0.1 is this machine alone.');
  if (session.globals.dryRun) return io.note(`Would serve ${file} at http://${flags.host}:${port}.`);
  const { openInstance, catchUp } = await import('../../server/open-instance.ts');
  const { administrator, grantToken } = await import('../../server/organizations/bootstrap.ts');
  const { listen } = await import('../../server/http/listen.ts');
  const { newToken } = await import('../../server/engine/tokens.ts');
  const asJson = session.globals.json || session.globals.output === 'json';
  const watchdog = (await import('./watchdog.ts')).createWatchdog({ json: asJson });
  const instance = await openInstance({
    file,
    importLimits: importLimitsOf(flags),
    allowPrivateImports: process.env.DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS === '1',
    log: {
      error: (requestId, error) =>
        void io.err.write(`fault ${requestId}: ${(error as Error).stack ?? String(error)}\n`),
    },
  });
  try {
    if (flags.seed === 'demo' && instance.store.fresh)
      await (await import('../../server/demo/demo.ts')).seedDemo(instance);
    const { user, organization } = (await instance.store.read(administrator))!;
    const given = process.env.DOCSCTL_SERVE_TOKEN?.trim();
    if (given !== undefined && !/^[\x21-\x7e]{8,}$/.test(given)) {
      throw new UsageError('DOCSCTL_SERVE_TOKEN must have at least 8 characters, without spaces.');
    }
    // A restart keeps the tokens that are there: only a new file, or a token that is given, makes one.
    const token = given ?? (instance.store.fresh ? newToken() : undefined);
    if (token !== undefined) {
      await instance.store.write((db) =>
        grantToken(db, {
          token,
          user,
          label: given === undefined ? 'serve' : 'DOCSCTL_SERVE_TOKEN',
          now: new Date(instance.now()).toISOString(),
        }),
      );
    }
    const listening = await listen(watchdog.watch(instance), {
      host: flags.host,
      port,
      hosts: flags.allowHost ?? [],
      cors: flags.cors ?? [],
      ...(await optionsOf(invocation)),
    }).catch((error: unknown) => {
      throw cannotListen(error, flags.host, port);
    });
    instance.base = flags.publicUrl?.replace(/\/$/, '') ?? listening.url;
    if (token !== undefined && given === undefined)
      await keep(session.globals.profile ?? 'local', listening.url, organization, token);
    if (asJson) {
      await io.out.write(
        `${JSON.stringify({ url: listening.url, ...(token === undefined ? {} : { token }), organization, user })}\n`,
      );
    } else {
      await io.err.write(`docsctl serves ${file} at ${listening.url}\n`);
      if (token !== undefined && given === undefined)
        await io.err.write(
          `token: ${token}\nIt is shown once, and kept in the profile "${session.globals.profile ?? 'local'}".\n`,
        );
    }
    const hourly = setInterval(() => void catchUp(instance), 3_600_000);
    await untilStopped({ listening, instance, watchdog, signal });
    clearInterval(hourly);
  } finally {
    await instance.close();
  }
}

interface Running {
  listening: Listening;
  instance: Instance;
  watchdog: Watchdog;
  signal: AbortSignal;
}

async function untilStopped({ listening, instance, watchdog, signal }: Running): Promise<void> {
  const starting = setTimeout(() => void watchdog.start(), watchdogDelayMs);
  // A signal may have come while the instance was made.
  if (!signal.aborted)
    await new Promise<void>((resolveStop) => signal.addEventListener('abort', () => resolveStop(), { once: true }));
  clearTimeout(starting);
  const endTexts = setTimeout(() => void instance.texts.close(), textsGraceMs);
  await listening.stop();
  clearTimeout(endTexts);
  if (watchdog.requests() > 0) await watchdog.end();
}

/** @throws UsageError */
function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`${flag} must be a whole number above 0, not "${text}".`);
  return Number(text);
}

function importLimitsOf(flags: Invocation['flags']) {
  const pages = wholeNumber('--import-pages', flags.importPages);
  const depth = wholeNumber('--import-depth', flags.importDepth);
  return { ...(pages === undefined ? {} : { pages }), ...(depth === undefined ? {} : { depth }) };
}

/** Logs, memory for bodies, faults on demand, recording and replay. */
async function optionsOf({ flags, io }: Invocation): Promise<Partial<ListenOptions>> {
  const log: Record<string, ListenOptions['log']> = {
    text: ({ method, path, status, ms, requestId }) =>
      void io.err.write(`${visibleLines(`${method} ${path}`)} ${status} ${ms.toFixed(1)} ms ${requestId}\n`),
    json: (line) =>
      void io.err.write(
        `${JSON.stringify({ time: new Date().toISOString(), ...line, ms: Number(line.ms.toFixed(1)) })}\n`,
      ),
  };
  const options: Partial<ListenOptions> = { log: log[flags.log] };
  const bodyMemory = wholeNumber('--body-memory', flags.bodyMemory);
  if (bodyMemory !== undefined) options.bodyMemory = bodyMemory * 1024 * 1024;
  try {
    if (flags.fault)
      options.faults = (flags.fault as string[]).map((await import('../../server/http/fault-injection.ts')).parseFault);
    if (flags.record) options.record = (await import('../../server/http/recording.ts')).createRecorder(flags.record);
    if (flags.replay) options.replay = await replayOf(flags.replay, io);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  return options;
}

/** @throws InvalidRecording */
async function replayOf(file: string, io: Invocation['io']): Promise<NonNullable<ListenOptions['replay']>> {
  const { answer, skipped } = (await import('../../server/http/recording.ts')).createReplay(file);
  if (skipped.length > 0) {
    const lines = skipped.slice(0, 10).join(', ') + (skipped.length > 10 ? ', ...' : '');
    const what =
      skipped.length === 1
        ? '1 line is no recorded request and is'
        : `${skipped.length} lines are no recorded requests and are`;
    await io.err.write(visibleLines(`warning: ${file}: ${what} left out: line ${lines}.\n`));
  }
  return answer;
}

async function keep(profile: string, url: string, org: string, token: string) {
  await updateConfig((config) => {
    config.profiles[profile] = { url, org };
    config.current ??= profile;
  });
  await writeToken(profile, token);
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new CommandError(`Port ${port} on ${host} is taken by another program.`, {
      exitCode: exit.failed,
      hint: 'Choose another with --port, or --port 0 for any free one.',
    });
  if (code === 'EACCES')
    return new CommandError(`Port ${port} may not be used by you.`, { hint: 'Choose one above 1023 with --port.' });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandError(`${host} is no address of this machine.`, {
      hint: 'Choose another with --host; 127.0.0.1 is this machine alone.',
    });
  return error;
}

const db = {
  flags: '--db <file>',
  description: 'file of the database (default that of the profile in use, else local.db in the data folder)',
};

const command: Command = {
  use: 'serve',
  help: {
    summary: 'Run the local instance over HTTP.',
    description:
      'Answers until it is interrupted, which ends it with status 0, or with 130 or 143 where requests had to be cut off after 4 s. A database that is not there is made, with an organization, an administrator and a token: the token is shown once and kept in the profile "local", or the one that --profile names. Later starts make none; "serve token create" does. DOCSCTL_SERVE_TOKEN is taken instead where it is set.\n\nOnly this machine is answered unless --host says otherwise, and without encryption: put a proxy with TLS before it. Other commands may use the same database meanwhile. With --json one line says where it is: {"url","token","organization","user"}.',
    examples: [
      { run: 'docsctl serve --port 0 --json', does: 'On any free port, told as a line of JSON, for a script' },
      { run: 'docsctl serve --db demo.db --seed demo --port 0', does: 'With data to try things on' },
      {
        run: 'docsctl serve --port 0 --fault rate=0.1,status=429,retry-after=1',
        does: 'Refuse every tenth request, to see what a script makes of it',
      },
    ],
    exitStatuses: {
      1: 'the port is taken, or the file is no database',
      2: 'a value cannot be used, or DOCSCTL_SERVE_TOKEN is too short',
    },
    seeAlso: ['init', 'serve token create', 'serve backup', 'serve check'],
  },
  input: {
    flags: [
      { flags: '--host <host>', description: 'address to listen on', default: '127.0.0.1' },
      { flags: '--port <port>', description: 'port to listen on; 0 picks a free one', default: '4000' },
      { flags: '--db <file>', description: 'file of the database (default local.db in the data folder)' },
      { flags: '--seed <what>', description: 'fill a database that is made now', choices: ['demo'] },
      { flags: '--public-url <address>', description: 'address under which others reach it' },
      { flags: '--allow-host <name>', description: 'answer under this host name too (repeatable)', repeatable: true },
      {
        flags: '--log <form>',
        description: 'a line for each request on standard error',
        choices: ['text', 'json', 'off'],
        default: 'text',
      },
      {
        flags: '--fault <what>',
        description:
          'let requests go wrong (repeatable): rate=0.1,status=429,retry-after=1; latency=200ms; reset-after=7pages; truncate',
        with: (option) => option.argParser((text: string, before: string[] | undefined = []) => [...before, text]),
      },
      { flags: '--import-pages <number>', description: 'most pages that one import of a website takes (default 500)' },
      {
        flags: '--import-depth <number>',
        description: 'most links an import goes away from its first page (default 10)',
      },
      {
        flags: '--body-memory <MiB>',
        description: 'most memory for the bodies of all requests under way, beyond which they get 503 (default 256)',
      },
      { flags: '--record <file>', description: 'append every request with its answer to this file, without tokens' },
      { flags: '--replay <file>', description: 'answer from a recording instead of the database' },
      { flags: '--cors <origin>', description: 'let pages of this origin call (repeatable)', repeatable: true },
    ],
  },
  endsQuietly: true,
  run: serve,
  subcommands: [
    {
      name: 'token',
      summary: 'tokens of the instance',
      children: [
        {
          use: 'create',
          help: {
            summary: 'Make a token, which is shown once.',
            description:
              'It has all rights of one user: the administrator, or the one that --user names. It is good until it is revoked, or for the days of --expires-in. Only its hash is kept, so copy it now. The instance may be running. No profile is changed: "auth login" makes one with it.',
            examples: [
              {
                run: 'docsctl serve token create --label "build server" --expires-in 90',
                does: 'One of the administrator for a quarter of a year',
              },
              {
                run: 'docsctl serve token create --user member000002 --jq .token > token.txt',
                does: 'One of a member, into a file',
              },
            ],
            exitStatuses: { 2: 'there is no such database', 5: 'there is no such user' },
            seeAlso: ['serve token revoke', 'auth login'],
          },
          input: {
            flags: [
              db,
              { flags: '--user <user>', description: 'whose token: id or e-mail address' },
              { flags: '--label <text>', description: 'what it is for, for the list', default: 'docsctl serve token' },
              { flags: '--expires-in <days>', description: 'end it after this many days (default never)' },
            ],
          },
          output: {
            columns: [
              { key: 'token', kind: 'id' },
              { key: 'id', title: 'ID', kind: 'id' },
              { key: 'user', kind: 'id' },
              { key: 'expiresAt', title: 'Expires', kind: 'date' },
            ],
          },
          run: async (invocation) => (await import('./admin.ts')).createToken(invocation),
        },
        {
          use: 'list',
          help: {
            summary: 'List the tokens of the instance; the tokens themselves are not kept.',
            description:
              'Oldest first: whose each is, what it is for, and whether it is active, expired or revoked. Commands on an embedded instance use none, so they are not here.',
            examples: [
              { run: 'docsctl serve token list', does: 'All of them' },
              {
                run: 'docsctl serve token list --jq \'.[] | select(.state == "active") | .id\'',
                does: 'Ids of those that are good',
              },
            ],
            exitStatuses: { 2: 'there is no such database' },
            seeAlso: ['serve token create', 'serve token revoke'],
          },
          input: {
            flags: [db],
          },
          output: {
            columns: [
              { key: 'id', title: 'ID', kind: 'id' },
              { key: 'email', title: 'E-mail' },
              { key: 'label' },
              { key: 'state', kind: 'state', style: { active: 'good', revoked: 'bad', expired: 'dim' } },
              { key: 'createdAt', title: 'Created', kind: 'date' },
            ],
          },
          run: async (invocation) => (await import('./admin.ts')).listTokens(invocation),
        },
        {
          use: 'revoke <token-id...>',
          help: {
            summary: 'Revoke tokens by their ids: they are refused from then on.',
            description:
              'At once, in a running instance too, and for good. All of them or, where an id is not known, none. They stay in the list as revoked.',
            examples: [
              {
                run: 'docsctl serve token revoke "$(docsctl serve token create --jq .id)"',
                does: 'One by its id, here one that was just made',
              },
              {
                run: 'docsctl serve token create -q; docsctl serve token list -o id | docsctl serve token revoke -',
                does: 'All of them',
              },
            ],
            exitStatuses: { 2: 'there is no such database', 5: 'there is no such token; none was revoked' },
            seeAlso: ['serve token list', 'auth logout'],
          },
          input: {
            suggestions: { 'token-id': async (invocation) => (await import('./admin.ts')).tokenWords(invocation) },
            flags: [db],
          },
          run: async (invocation) => (await import('./admin.ts')).revokeTokens(invocation),
        },
      ],
    },
    {
      use: 'backup <file>',
      help: {
        summary: 'Copy the database while it is in use.',
        description:
          'The copy is whole and consistent, with all tokens, and has its name only when it is complete. A file that is there is not overwritten. To go back, stop what uses the database and put the copy in its place.',
        examples: [
          { run: 'docsctl serve backup before-import.db', does: 'Before something that cannot be undone' },
          { run: 'docsctl serve backup "docs-$(date +%F).db"', does: 'One for each day, for a timer' },
        ],
        exitStatuses: { 2: 'there is no such database', 6: 'the file is there already' },
        seeAlso: ['serve check', 'serve'],
      },
      input: {
        flags: [db],
      },
      run: async (invocation) => (await import('./admin.ts')).backup(invocation),
    },
    {
      use: 'check',
      help: {
        summary: 'Check the database: structure, references, counters.',
        description:
          'Whether the file is whole, everything that is referred to is there, and counts are those of the rows. It reads only and mends nothing: what failed is mended by a backup. The instance may be running.',
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
        flags: [db],
      },
      output: {
        columns: [
          { key: 'check' },
          { key: 'result', kind: 'state', style: { ok: 'good', failed: 'bad' } },
          { key: 'detail' },
        ],
      },
      run: async (invocation) => (await import('./admin.ts')).check(invocation),
    },
  ],
};
export default command;
