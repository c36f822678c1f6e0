import type { Invocation } from '../command/command.ts';
import { buildServer } from '../program/build-server.ts';
import { checkFailed } from '../program/failure.ts';
import type { ReportFinding } from './finding.ts';
import { IgnoreFile, matchesPattern } from './ignore.ts';
import type { ReportFormat } from './report.ts';
import {
  acceptFindings,
  type BaselineFlags,
  count,
  countLevels,
  type FailOn,
  isSevere,
  printFindings,
  summaryOf,
} from './findings.ts';

export type CheckFlags = BaselineFlags & {
  failOn?: FailOn | undefined;
  format?: ReportFormat | undefined;
  ignore?: string | undefined;
  ci?: boolean | undefined;
};

/** A finding with the path of its file in the folder, which an ignore file names it by. */
export interface CheckFinding extends ReportFinding {
  path: string;
}

export interface Checked {
  findings: CheckFinding[];
  /** Names of everything that was checked. */
  names: string[];
  /** How many pages were checked. */
  pages: number;
  /** The rules that an ignore file can name. */
  rules: ReadonlySet<string>;
  hint: string;
  /** Further results for the last line. */
  more?: readonly string[];
}

/** Prints the findings that are not ignored. @throws CommandError with status 9 if some are severe */
export async function reportCheck(invocation: Invocation<{}, CheckFlags>, checked: Checked): Promise<void> {
  const { io, flags, session } = invocation;
  const { failOn = 'error' } = flags;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const { findings, accepted } = await acceptFindings(invocation, await withoutIgnored(invocation, checked));
  const shown = findings.map(withoutPath);
  const rows = shown.map(({ file, subject, line, column, level, message, rule }) => ({
    file: file ?? subject,
    line,
    column,
    level,
    message,
    rule,
  }));
  await printFindings(invocation, shown, checked.names, rows);
  // The report itself has the annotations.
  if (flags.format !== 'github') await server.annotate(findings);
  server.summary(summaryOf(count(checked.pages, 'page'), findings));
  const rest = [
    ...(accepted > 0 ? [`${count(accepted, 'finding')} accepted by the baseline`] : []),
    ...(checked.more ?? []),
  ];
  const severe = findings.filter((finding) => isSevere(finding, failOn)).length;
  if (severe > 0) {
    const more = (checked.more ?? []).length > 0 ? ` (${checked.more?.join(', ')})` : '';
    throw checkFailed(`${count(severe, 'finding')} in ${count(checked.pages, 'page')}${more}.`, checked.hint);
  }
  const all = [...(findings.length > 0 ? [countLevels(findings)] : []), ...rest];
  const result = findings.length === 0 && accepted === 0 ? ['nothing is wrong', ...(checked.more ?? [])] : all;
  await io.note(`${count(checked.pages, 'page')} checked: ${result.join(', ')}.`);
}

const example = '[{ rule: broken-link, path: "old/*", until: 2030-01-31, reason: Is deleted with the next release }]';

/** @throws UsageError if the file is not valid */
async function withoutIgnored(
  { flags, io }: Invocation<{}, CheckFlags>,
  { findings, rules }: Checked,
): Promise<CheckFinding[]> {
  const { ignore: file } = flags;
  if (file === undefined) return findings;
  const ignored = new IgnoreFile(file, { rules, example, today: new Date().toISOString().slice(0, 10) });
  const left = findings.filter(({ rule, path }) => !ignored.accepts(rule, (pattern) => matchesPattern(pattern, path)));
  const hidden = findings.length - left.length;
  if (hidden > 0) await io.note(`${count(hidden, 'finding')} ${hidden === 1 ? 'is' : 'are'} ignored by ${file}.`);
  for (const entry of ignored.unused) await io.note(`${file}: ${entry} matches no finding.`);
  const overdue = ignored.expired.map((entry): CheckFinding => {
    const message = `the entry has expired and has no effect: ${entry}`;
    return { level: 'warning', rule: 'ignore-expired', message, file, path: file };
  });
  return [...left, ...overdue];
}

/** The path in the folder is for ignore files only. */
function withoutPath(finding: CheckFinding): ReportFinding {
  const shown: Partial<CheckFinding> & ReportFinding = { ...finding };
  delete shown.path;
  return shown;
}
