import { paramNames } from '../../contract/path.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomicSync } from '../../shared/atomic-write.ts';
import { hasMembers } from '../../shared/is-object.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { argumentsOf, type Command, type Invocation } from '../command/command.ts';
import { paramOf } from '../command/flags.ts';
import { visible } from '../output/index.ts';
import type { Candidate } from '../naming/candidates.ts';
import { namedRequests } from '../naming/named-requests.ts';
import { commandOf } from '../program/command-tree.ts';
import { cacheDir } from '../settings/paths.ts';
import type { Line } from './command-line.ts';

export interface Suggestion {
  value: string;
  description: string;
}

interface NamedObject {
  id: string;
  title: string;
  /** What can be written instead of the id; absent if others have the same name. */
  name?: string;
}

const cachedMs = 60_000;
/** After a failure, the service is not asked again at every key. */
const failureCachedMs = 10_000;
const timeoutMs = 1200;
const maxIds = 10_000;

/**
 * Names of objects with their ids beside them, and where no name begins so, ids with their titles. They come from the
 * service and are cached for a minute; none when it does not answer.
 */
export async function objectsOf(
  invocation: Invocation,
  line: Line,
  param: string,
  begun: string,
): Promise<Suggestion[]> {
  const all = await namedObjects(invocation, line, param);
  const names = all.flatMap(({ name, id, title }) =>
    name === undefined ? [] : [{ value: name, description: title === name ? id : `${id}  ${title}` }],
  );
  const isName = names.some(({ value }) => value.startsWith(begun));
  const withoutName = all.filter(({ name }) => name === undefined || !isName);
  return [...(isName ? names : []), ...withoutName.map(({ id, title }) => ({ value: id, description: title }))];
}

async function namedObjects(invocation: Invocation, line: Line, param: string): Promise<NamedObject[]> {
  const command = commandOf(line.command);
  if (!command) return [];
  const requests = namedRequests(invocation.session, line.flags);
  const run: Invocation = { ...invocation, ...requests, command, flags: line.flags };
  const { profile, url, as } = line.flags;
  Object.assign(run.globals, {
    ...(typeof profile === 'string' ? { profile } : {}),
    ...(typeof url === 'string' ? { url } : {}),
  });
  const params = paramsOfLine(line, command, param);
  // A project file may choose a profile that the user has not allowed: then nothing is sent, not even to DOCSCTL_URL.
  const profileInUse = await run.session.profileInUse({ ask: false });
  const address = await run.session.address({ ask: false });
  const scopes = await Promise.all(
    (['org', 'space', 'site'] as const).map((name) => run.session.scope(name, textOf(line.flags[name]))),
  );
  const file = cacheFile([
    address.value,
    profileInUse?.value,
    param,
    command.endpoint?.path,
    params,
    scopes.map((scope) => scope?.value),
    as,
  ]);
  const cached = readCache(file);
  if (cached) return cached;
  const { objects, isComplete } = await readObjects(run, param, params);
  writeCache(file, objects, isComplete ? cachedMs : failureCachedMs);
  return objects;
}

/** The path parameters that the command line gives, without the one that is being completed. */
function paramsOfLine({ positional, flags }: Line, command: Command, param: string): Record<string, string> {
  const params: Record<string, string> = {};
  const names = paramNames(command.endpoint?.path ?? '');
  for (const [index, { name }] of argumentsOf(command.use).entries()) {
    const filled = paramOf(name, names, command.input?.params);
    const value = positional[index];
    if (filled !== undefined && value !== undefined && filled !== param) params[filled] = value;
  }
  if (typeof flags.cr === 'string') params.changeRequestId = flags.cr;
  return params;
}

const textOf = (flag: string | boolean | undefined) => (typeof flag === 'string' ? flag : undefined);

/** As many objects as arrive in time. Requests still in progress are ended when the client is closed. */
async function readObjects(
  invocation: Invocation,
  param: string,
  params: Record<string, string>,
): Promise<{ objects: NamedObject[]; isComplete: boolean }> {
  const candidates: Candidate[] = [];
  const read = async () => {
    const { suggest } = await import('../command/choose.ts');
    for await (const page of suggest(invocation, param, params)) {
      candidates.push(...page);
      if (candidates.length >= maxIds) break;
    }
    return true;
  };
  const time = Promise.withResolvers<false>();
  const timer = setTimeout(() => time.resolve(false), timeoutMs);
  const isComplete = await Promise.race([read().catch(() => false), time.promise]);
  clearTimeout(timer);
  return { objects: namedObjectsOf(candidates), isComplete };
}

function namedObjectsOf(candidates: readonly Candidate[]): NamedObject[] {
  const names = candidates.map(({ titles, paths }) => titles[0] ?? paths[0]);
  const counts = Map.groupBy(names, (name) => name?.toLowerCase());
  return candidates.flatMap(({ id, title }, index) => {
    // An id with invisible characters is not suggested.
    if (id !== visible(id)) return [];
    const name = names[index];
    const isUsable = name !== undefined && isUnmistakable(name) && counts.get(name.toLowerCase())?.length === 1;
    return [{ id, title: visible(title), ...(isUsable ? { name } : {}) }];
  });
}

/** Whether a name means the same on a command line: a comma parts values, a dash begins a flag. */
const isUnmistakable = (name: string) => name === visible(name) && !/,|^-|^@|^(?:id|title|path):/.test(name);

const cacheFile = (key: unknown) =>
  join(
    cacheDir(),
    'completions',
    `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)}.json`,
  );

function readCache(file: string): NamedObject[] | undefined {
  try {
    const cache: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!hasMembers(cache) || typeof cache.until !== 'number' || !Array.isArray(cache.objects)) return undefined;
    // The upper limit matters when the clock has been set back.
    const isValid = cache.until > Date.now() && cache.until <= Date.now() + cachedMs;
    return isValid ? cache.objects.filter(isNamedObject) : undefined;
  } catch {
    return undefined;
  }
}

const isNamedObject = (value: unknown): value is NamedObject =>
  hasMembers(value) &&
  typeof value.id === 'string' &&
  typeof value.title === 'string' &&
  (value.name === undefined || typeof value.name === 'string');

function writeCache(file: string, objects: NamedObject[], lifetimeMs: number): void {
  try {
    makeFolder(join(cacheDir(), 'completions'), 0o700);
    writeFileAtomicSync(file, JSON.stringify({ until: Date.now() + lifetimeMs, objects }), 0o600);
  } catch {
    // Without the cache, the next completion sends another request.
  }
}
