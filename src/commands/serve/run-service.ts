import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { assertDatabaseFolder } from '../../cli/settings/database-folder.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import type { Instance } from '../../server/engine/instance.ts';
import type { Listening } from '../../server/http/listen.ts';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { assertFonts } from '../shared/font-files.ts';
import { chooseLocalProfile } from '../shared/local-profile.ts';
import { isPostgres, withoutPassword } from '../../shared/database-address.ts';
import { assertEmpty, assertEmptyDatabase } from '../../store/assert-empty.ts';
import { namedDatabase } from './database.ts';
import { defaultHost, defaultPort } from './defaults.ts';
import { keepProfile, type KeptProfile, notesOn } from './service-profile.ts';
import { type ListenFlags, listenOptionsOf, wholeNumber } from './listen-options.ts';
import { countRequests, type CountedInstance } from './count-requests.ts';

type ServeInvocation = Invocation<
  {},
  ListenFlags & {
    host?: string | undefined;
    port?: string | undefined;
    db?: string | undefined;
    seed?: 'demo' | undefined;
    publicUrl?: string | undefined;
    allowHost?: string[] | undefined;
    importPages?: string | undefined;
    importDepth?: string | undefined;
    cors?: string[] | undefined;
    font?: string[] | undefined;
  }
>;

/** A text that is still being read this long after a signal is given up: its request can still be answered (503). */
const textsGraceMs = 3_000;

/** How often to look for what is due; on a shared database also for what another process has left when it died. */
const catchUpEveryMs = { alone: 3_600_000, shared: 15_000 };

/** Runs the instance over HTTP until a signal ends it. */
export async function runService(invocation: ServeInvocation): Promise<void> {
  const { flags, io, signal, session } = invocation;
  const database = namedDatabase(invocation) ?? resolve(defaultDatabase());
  if (!isPostgres(database)) assertDatabaseFolder(database);
  const file = withoutPassword(database);
  const address = addressOf(flags);
  await assertFonts(flags.font ?? []);
  const profile = await chooseLocalProfile(invocation, ({ database }) => database === file);
  if (session.globals.dryRun) {
    if (flags.seed === 'demo') await assertEmptyDatabase(database, '--seed');
    return io.note(`Would serve ${file} at http://${address.host}:${address.port}.`);
  }
  const { catchUp } = await import('../../server/open-instance.ts');
  const json = session.globals.json || session.globals.output === 'json';
  const instance = await openInstanceOf(invocation, database);
  try {
    const access = await grantAccess(instance, flags.seed);
    const counted = countRequests(instance);
    const listening = await listenAt(invocation, counted.instance, address);
    instance.base = flags.publicUrl?.replace(/\/$/, '') ?? listening.url;
    // A recording is not the database of the profile.
    const isKept = access.newToken !== undefined || flags.replay === undefined;
    const kept = isKept
      ? await keepProfile(profile, { file, url: listening.url, ...access }, session.config.profiles)
      : undefined;
    const announcement: Announcement = { file, listening, access, kept };
    await (json ? announceAsJson(io, announcement) : announce(io, announcement));
    const every = instance.store.isShared ? catchUpEveryMs.shared : catchUpEveryMs.alone;
    // What cannot be done now is due the next time too.
    const timer = setInterval(() => void catchUp(instance).catch(() => {}), every);
    const cut = await untilStopped({ listening, counted, signal });
    clearInterval(timer);
    if (cut > 0) throw cutOff(cut, signal);
  } finally {
    await instance.close();
  }
}

interface Address {
  host: string;
  port: number;
}

/** @throws UsageError */
function addressOf({ host = defaultHost, port = defaultPort }: ServeInvocation['flags']): Address {
  // Number() makes 0 of an empty text, which an unset variable in a script gives.
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
    throw new UsageError(`--port must be from 0 to 65535, not "${port}".`);
  }
  // Node takes an empty host for every address of the machine.
  if (host === '') throw new UsageError('--host must not be empty; 127.0.0.1 is this machine alone.');
  return { host, port: Number(port) };
}

async function openInstanceOf({ flags, io }: ServeInvocation, database: string): Promise<Instance> {
  const { openInstance } = await import('../../server/open-instance.ts');
  const pages = wholeNumber('--import-pages', flags.importPages);
  const depth = wholeNumber('--import-depth', flags.importDepth);
  return openInstance({
    file: database,
    fonts: (flags.font ?? []).map((font) => resolve(font)),
    importLimits: { ...(pages === undefined ? {} : { pages }), ...(depth === undefined ? {} : { depth }) },
    allowPrivateImports: process.env.DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS === '1',
    log: {
      error(requestId, error) {
        const text = error instanceof Error ? error.stack : undefined;
        void io.err.write(`internal error ${requestId}: ${text ?? messageOf(error)}\n`);
      },
    },
  });
}

interface Access {
  user: string;
  organization: string;
  /** The token that can be used: a new one, or that of DOCSCTL_SERVE_TOKEN. */
  token: string | undefined;
  /** Undefined where the token comes from DOCSCTL_SERVE_TOKEN. */
  newToken: string | undefined;
}

