import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Flag } from '../command/command.ts';
import { CommandError, UsageError } from '../program/failure.ts';
import { type ReportFinding, isFile } from './finding.ts';

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
}

export interface Applied<F> {
  findings: F[];
  /** How many were skipped. */
  accepted: number;
  /** How many of the file were not found any more. */
  fixed: number;
}

/**
 * Leaves out accepted findings.
 *
 * @param isAcceptable whether a finding may be accepted at all
 * @throws UsageError if the file cannot be read
 */
export function applyBaseline<F extends ReportFinding>(
  path: string,
  findings: readonly F[],
  isAcceptable: (finding: F) => boolean = () => true,
): Applied<F> {
  const open = new Map<string, number>();
  for (const entry of readBaseline(path)) open.set(keyOf(entry), (open.get(keyOf(entry)) ?? 0) + 1);
  const left = findings.filter((finding) => {
    if (!isAcceptable(finding)) return true;
    const key = keyOf(entryOf(finding, path));
    const count = open.get(key) ?? 0;
    if (count > 0) open.set(key, count - 1);
    return count === 0;
  });
  const fixed = [...open.values()].reduce((sum, count) => sum + count, 0);
  return { findings: left, accepted: findings.length - left.length, fixed };
}

/** @throws CommandError if the file cannot be written */
export async function writeBaseline(path: string, findings: readonly ReportFinding[]): Promise<void> {
  const entries = findings.map((finding) => entryOf(finding, path));
  const sorted = entries.toSorted((a, b) => compare(a.file, b.file) || compare(a.rule, b.rule) || compare(a.at, b.at));
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
  const content = parsed(text);
  const findings = isObject(content) && content.version === 1 ? content.findings : undefined;
  if (!Array.isArray(findings) || !findings.every(isAccepted)) {
    throw new UsageError(`--baseline: ${path} is not a baseline.`, `Write a new one with --write-baseline ${path}.`);
  }
  return findings;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isAccepted = (entry: unknown): entry is Accepted =>
  isObject(entry) && [entry.file, entry.rule, entry.at].every((value) => typeof value === 'string');

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
