import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command as Commander, Option } from 'commander';
import { fieldOf } from '../../contract/fields.ts';
import { paramOfFlag } from '../../contract/objects.ts';
import { flagsOf, paramNames, paramOf } from '../command/flags.ts';
import { writeFileAtomicSync } from '../../shared/atomic-write.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { globalOptions } from '../program/globals.ts';
import type { Invocation } from '../command/invocation.ts';
import { visible } from '../output/index.ts';
import { cacheDir } from '../settings/paths.ts';
import { commandOf, load } from '../program/command-tree.ts';
import { argumentsOf, type Command, type Pair } from '../command/command.ts';

export interface Suggestion {
  value: string;
  description: string;
}

/** What may stand at the cursor: words, or a path, which the shell knows best. */
export interface Completion {
  found: Suggestion[];
  paths?: 'files' | 'folders';
  /** What of the word stands before the path: `--data=@`. */
  before?: string;
}

const cachedMs = 60_000;
/** A service that did not answer is not waited for again at every key. */
const failureCachedMs = 10_000;
/** As long as people wait for a list, and as many as one is looked through. */
const timeoutMs = 1200;
const mostIds = 10_000;

/** Names of arguments, and placeholders of flags, that stand for a path. */
const pathWords: Record<string, 'files' | 'folders'> = {
  file: 'files',
  'file-or-url': 'files',
  source: 'files',
  certificate: 'files',
  folder: 'folders',
};

/** What may stand at the end of a command line that is being written. @param begun its last word, as far as it is written */
export async function complete(invocation: Invocation, words: readonly string[], begun: string): Promise<Completion> {
  const line = await read(invocation.program, words);
  const given = line.pending || line.ended ? null : /^(--[^=]+=)(.*)$/s.exec(begun);
  if (given) line.pending = optionNamed(line.at, given[1]!.slice(0, -1));
  if (given && !line.pending?.required) return { found: [] };
  const value = given ? given[2]! : begun;
  // Of several values with commas between them, the last one is being written.
  const before = line.pending && takesSeveral(line.pending) ? value.slice(0, value.lastIndexOf(',') + 1) : '';
  const own = await candidates(invocation, line, value.slice(before.length));
  const prefix = (given?.[1] ?? '') + before;
  const taken = new Set(before.split(','));
  const inFront = prefix + (own.before ?? '');
  return {
    found: own.found
      .filter((suggestion) => !taken.has(suggestion.value))
      .map((suggestion) => ({ ...suggestion, value: prefix + suggestion.value }))
      .filter((suggestion) => suggestion.value.startsWith(begun)),
    ...(own.paths ? { paths: own.paths } : {}),
    ...(own.paths && inFront !== '' ? { before: inFront } : {}),
  };
}

interface Line {
  at: Commander;
  positional: string[];
  flags: Record<string, string | boolean>;
  /** The flag whose value comes next. */
  pending: Option | undefined;
  /** After `--` there are no flags. */
  ended: boolean;
}

/** Reads a command line as far as it is written, forgiving what is not complete yet. */
async function read(program: Commander, words: readonly string[]): Promise<Line> {
  const line: Line = { at: program, positional: [], flags: {}, pending: undefined, ended: false };
  for (const word of words) {
    if (line.pending) {
      line.flags[line.pending.attributeName()] = word;
      line.pending = undefined;
    } else if (word === '--' && !line.ended) {
      line.ended = true;
    } else if (word.startsWith('-') && word !== '-' && !line.ended) {
      const [name = '', value] = word.split(/=(.*)/s, 2);
      const option = optionNamed(line.at, name);
      if (!option) continue;
      if (value !== undefined) line.flags[option.attributeName()] = value;
      else if (option.required) line.pending = option;
      else line.flags[option.attributeName()] = true;
    } else {
      const below = line.positional.length === 0 ? commandBelow(line.at, word) : undefined;
      if (below) line.at = await load(below);
      else line.positional.push(word);
    }
  }
  return line;
}

const commandBelow = (at: Commander, word: string) =>
  at.commands.find((sub) => sub.name() === word || sub.aliases().includes(word));

/** The flags of a command, and those of every command; its own `--page` or `--version` wins. */
function optionsOf(at: Commander): Option[] {
  const taken = new Set(at.options.map(({ long }) => long));
  return [...at.options, ...globalOptions().filter(({ long }) => !taken.has(long))];
}

const optionNamed = (at: Commander, name: string): Option | undefined =>
  optionsOf(at).find(({ long, short }) => long === name || short === name);

