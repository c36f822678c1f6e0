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
import { commandOf } from '../program/command-tree.ts';
import { cacheDir } from '../settings/paths.ts';
import type { Line } from './command-line.ts';

export interface Suggestion {
  value: string;
  description: string;
}

const cachedMs = 60_000;
/** After a failure, the service is not asked again at every key. */
const failureCachedMs = 10_000;
const timeoutMs = 1200;
const maxIds = 10_000;

/** Ids with their titles from the service, cached for a minute; none when it does not answer. */
export async function idsOf(invocation: Invocation, line: Line, param: string): Promise<Suggestion[]> {
  const command = commandOf(line.command);
  if (!command) return [];
  const run: Invocation = { ...invocation, command, flags: line.flags };
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
  const { suggestions, isComplete } = await readIds(run, param, params);
  writeCache(file, suggestions, isComplete ? cachedMs : failureCachedMs);
  return suggestions;
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

/** As many ids as arrive in time. Requests still in progress are ended when the client is closed. */
async function readIds(
  invocation: Invocation,
  param: string,
  params: Record<string, string>,
): Promise<{ suggestions: Suggestion[]; isComplete: boolean }> {
  const suggestions: Suggestion[] = [];
  const read = async () => {
    const { suggest } = await import('../command/choose.ts');
    for await (const choices of suggest(invocation, param, params)) {
      for (const { value, title } of choices) {
        // An id with invisible characters is not suggested.
        if (value === visible(value)) suggestions.push({ value, description: visible(title ?? '') });
      }
      if (suggestions.length >= maxIds) break;
    }
    return true;
  };
  const time = Promise.withResolvers<false>();
  const timer = setTimeout(() => time.resolve(false), timeoutMs);
  const isComplete = await Promise.race([read().catch(() => false), time.promise]);
  clearTimeout(timer);
  return { suggestions: [...suggestions], isComplete };
}

const cacheFile = (key: unknown) =>
  join(
    cacheDir(),
    'completions',
    `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)}.json`,
  );

function readCache(file: string): Suggestion[] | undefined {
  try {
    const cache: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!hasMembers(cache) || typeof cache.until !== 'number' || !Array.isArray(cache.suggestions)) return undefined;
    // The upper limit matters when the clock has been set back.
    const isValid = cache.until > Date.now() && cache.until <= Date.now() + cachedMs;
    return isValid ? cache.suggestions.filter(isSuggestion) : undefined;
  } catch {
    return undefined;
  }
}

const isSuggestion = (value: unknown): value is Suggestion =>
  hasMembers(value) && typeof value.value === 'string' && typeof value.description === 'string';

function writeCache(file: string, suggestions: Suggestion[], lifetimeMs: number): void {
  try {
    makeFolder(join(cacheDir(), 'completions'), 0o700);
    writeFileAtomicSync(file, JSON.stringify({ until: Date.now() + lifetimeMs, suggestions }), 0o600);
  } catch {
    // Without the cache, the next completion sends another request.
  }
}
