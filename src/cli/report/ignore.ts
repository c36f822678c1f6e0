import { isObject } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { fileText } from '../command/read-input.ts';
import { UsageError } from '../program/failure.ts';

/** What is accepted, and why. */
interface Entry {
  rule: string;
  /** Where, with `*` for any text; undefined for all. */
  path: string | undefined;
  /** The last day on which it counts, as YYYY-MM-DD. */
  until: string | undefined;
  reason: string;
  /** Who accepted it. */
  author: string | undefined;
}

export interface IgnoreOptions {
  /** The rules that may be named. */
  rules: ReadonlySet<string>;
  /** An example of a whole file, for messages. */
  example: string;
  /** As YYYY-MM-DD. */
  today: string;
}

/** The file of `--ignore`: a list of what is accepted, each with its reason. */
export class IgnoreFile {
  /** Texts about entries whose date is over. */
  readonly expired: readonly string[];
  readonly #current: readonly Entry[];
  readonly #used = new Set<Entry>();

  /** @throws UsageError if the file is not valid */
  constructor(file: string, options: IgnoreOptions) {
    const entries = readEntries(file, options);
    this.#current = entries.filter(({ until }) => until === undefined || until >= options.today);
    this.expired = entries.filter((entry) => !this.#current.includes(entry)).map(textOf);
  }

  /** @param isAt whether a path of an entry matches the place */
  accepts(rule: string, isAt: (path: string) => boolean): boolean {
    const fitting = this.#current.filter(
      (entry) => entry.rule === rule && (entry.path === undefined || isAt(entry.path)),
    );
    for (const entry of fitting) this.#used.add(entry);
    return fitting.length > 0;
  }

  /** Texts about entries that have accepted nothing. */
  get unused(): string[] {
    return this.#current.filter((entry) => !this.#used.has(entry)).map(textOf);
  }
}

const textOf = ({ rule, path, until, reason, author }: Entry): string =>
  [rule, ...(path === undefined ? [] : [path]), ...(until === undefined ? [] : [`until ${until}`])].join(', ') +
  ` (${author === undefined ? reason : `${reason}, ${author}`})`;

/**
 * Whether a text is like the pattern, in which `*` matches any text. Compares text by text between the asterisks: a
 * regular expression of many asterisks could take very long.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [start = '', ...others] = pattern.split('*');
  if (others.length === 0) return text === pattern;
  const end = others.pop() ?? '';
  if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length) return false;
  let position = start.length;
  for (const part of others) {
    const index = text.indexOf(part, position);
    if (index < 0 || index + part.length > text.length - end.length) return false;
    position = index + part.length;
  }
  return true;
}

function readEntries(file: string, options: IgnoreOptions): Entry[] {
  const invalid = (reason: string) =>
    new UsageError(`--ignore: ${file} is not valid: ${reason}.`, `Write, for example: ${options.example}`);
  const content = parse(file, invalid);
  const list = isObject(content) ? content.ignore : content;
  if (!Array.isArray(list)) throw invalid('it holds no list of entries');
  return list.map((entry: unknown, index) =>
    readEntry(entry, options.rules, (text) => invalid(`entry ${index + 1} ${text}`)),
  );
}

type Problem = (text: string) => UsageError;

function parse(file: string, invalid: Problem): unknown {
  try {
    return readYaml(fileText(file, '--ignore'));
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    throw invalid(`${error.line === undefined ? '' : `line ${error.line}: `}${error.message}`);
  }
}

function readEntry(entry: unknown, rules: ReadonlySet<string>, problem: Problem): Entry {
  if (!isObject(entry)) throw problem('is no object');
  const known = ['rule', 'path', 'until', 'reason', 'author'];
  const unknown = Object.keys(entry).find((key) => !known.includes(key));
  if (unknown !== undefined) throw problem(`has "${unknown}", and may have ${known.join(', ')}`);
  const { rule, path, reason, author } = entry;
  if (typeof rule !== 'string') throw problem('has no rule');
  if (!rules.has(rule)) {
    const other = nearest(rule, [...rules]);
    throw problem(`has the unknown rule "${rule}"${other === undefined ? '' : `; did you mean "${other}"?`}`);
  }
  if (typeof reason !== 'string' || reason.trim() === '') throw problem('has no reason');
  if (path !== undefined && typeof path !== 'string') throw problem('has a path that is no text');
  if (author !== undefined && typeof author !== 'string') throw problem('has an author that is no text');
  return { rule, path, until: dayOf(entry.until, problem), reason, author };
}

function dayOf(until: unknown, problem: Problem): string | undefined {
  if (until === undefined) return undefined;
  // YAML reads a date without quotation marks as one.
  const day = until instanceof Date ? until.toISOString().slice(0, 10) : until;
  if (!isDay(day)) throw problem(`has the date "${String(until)}", and may have one like 2030-01-31`);
  return day;
}

/** Whether a value is a date like 2030-01-31. */
export const isDay = (day: unknown): day is string =>
  typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
