import type { Invocation } from '../command/command.ts';
import { visible } from '../output/index.ts';
import { type BuildServer, markdownCell } from '../program/build-server.ts';
import { UsageError } from '../program/failure.ts';
import { reportContext } from './finding.ts';
import { printReport, type ReportFormat } from './report.ts';
import { print } from '../command/invocation.ts';
import { applyBaseline, writeBaseline } from './baseline.ts';
import { type ReportFinding, formatFinding } from './finding.ts';

export type FailOn = 'error' | 'warning' | 'none';

export type BaselineFlags = { baseline?: string | undefined; writeBaseline?: string | undefined };

/** The findings that determine the exit status. */
export interface Accepted<F> {
  findings: F[];
  /** The number of findings that the baseline accepts. */
  accepted: number;
}

/**
 * Writes or applies the baseline in the flags, if any.
 *
 * @param hasRule whether the check has a rule, for a file that several checks share
 * @param isAcceptable whether a baseline can accept a finding
 * @throws UsageError if there are both
 */
export async function acceptFindings<F extends ReportFinding>(
  { flags, globals, io }: Invocation<{}, BaselineFlags>,
  findings: F[],
  {
    hasRule,
    isAcceptable = () => true,
  }: { hasRule?: (rule: string) => boolean; isAcceptable?: (finding: ReportFinding) => boolean } = {},
): Promise<Accepted<F>> {
  if (flags.writeBaseline !== undefined) {
    if (flags.baseline !== undefined) throw new UsageError('--baseline and --write-baseline cannot be combined.');
    const acceptable = findings.filter(isAcceptable);
    if (!globals.dryRun) await writeBaseline(flags.writeBaseline, acceptable, { hasRule });
    const wrote = globals.dryRun ? 'Would write' : 'Wrote';
    await io.note(`${wrote} ${count(acceptable.length, 'finding')} into ${flags.writeBaseline}.`);
    return { findings: findings.filter((finding) => !isAcceptable(finding)), accepted: acceptable.length };
  }
  if (flags.baseline === undefined) return { findings, accepted: 0 };
  const { fixed, expired, ...applied } = applyBaseline(flags.baseline, findings, { isAcceptable, hasRule });
  for (const entry of expired) await io.note(`${flags.baseline}: the entry has expired and has no effect: ${entry}.`);
  for (const entry of fixed.slice(0, maxFixed)) await io.note(`${flags.baseline}: ${entry} is fixed.`);
  if (fixed.length > 0) {
    await io.note(
      `${count(fixed.length, 'finding')} of ${flags.baseline} ${fixed.length === 1 ? 'is' : 'are'} fixed; update the file with --write-baseline.`,
    );
  }
  return applied;
}

/** The others are only counted. */
const maxFixed = 10;

type FormatInvocation = Pick<Invocation<{}, { format?: string | undefined }>, 'flags' | 'globals'>;

/** @throws UsageError for `--format` with an output option of all commands */
export function refuseTwoFormats({ flags, globals }: FormatInvocation): void {
  const other = globals.output !== undefined ? '--output' : globals.jq !== undefined ? '--jq' : undefined;
  if (flags.format !== undefined && other) throw new UsageError(`--format and ${other} cannot be combined.`);
}

/**
 * Prints findings as a report, or as a list with the output options of all commands.
 *
 * @param checked names of everything that was checked
 * @param rows of the list
 */
export async function printFindings(
  invocation: Invocation<{}, { format?: ReportFormat | undefined }>,
  findings: readonly ReportFinding[],
  checked: readonly string[],
  rows: readonly object[] = findings,
): Promise<void> {
  const { flags, io, session } = invocation;
  if (hasListOutput(invocation)) return print(invocation, rows);
  await printReport(io, flags.format ?? 'text', findings, reportContext(session.env, checked));
}

/** Whether options for the output of all commands are set. */
export const hasListOutput = ({ globals }: Pick<Invocation<{}, {}>, 'globals'>): boolean =>
  globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined;

/** Whether a finding makes the command exit with status 9. */
export const isSevere = ({ level }: ReportFinding, failOn: FailOn): boolean =>
  failOn === 'warning' || (failOn === 'error' && level === 'error');

/** Prints findings on standard error, and as annotations in CI. */
export async function reportFindings(
  { io }: Invocation<{}, {}>,
  findings: readonly ReportFinding[],
  server: BuildServer,
): Promise<void> {
  if (findings.length > 0) await io.err.write(findings.map((each) => `${visible(formatFinding(each))}\n`).join(''));
  if (findings.length > 0) await server.annotate(findings);
}

/** Build servers truncate long summaries. */
const maxRows = 100;

/** A table of findings for the summary of a CI job. */
export function summaryOf(source: string, findings: readonly ReportFinding[]): string {
  const rows = findings
    .slice(0, maxRows)
    .map(
      ({ file, line, level, message, rule }) =>
        `| ${level} | ${markdownCell(line === undefined ? (file ?? '') : `${file}:${line}`)} | ${markdownCell(message)} | ${markdownCell(rule)} |`,
    );
  const more = findings.length > maxRows ? ['', `... and ${findings.length - maxRows} more.`] : [];
  return [
    `### ${countLevels(findings)} in ${markdownCell(source)}`,
    ...(rows.length === 0 ? [] : ['', '| level | place | finding | rule |', '|---|---|---|---|', ...rows, ...more]),
  ].join('\n');
}

/** `2 errors, 1 warning`. */
export function countLevels(findings: readonly ReportFinding[]): string {
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - errors;
  const parts = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'No findings';
}

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