/** Flags that may be given several times read their values into a list. */
function takesSeveral(option: Option): boolean {
  try {
    return Array.isArray(option.parseArg?.('', undefined));
  } catch {
    return false;
  }
}

async function candidates(invocation: Invocation, line: Line, begun: string): Promise<Completion> {
  const { at, positional, pending, ended } = line;
  if (pending) return valuesOf(invocation, line, pending, begun);
  if (begun.startsWith('-') && !ended) return { found: flagsAt(at, begun) };
  const command = commandOf(at);
  const below = positional.length === 0 && !ended ? commandsBelow(at) : [];
  if (below.length > 0) return { found: below };
  if (command?.use.startsWith('help '))
    return {
      found: [...(await topicsAfter(invocation, positional)), ...(await ownWords(invocation, line, command, 'words'))],
    };
  const args = command ? argumentsOf(command.use) : [];
  const argument = args[positional.length] ?? (args.at(-1)?.variadic ? args.at(-1) : undefined);
  if (!command || !argument) return { found: [] };
  const { name } = argument;
  if (command.input?.suggestions?.[name])
    return { found: without(positional, await ownWords(invocation, line, command, name)) };
  const pair = command.input?.pairs?.[name];
  if (pair) return { found: await pairsOf(invocation, line, pair, begun) };
  const param =
    command.input?.objects?.[name]?.(positional) ??
    paramOf(name, paramNames(command.endpoint?.path ?? ''), command.input?.params) ??
    fieldParam(command, name);
  if (param !== undefined) {
    return { found: without(positional, await idsOf(invocation, line, param)) };
  }
  return { found: [], ...(pathWords[name] ? { paths: pathWords[name] } : {}) };
}

/** Flags that say the opposite of others are offered to those who ask for them. */
const flagsAt = (at: Commander, begun: string): Suggestion[] =>
  optionsOf(at)
    .filter(({ hidden, long, negate }) => long && (!hidden || (negate && begun.startsWith('--no-'))))
    .map(({ long, description }) => ({ value: long!, description }));

const commandsBelow = (at: Commander): Suggestion[] =>
  at
    .createHelp()
    .visibleCommands(at)
    .map((sub) => ({ value: sub.name(), description: sub.summary() }));

async function topicsAfter({ program }: Invocation, words: readonly string[]): Promise<Suggestion[]> {
  let at = program;
  for (const word of words) {
    const below = commandBelow(at, word);
    if (!below) return [];
    at = await load(below);
  }
  return commandsBelow(at);
}

const without = (given: readonly string[], found: Suggestion[]) => found.filter(({ value }) => !given.includes(value));

async function ownWords(
  invocation: Invocation,
  line: Line,
  { input }: Command,
  argument: string,
): Promise<Suggestion[]> {
  const found = (await input?.suggestions?.[argument]?.({ ...invocation, flags: line.flags }, line.positional)) ?? [];
  return found
    .map((word) => (typeof word === 'string' ? { value: word, description: '' } : word))
    .map(({ value, description }) => ({ value, description: visible(description) }));
}

/** `<object>=`, and behind that its words. */
async function pairsOf(invocation: Invocation, line: Line, pair: Pair, begun: string): Promise<Suggestion[]> {
  const at = begun.indexOf('=') + 1;
  if (at > 0) return (pair.words ?? []).map((word) => ({ value: begun.slice(0, at) + word, description: '' }));
  return (await idsOf(invocation, line, pair.object)).map((id) => ({ ...id, value: `${id.value}=` }));
}

/** What an argument that fills a field of the body names. */
const fieldParam = ({ endpoint }: Command, name: string) => (endpoint ? paramOfFlag(name) : undefined);

async function valuesOf(invocation: Invocation, line: Line, option: Option, begun: string): Promise<Completion> {
  if (option.argChoices) return { found: option.argChoices.map((value) => ({ value, description: '' })) };
  const name = option.attributeName();
  const placeholder = /<([^<>]+)>/.exec(option.flags)?.[1] ?? '';
  const command = commandOf(line.at);
  const own = command?.input?.flags?.find(({ flags }) => flags === option.flags);
  const file = own?.takesFile || placeholder === 'json' ? /^([^=]*=)?@/.exec(begun) : null;
  if (file) return { found: [], paths: 'files', before: file[0] };
  if (own?.pair) return { found: await pairsOf(invocation, line, own.pair, begun) };
  if (pathWords[placeholder]) return { found: [], paths: pathWords[placeholder] };
  if (name === 'profile') {
    const { profiles } = invocation.session.config;
    return { found: Object.entries(profiles).map(([value, { url }]) => ({ value, description: url })) };
  }
  if (name === 'columns') return { found: command ? await columnsOf(command, begun) : [] };
  const params = placeholder === 'token' ? [] : paramsNamed(command, name);
  return { found: (await Promise.all(params.map((param) => idsOf(invocation, line, param)))).flat() };
}