/** Fills a new database, and makes its first token or that of DOCSCTL_SERVE_TOKEN. @throws UsageError */
async function grantAccess(instance: Instance, seed: 'demo' | undefined): Promise<Access> {
  const { store } = instance;
  const { administrator, grantToken } = await import('../../server/organizations/bootstrap.ts');
  const { newToken: makeToken } = await import('../../server/engine/tokens.ts');
  if (seed === 'demo') {
    if (!store.fresh) await assertEmpty(store, '--seed');
    await (await import('../../server/demo/demo.ts')).seedDemo(instance);
  }
  const admin = await store.read(administrator);
  if (!admin) throw new Error('The database has no administrator.');
  const chosenToken = process.env.DOCSCTL_SERVE_TOKEN?.trim();
  if (chosenToken !== undefined && !/^[\x21-\x7e]{8,}$/.test(chosenToken)) {
    throw new UsageError('DOCSCTL_SERVE_TOKEN must have at least 8 characters, without spaces.');
  }
  // A restart makes no further token.
  const newToken = chosenToken === undefined && store.fresh ? makeToken() : undefined;
  const token = chosenToken ?? newToken;
  if (token !== undefined) {
    const label = chosenToken === undefined ? 'serve' : 'DOCSCTL_SERVE_TOKEN';
    const now = new Date(instance.now()).toISOString();
    await store.write((db) => grantToken(db, { token, user: admin.user, label, now }));
  }
  return { ...admin, token, newToken };
}

async function listenAt(
  { flags, io }: ServeInvocation,
  instance: Instance,
  { host, port }: Address,
): Promise<Listening> {
  const { listen } = await import('../../server/http/listen.ts');
  const options = await listenOptionsOf(flags, io);
  try {
    return await listen(instance, { host, port, hosts: flags.allowHost ?? [], cors: flags.cors ?? [], ...options });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CommandError(`Port ${port} on ${host} is used by another program.`, {
        hint: 'Choose another with --port, or --port 0 for any free one.',
      });
    case 'EACCES':
      return new CommandError(`Port ${port} cannot be used: permission denied.`, {
        hint: 'Choose one above 1023 with --port.',
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandError(`${host} is not an address of this machine.`, {
        hint: 'Choose another with --host; 127.0.0.1 is this machine alone.',
      });
    default:
      return error;
  }
}

interface Announcement {
  file: string;
  listening: Listening;
  access: Access;
  kept: KeptProfile | undefined;
}

async function announceAsJson(
  { out }: ServeInvocation['io'],
  { file, listening: { url }, access: { token, organization, user }, kept }: Announcement,
): Promise<void> {
  const notes = notesOn(kept);
  // All in one line: standard error may be a log in JSON.
  const line = {
    url,
    ...(token === undefined ? {} : { token }),
    organization,
    user,
    database: file,
    ...(kept === undefined ? {} : { profile: kept.name }),
    ...(token === undefined ? { hint: tokenHint(file) } : {}),
    ...(notes.length === 0 ? {} : { notes }),
  };
  await out.write(`${JSON.stringify(line)}\n`);
}

async function announce(
  { err }: ServeInvocation['io'],
  { file, listening, access, kept }: Announcement,
): Promise<void> {
  const lines = [`docsctl serves ${file} at ${listening.url}`];
  if (access.newToken !== undefined) {
    lines.push(`token: ${access.newToken}`, `It is shown only once, and saved in the profile "${kept?.name}".`);
  } else if (access.token === undefined && kept === undefined) lines.push(tokenHint(file));
  await err.write(visibleLines([...lines, ...notesOn(kept), ''].join('\n')));
}

const tokenHint = (file: string) =>
  `No token is created for an existing database. Create one with: ${shellCommand(['docsctl', 'serve', 'token', 'create', '--db', file])}`;

interface RunningService {
  listening: Listening;
  counted: CountedInstance;
  signal: AbortSignal;
}

/** Resolves with the number of requests that were cut off. */
async function untilStopped({ listening, counted, signal }: RunningService): Promise<number> {
  // A signal may have come while the instance was opened.
  if (!signal.aborted) {
    await new Promise<void>((resolveStop) => signal.addEventListener('abort', () => resolveStop(), { once: true }));
  }
  const endTexts = setTimeout(() => void counted.instance.texts.close(), textsGraceMs);
  let cut = 0;
  // Some requests end as soon as their connection is closed, so they are counted before.
  await listening.stop(() => (cut = counted.requests()));
  clearTimeout(endTexts);
  return Math.max(cut, counted.requests());
}

const cutOff = (requests: number, { reason }: AbortSignal) =>
  new CommandError(
    `The service was stopped before it had answered ${requests === 1 ? '1 request' : `${requests} requests`}.`,
    { hint: 'Work in the background continues at the next start.', exitCode: reason.signalStatus },
  );
