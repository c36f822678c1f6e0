import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Flag } from '../command/command.ts';
import { CommandError, UsageError } from '../program/failure.ts';
import { type ReportFinding, isFile } from './finding.ts';
import { isDay } from './ignore.ts';
import { jsonOf } from '../../shared/json-of.ts';

export const baselineFlags = [
  { flags: '--baseline <file>', description: 'skip the findings in this file, written by --write-baseline' },
  { flags: '--write-baseline <file>', description: 'write all findings to this file to accept them from now on' },
] as const satisfies readonly Flag[];

/** A finding as a baseline holds it: without its line, which moves with every change above it. */
interface Accepted {
  file: string;
  rule: string;
  /** JSON Pointer to the value, else the message. */
  at: string;
  /** Added by people, and kept when the file is written again. */
  reason?: string;
  author?: string;
  /** The last day on which the entry counts, as YYYY-MM-DD. */
  until?: string;
}

export interface BaselineOptions<F> {
  /** Whether a finding may be accepted at all. */
  isAcceptable?: ((finding: F) => boolean) | undefined;
  /** Whether this check has the rule. Entries for other rules are left alone. */
  hasRule?: ((rule: string) => boolean) | undefined;
}

export interface Applied<F> {
  findings: F[];
  /** How many were skipped. */
  accepted: number;
  /** Texts about entries that match no finding any more. */
  fixed: string[];
  /** Texts about entries whose date is over. */
  expired: string[];
}

/**
 * Leaves out accepted findings.
 *
 * @throws UsageError if the file cannot be read
 */
export function applyBaseline<F extends ReportFinding>(
  path: string,
  findings: readonly F[],
  { isAcceptable = () => true, hasRule = () => true }: BaselineOptions<F> = {},
): Applied<F> {
  const today = new Date().toISOString().slice(0, 10);
  const entries = readBaseline(path).filter(({ rule }) => hasRule(rule));
  const isExpired = ({ until }: Accepted) => until !== undefined && until < today;
  const open = Map.groupBy(
    entries.filter((entry) => !isExpired(entry)),
    keyOf,
  );
  const left = findings.filter(
    (finding) => !isAcceptable(finding) || open.get(keyOf(entryOf(finding, path)))?.shift() === undefined,
  );
  return {
    findings: left,
    accepted: findings.length - left.length,
    fixed: [...open.values()].flat().map(textOf),
    expired: entries.filter(isExpired).map(textOf),
  };
}

function textOf({ file, rule, at, reason, author, until }: Accepted): string {
  const notes = [reason, author, until === undefined ? undefined : `until ${until}`].filter(
    (note) => note !== undefined,
  );
  return `${rule} in ${file} at ${at}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

/**
 * Writes all findings. Entries for rules of other checks stay, and so do the notes of people.
 *
 * @throws CommandError if the file cannot be written
 */
export async function writeBaseline(
  path: string,
  findings: readonly ReportFinding[],
  { hasRule = () => true }: Pick<BaselineOptions<ReportFinding>, 'hasRule'> = {},
): Promise<void> {
  const existing = entriesIn(path) ?? [];
  const notes = new Map(existing.map((entry) => [keyOf(entry), entry]));
  const others = existing.filter(({ rule }) => !hasRule(rule));
  const entries = findings.map((finding) => {
    const entry = entryOf(finding, path);
    return { ...notes.get(keyOf(entry)), ...entry };
  });
  const sorted = [...others, ...entries].toSorted(
    (a, b) => compare(a.file, b.file) || compare(a.rule, b.rule) || compare(a.at, b.at),
  );
  const lines = sorted.map((entry) => `    ${JSON.stringify(entry)}`);
  try {
    await writeFileAtomic(path, `{\n  "version": 1,\n  "findings": [\n${lines.join(',\n')}\n  ]\n}\n`);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${fileReason(error)}.`, {
      hint: 'Name another file with --write-baseline.',
    });
  }
}

function readBaseline(path: string): Accepted[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `--baseline: ${path} cannot be read: ${fileReason(error)}.`,
      `Write it with --write-baseline ${path}.`,
    );
  }
  const findings = entriesOf(text);
  if (!findings)
    throw new UsageError(`--baseline: ${path} is not a baseline.`, `Write a new one with --write-baseline ${path}.`);
  return findings;
}

/** The entries of a file that may be absent. */
function entriesIn(path: string): Accepted[] | undefined {
  try {
    return entriesOf(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function entriesOf(text: string): Accepted[] | undefined {
  const content = jsonOf(text);
  const findings = isObject(content) && content.version === 1 ? content.findings : undefined;
  return Array.isArray(findings) && findings.every(isAccepted) ? findings : undefined;
}

const isAccepted = (entry: unknown): entry is Accepted =>
  isObject(entry) &&
  [entry.file, entry.rule, entry.at].every((value) => typeof value === 'string') &&
  [entry.reason, entry.author].every((value) => value === undefined || typeof value === 'string') &&
  (entry.until === undefined || isDay(entry.until));

const keyOf = ({ file, rule, at }: Accepted) => JSON.stringify([file, rule, at]);

/** Files are named relative to the baseline: it counts in every working directory. */
function entryOf({ file = '', subject, rule, pointer, message }: ReportFinding, baseline: string): Accepted {
  const name = file === '' ? (subject ?? '') : file;
  const isNamed = file !== '' && isFile(file);
  return {
    file: isNamed
      ? relative(dirname(resolve(baseline)), resolve(file))
          .split(sep)
          .join('/')
      : name,
    rule,
    at: pointer ?? message,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
