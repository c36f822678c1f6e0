import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { type Profile, updateConfig } from '../../cli/settings/config.ts';
import { writeToken } from '../../cli/settings/credentials.ts';
import { assertDatabaseFolder } from '../../cli/settings/database-folder.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import type { Instance } from '../../server/engine/instance.ts';
import type { ListenOptions, Listening } from '../../server/http/listen.ts';
import { LazyApp } from '../../app/lazy-app.ts';
import type { AppPort } from '../../app/port.ts';
import { isPostgres, withoutPassword } from '../../shared/database-address.ts';
import { messageOf } from '../../shared/error-text.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { assertEmpty, assertEmptyDatabase } from '../../store/assert-empty.ts';
import { assertFonts } from '../shared/font-files.ts';
import { listenFailure, portOf, printsJson, untilStopped } from '../shared/listening.ts';
import { type LocalProfile, chooseLocalProfile } from '../shared/local-profile.ts';
import { namedDatabase } from './database.ts';
import { defaultHost, defaultLog, defaultPort, type ServeInvocation } from './options.ts';
import { wholeNumber } from '../shared/whole-number.ts';

/** How long texts may still be parsed after a signal. After that, their requests get 503. */
const textsGraceMs = 3_000;

/** How often to check for due jobs. On a shared database, this also takes over the jobs of processes that died. */
const catchUpEveryMs = { alone: 3_600_000, shared: 15_000 };

/** Serves the instance over HTTP until a signal stops it. */
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
  const instance = await openInstanceOf(invocation, database);
  // Recorded answers have no application around them.
  instance.hasApp = flags.app !== false && flags.replay === undefined;
  try {
    const access = await grantAccess(instance, flags.seed);
    const counted = countRequests(instance);
    const listening = await listenAt(invocation, counted.instance, address);
    instance.base = flags.publicUrl?.replace(/\/$/, '') ?? listening.url;
    // With --replay, the responses do not come from the database of the profile.
    const isKept = access.newToken !== undefined || flags.replay === undefined;
    const kept = isKept
      ? await keepProfile(profile, { file, url: listening.url, ...access }, session.config.profiles)
      : undefined;
    const announcement: Announcement = { file, listening, access, kept };
    await (printsJson(invocation) ? announceAsJson(io, announcement) : announce(io, announcement));
    const every = instance.store.isShared ? catchUpEveryMs.shared : catchUpEveryMs.alone;
    // Jobs that fail are still due the next time.
    const timer = setInterval(() => void catchUp(instance).catch(() => {}), every);
    await untilStopped(signal);
    const cut = await stop(listening, counted);
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
  // Node.js would listen on all addresses of the machine.
  if (host === '')
    throw new UsageError('--host must not be empty. 127.0.0.1 accepts connections only from this machine.');
  return { host, port: portOf(port) };
}