/** The columns of a command; every path of its answers to those who look for others. */
async function columnsOf(
  { output: { columns = [], card = [] } = {}, endpoint }: Command,
  begun: string,
): Promise<Suggestion[]> {
  const shown = new Map([...card, ...columns].map(({ key, title = '' }) => [key, title]));
  const schema = endpoint?.items ?? endpoint?.answer;
  const isOwn = begun === '' || [...shown.keys()].some((key) => key !== begun && key.startsWith(begun));
  if (schema && !isOwn) {
    const { pathsIn } = await import('../command/list.ts');
    for (const path of pathsIn(fieldOf(schema()))) if (!shown.has(path)) shown.set(path, '');
  }
  return [...shown].map(([value, description]) => ({ value, description }));
}

/** What the value of a flag may name: several kinds, where something is put beside another. */
function paramsNamed(command: Command | undefined, flag: string): string[] {
  const pointers = command?.endpoint
    ? flagsOf(command.endpoint, command).find(({ attribute }) => attribute === flag)?.pointers
    : undefined;
  if (pointers) {
    return pointers.map(({ type }) => `${type.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`);
  }
  const param = paramOfFlag(flag);
  return param === undefined ? [] : [param];
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
    const filled = paramOf(name, names, command.input?.params);
    const value = line.positional[at];
    if (filled !== undefined && value !== undefined && filled !== param) known[filled] = value;
  }
  if (typeof line.flags.cr === 'string') known.changeRequestId = line.flags.cr;
  // Nothing is sent for a folder whose project file chooses a profile that the user did not allow, not even to DOCSCTL_URL.
  const profile = await asked.session.profileInUse({ ask: false });
  const address = await asked.session.address({ ask: false });
  const scopes = await Promise.all(
    (['org', 'space', 'site'] as const).map((name) =>
      asked.session.scope(name, line.flags[name] as string | undefined),
    ),
  );
  const file = cacheFile([
    address.value,
    profile?.value,
    param,
    command.endpoint?.path,
    known,
    scopes.map((scope) => scope?.value),
    line.flags.as,
  ]);
  const kept = readCache(file);
  if (kept) return kept;
  const { found, isWhole } = await readIds(asked, param, known);
  writeCache(file, found, isWhole ? cachedMs : failureCachedMs);
  return found;
}

/** As many ids as come in time. What is still under way then is given up when the client is closed. */
async function readIds(
  invocation: Invocation,
  param: string,
  known: Record<string, string>,
): Promise<{ found: Suggestion[]; isWhole: boolean }> {
  const found: Suggestion[] = [];
  const read = async () => {
    const { suggest } = await import('../command/choose.ts');
    for await (const choices of suggest(invocation, param, known)) {
      for (const { value, title } of choices) {
        // An id that is not what it looks like is not offered.
        if (value === visible(value)) found.push({ value, description: visible(title ?? '') });
      }
      if (found.length >= mostIds) break;
    }
    return true;
  };
  const time = Promise.withResolvers<false>();
  const timer = setTimeout(() => time.resolve(false), timeoutMs);
  const isWhole = await Promise.race([read().catch(() => false), time.promise]);
  clearTimeout(timer);
  return { found: [...found], isWhole };
}

const cacheFile = (key: unknown) =>
  join(
    cacheDir(),
    'completions',
    `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)}.json`,
  );

function readCache(file: string): Suggestion[] | undefined {
  try {
    const { until, found } = JSON.parse(readFileSync(file, 'utf8')) as { until: number; found: Suggestion[] };
    // A clock that was set back makes nothing last.
    return until > Date.now() && until <= Date.now() + cachedMs ? found : undefined;
  } catch {
    return undefined;
  }
}

function writeCache(file: string, found: Suggestion[], lastsMs: number): void {
  try {
    makeFolder(join(cacheDir(), 'completions'), 0o700);
    writeFileAtomicSync(file, JSON.stringify({ until: Date.now() + lastsMs, found }), 0o600);
  } catch {
    // A completion that is not remembered costs a request more, nothing else.
  }
}
