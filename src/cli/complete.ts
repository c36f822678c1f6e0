import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command as Commander, Option } from 'commander';
import { paramNames, paramOf } from './derive.ts';
import { globalOptions } from './globals.ts';
import type { Invocation } from './invocation.ts';
import { visible } from './output/index.ts';
import { cacheDir } from './places.ts';
import { commandOf, load } from './program.ts';
import { argumentsOf } from './tree.ts';

export interface Suggestion {
  value: string;
  description: string;
}

const cachedMs = 60_000;

/** Flags whose value names something that the service lists. */
const flagParams: Record<string, string> = {
  org: 'orgId',
  to: 'orgId',
  space: 'spaceId',
  site: 'siteId',
  cr: 'changeRequestId',
  parent: 'collectionId',
  collection: 'collectionId',
  section: 'siteSectionId',
  contributor: 'userId',
  owner: 'userId',
  user: 'userId',
  as: 'userId',
  defaultTeam: 'teamId',
};

/** What may stand at the end of a command line that is being written: its last word is begun. */
export async function complete(invocation: Invocation, words: readonly string[]): Promise<Suggestion[]> {
  const line = await read(invocation.program, words.slice(0, -1));
  const begun = words.at(-1) ?? '';
  const all = await candidates(invocation, line, begun);
  return all.filter(({ value }) => value.startsWith(begun));
}

interface Line {
  at: Commander;
  positional: string[];
  flags: Record<string, string | boolean>;
  /** The flag whose value comes next. */
  pending: Option | undefined;
}

/** Reads a command line as far as it is written, forgiving what is not complete yet. */
async function read(program: Commander, words: readonly string[]): Promise<Line> {
  const line: Line = { at: program, positional: [], flags: {}, pending: undefined };
  for (const word of words) {
    // bash takes `--output=json` apart into three words.
    if (word === '=') continue;
    if (line.pending) {
      line.flags[line.pending.attributeName()] = word;
      line.pending = undefined;
    } else if (word.startsWith('-')) {
      const [name, value] = word.split('=', 2);
      const option = optionsOf(line.at).find(({ long, short }) => long === name || short === name);
      if (!option) continue;
      if (value !== undefined) line.flags[option.attributeName()] = value;
      else if (option.required) line.pending = option;
      else line.flags[option.attributeName()] = true;
    } else {
      const below =
        line.positional.length === 0
          ? line.at.commands.find((sub) => sub.name() === word || sub.aliases().includes(word))
          : undefined;
      if (below) line.at = await load(below);
      else line.positional.push(word);
    }
  }
  return line;
}

const optionsOf = (at: Commander): Option[] => [...at.options, ...globalOptions()];

async function candidates(invocation: Invocation, line: Line, begun: string): Promise<Suggestion[]> {
  const { at, positional, pending } = line;
  if (pending) return valuesOf(invocation, line, pending);
  if (begun.startsWith('-')) {
    return optionsOf(at)
      .filter(({ hidden, long }) => !hidden && long)
      .map(({ long, description }) => ({ value: long!, description }));
  }
  const below =
    positional.length === 0 ? at.commands.filter((sub) => !(sub as unknown as { _hidden: boolean })._hidden) : [];
  if (below.length > 0) return below.map((sub) => ({ value: sub.name(), description: sub.summary() }));
  const command = commandOf(at);
  const args = command ? argumentsOf(command.use) : [];
  const argument = args[positional.length] ?? (args.at(-1)?.variadic ? args.at(-1) : undefined);
  if (!command || !argument) return [];
  const param = paramOf(argument.name, paramNames(command.endpoint?.path ?? ''), command.params);
  return param === undefined ? [] : idsOf(invocation, line, param);
}

async function valuesOf(invocation: Invocation, line: Line, option: Option): Promise<Suggestion[]> {
  if (option.argChoices) return option.argChoices.map((value) => ({ value, description: '' }));
  const name = option.attributeName();
  if (name === 'profile') {
    return Object.entries(invocation.session.config.profiles).map(([value, { url }]) => ({ value, description: url }));
  }
  if (name === 'columns')
    return (commandOf(line.at)?.columns ?? []).map(({ key, title = '' }) => ({ value: key, description: title }));
  const param = flagParams[name];
  return param === undefined ? [] : idsOf(invocation, line, param);
}

/** Ids with their titles from the service: remembered for a minute, and nothing at all when it does not answer. */
async function idsOf(invocation: Invocation, line: Line, param: string): Promise<Suggestion[]> {
  const command = commandOf(line.at);
  if (!command) return [];
  const asked: Invocation = { ...invocation, command, flags: line.flags };
  Object.assign(asked.globals, {
    ...(typeof line.flags.profile === 'string' ? { profile: line.flags.profile } : {}),
    ...(typeof line.flags.url === 'string' ? { url: line.flags.url } : {}),
  });
  const known: Record<string, string> = {};
  const names = paramNames(command.endpoint?.path ?? '');
  for (const [at, { name }] of argumentsOf(command.use).entries()) {
    const filled = paramOf(name, names, command.params);
    const value = line.positional[at];
    if (filled !== undefined && value !== undefined && filled !== param) known[filled] = value;
  }
  if (typeof line.flags.cr === 'string') known.changeRequestId = line.flags.cr;
  const address = await asked.session.address();
  const scopes = await Promise.all(
    (['org', 'space', 'site'] as const).map((name) =>
      asked.session.scope(name, line.flags[name] as string | undefined),
    ),
  );
  const file = cacheFile([
    address.value,
    param,
    command.endpoint?.path,
    known,
    scopes.map((scope) => scope?.value),
    line.flags.as,
  ]);
  const kept = readCache(file);
  if (kept) return kept;
  const { suggest } = await import('./choose.ts');
  const found = (await suggest(asked, param, known)).map(({ value, title }) => ({
    value,
    description: visible(title ?? ''),
  }));
  writeCache(file, found);
  return found;
}

const cacheFile = (key: unknown) =>
  join(
    cacheDir(),
    'completions',
    `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)}.json`,
  );

function readCache(file: string): Suggestion[] | undefined {
  try {
    const { time, found } = JSON.parse(readFileSync(file, 'utf8')) as { time: number; found: Suggestion[] };
    return Date.now() - time < cachedMs ? found : undefined;
  } catch {
    return undefined;
  }
}

function writeCache(file: string, found: Suggestion[]): void {
  try {
    mkdirSync(join(cacheDir(), 'completions'), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify({ time: Date.now(), found }), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // A completion that is not remembered costs a request more, nothing else.
  }
}