async function openInstanceOf({ flags, io }: ServeInvocation, database: string): Promise<Instance> {
  const { openInstance } = await import('../../server/open-instance.ts');
  const allowPrivateSources = process.env.DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS === '1';
  const pages = wholeNumber('--import-pages', flags.importPages);
  const depth = wholeNumber('--import-depth', flags.importDepth);
  return openInstance({
    file: database,
    fonts: (flags.font ?? []).map((font) => resolve(font)),
    importLimits: withoutUndefined({ pages, depth }),
    allowPrivateImports: flags.allowPrivateAddresses === true || allowPrivateSources,
    allowPrivateSources,
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
  /** A new token, or that of DOCSCTL_SERVE_TOKEN. */
  token: string | undefined;
  /** Undefined if no token was created. */
  newToken: string | undefined;
}

/** Adds the example data, and creates the first token of a new database or that of DOCSCTL_SERVE_TOKEN. @throws UsageError */
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
  if (chosenToken !== undefined && !/^[\x21-\x7e]{8,}$/.test(chosenToken))
    throw new UsageError('DOCSCTL_SERVE_TOKEN must have at least 8 characters, without spaces.');
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
  const app = instance.hasApp ? new LazyApp(() => appPort(instance)) : undefined;
  try {
    return await listen(instance, {
      host,
      port,
      hosts: flags.allowHost ?? [],
      cors: flags.cors ?? [],
      app,
      ...options,
    });
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

async function appPort(instance: Instance): Promise<AppPort> {
  const { Sessions } = await import('../../server/http/sign-in.ts');
  const onError = (error: unknown) => instance.log.error('application', error);
  return { instance, sessions: new Sessions(instance), onError };
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
  // The notes and the hint are included, because standard error may be a log in JSON.
  const line = {
    url,
    token,
    organization,
    user,
    database: file,
    profile: kept?.name,
    hint: token === undefined ? tokenHint(file) : undefined,
    notes: notes.length === 0 ? undefined : notes,
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

/** Stops the service. @returns the number of requests that were cut off */
async function stop(listening: Listening, counted: CountedInstance): Promise<number> {
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

/** An instance with the number of requests in progress. */
interface CountedInstance {
  instance: Instance;
  requests(): number;
}

function countRequests(instance: Instance): CountedInstance {
  let requests = 0;
  const counted: Instance = {
    ...instance,
    // Set once the service listens.
    get base() {
      return instance.base;
    },
    async handle(request) {
      requests += 1;
      try {
        return await instance.handle(request);
      } finally {
        requests -= 1;
      }
    },
  };
  return { instance: counted, requests: () => requests };
}

interface Service {
  file: string;
  url: string;
  organization: string;
  newToken: string | undefined;
}

/** The saved profile of a service, and what changed in it. */
interface KeptProfile {
  name: string;
  /** Whether it is new, and another profile is the current one. */
  isAside: boolean;
  /** Its previous address for the same database. */
  movedFrom: string | undefined;
  /** The address of the other service that it was for. */
  replaced: string | undefined;
}

/**
 * Saves a new token in a profile. Without a new token, updates the address in the profile of the database, because the
 * service may listen on another port than before.
 *
 * @returns undefined if the database has no profile
 */
async function keepProfile(
  { name, replaced }: LocalProfile,
  { file, url, organization, newToken }: Service,
  profiles: Readonly<Record<string, Profile>>,
): Promise<KeptProfile | undefined> {
  if (newToken === undefined) {
    const own = profiles[name];
    if (own?.database !== file) return undefined;
    // Without a change, the settings may be read-only.
    if (own.url === url) return { name, isAside: false, movedFrom: undefined, replaced: undefined };
  }
  const kept = await updateConfig((config): KeptProfile | undefined => {
    const before = config.profiles[name];
    const isOwn = before?.database === file;
    if (newToken === undefined && !isOwn) return undefined;
    // The previous default space and site do not exist in a new database.
    config.profiles[name] =
      newToken === undefined && before ? { ...before, url } : { url, org: organization, database: file };
    if (newToken !== undefined) config.current ??= name;
    return {
      name,
      isAside: newToken !== undefined && config.current !== name,
      movedFrom: isOwn && before.url !== url ? before.url : undefined,
      replaced: replaced?.url,
    };
  });
  if (newToken !== undefined) await writeToken(name, newToken);
  return kept;
}

/** What users should know about the profile. */
function notesOn(kept: KeptProfile | undefined): string[] {
  if (kept === undefined) return [];
  const { name, isAside, movedFrom, replaced } = kept;
  return [
    ...(replaced === undefined ? [] : [`The profile "${name}" was for ${replaced} before.`]),
    ...(movedFrom === undefined ? [] : [`The profile "${name}" has the new address; it was ${movedFrom}.`]),
    ...(isAside
      ? [`Use it with --profile ${name}, or make it the current one with "docsctl profiles use ${name}".`]
      : []),
  ];
}

type Io = Invocation['io'];

/** Logs, memory for bodies, fault injection, recording and replay. @throws UsageError */
async function listenOptionsOf(flags: ServeInvocation['flags'], io: Io): Promise<Partial<ListenOptions>> {
  const bodyMemory = wholeNumber('--body-memory', flags.bodyMemory);
  const options: Partial<ListenOptions> = {
    log: loggerOf(flags.log ?? defaultLog, io),
    ...(bodyMemory === undefined ? {} : { bodyMemory: bodyMemory * 1024 * 1024 }),
  };
  try {
    if (flags.fault) {
      const { parseFault } = await import('../../server/http/fault-injection.ts');
      options.faults = flags.fault.map(parseFault);
    }
    if (flags.record) options.record = (await import('../../server/http/recording.ts')).createRecorder(flags.record);
    if (flags.replay) options.replay = await replayOf(flags.replay, io);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
  return options;
}

function loggerOf(form: 'text' | 'json' | 'off', io: Io): ListenOptions['log'] {
  switch (form) {
    case 'text':
      return ({ method, path, status, ms, requestId }) =>
        void io.err.write(`${visibleLines(`${method} ${path}`)} ${status} ${ms.toFixed(1)} ms ${requestId}\n`);
    case 'json':
      return (line) => {
        const time = new Date().toISOString();
        void io.err.write(`${JSON.stringify({ time, ...line, ms: Number(line.ms.toFixed(1)) })}\n`);
      };
    case 'off':
      return undefined;
  }
}

/** @throws InvalidRecording */
async function replayOf(file: string, io: Io): Promise<NonNullable<ListenOptions['replay']>> {
  const { createReplay } = await import('../../server/http/recording.ts');
  const { answer, skipped } = createReplay(file);
  if (skipped.length > 0) {
    const lines = skipped.slice(0, 10).join(', ') + (skipped.length > 10 ? ', ...' : '');
    const what =
      skipped.length === 1
        ? '1 line is not a recorded request and was'
        : `${skipped.length} lines are not recorded requests and were`;
    await io.err.write(visibleLines(`warning: ${file}: ${what} skipped: line ${lines}.\n`));
  }
  return answer;
}
