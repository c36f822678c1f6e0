import { fileText } from '../../cli/command/read-input.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { changeRules, type PlacedChange } from '../../openapi/index.ts';
import { isObject } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';

/** An accepted change. */
interface Entry {
  rule: string;
  /** A path with or without its method, where `*` stands for any text; undefined for all. */
  path: string | undefined;
  /** The last day on which it counts, as YYYY-MM-DD. */
  until: string | undefined;
  reason: string;
}

export interface Ignored {
  /** Changes that are left, with the operations that are. */
  changes: PlacedChange[];
  /** How many changes were left out. */
  count: number;
  /** Texts about entries whose date is over, and about those that fit nothing. */
  expired: string[];
  unused: string[];
}

const example = `[{ rule: parameter-removed, path: "GET /pets", until: 2030-01-31, reason: Nobody used it }]`;

/** Leaves out the changes that a file accepts. @throws UsageError where the file is not valid */
export function ignoreChanges(file: string, changes: readonly PlacedChange[], today: string): Ignored {
  const entries = readEntries(file);
  const current = entries.filter(({ until }) => until === undefined || until >= today);
  const used = new Set<Entry>();
  const isIgnored = (rule: string, operation: string | undefined) => {
    const fitting = current.filter((entry) => entry.rule === rule && fits(entry.path, operation));
    for (const entry of fitting) used.add(entry);
    return fitting.length > 0;
  };
  const left = changes.flatMap((change): PlacedChange[] => {
    const { rule, operations } = change;
    if (operations.length === 0) return isIgnored(rule, undefined) ? [] : [change];
    const others = operations.filter((operation) => !isIgnored(rule, operation));
    return others.length === 0 ? [] : [{ ...change, operations: others }];
  });
  return {
    changes: left,
    count: changes.length - left.length,
    expired: entries.filter((entry) => !current.includes(entry)).map((entry) => textOf(entry)),
    unused: current.filter((entry) => !used.has(entry)).map(textOf),
  };
}

const textOf = ({ rule, path, until, reason }: Entry): string =>
  [rule, ...(path === undefined ? [] : [path]), ...(until === undefined ? [] : [`until ${until}`])].join(', ') +
  ` (${reason})`;

/** Whether `/pets/*` or `GET /pets/*` stands for an operation. */
function fits(pattern: string | undefined, operation: string | undefined): boolean {
  if (pattern === undefined) return true;
  if (operation === undefined) return false;
  const [method = '', path = ''] = operation.split(' ');
  return isMatch(pattern, operation) || isMatch(pattern, path) || isMatch(pattern, `${method.toLowerCase()} ${path}`);
}

/** Compares text by text between the asterisks: a regular expression of many asterisks could take very long. */
function isMatch(pattern: string, text: string): boolean {
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

function readEntries(file: string): Entry[] {
  const content = parse(file);
  const list = isObject(content) ? content.ignore : content;
  if (!Array.isArray(list)) throw invalid(file, 'it holds no list of entries');
  return list.map((entry: unknown, index) => readEntry(file, entry, index + 1));
}

function parse(file: string): unknown {
  try {
    return readYaml(fileText(file, '--ignore'));
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    throw invalid(file, `${error.line === undefined ? '' : `line ${error.line}: `}${error.message}`);
  }
}

function readEntry(file: string, entry: unknown, number: number): Entry {
  const problem = (text: string) => invalid(file, `entry ${number} ${text}`);
  if (!isObject(entry)) throw problem('is no object');
  const known = ['rule', 'path', 'until', 'reason'];
  const unknown = Object.keys(entry).find((key) => !known.includes(key));
  if (unknown !== undefined) throw problem(`has "${unknown}", and may have ${known.join(', ')}`);
  const { rule, path, reason } = entry;
  if (typeof rule !== 'string') throw problem('has no rule');
  if (!changeRules.has(rule)) {
    const other = nearest(rule, [...changeRules.keys()]);
    throw problem(`has the unknown rule "${rule}"${other === undefined ? '' : `; did you mean "${other}"?`}`);
  }
  if (typeof reason !== 'string' || reason.trim() === '') throw problem('has no reason');
  if (path !== undefined && typeof path !== 'string') throw problem('has a path that is no text');
  return { rule, path, until: dayOf(entry.until, problem), reason };
}

function dayOf(until: unknown, problem: (text: string) => Error): string | undefined {
  if (until === undefined) return undefined;
  // YAML reads a date without quotation marks as one.
  const day = until instanceof Date ? until.toISOString().slice(0, 10) : until;
  const isDay = typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  if (!isDay) throw problem(`has the date "${String(until)}", and may have one like 2030-01-31`);
  return day;
}

const invalid = (file: string, reason: string): UsageError =>
  new UsageError(`--ignore: ${file} is not valid: ${reason}.`, `Write, for example: ${example}`);
