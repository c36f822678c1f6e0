import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { markdownCell } from '../../cli/program/build-server.ts';
import type { Io } from '../../cli/program/io.ts';
import { type Level, type ReportFinding, reportContext } from '../../cli/report/finding.ts';
import { hasListOutput } from '../../cli/report/findings.ts';
import { FindingText } from '../../cli/report/frames.ts';
import { printReport, type ReportFormat } from '../../cli/report/report.ts';
import { changeText, type DescriptionPlace, isNotCompared, type PlacedChange } from '../../openapi/index.ts';

/** A change in the report. JSON has all fields. */
export interface ChangeFinding extends ReportFinding {
  where: string;
  operations: readonly string[];
  before?: DescriptionPlace;
  after?: DescriptionPlace;
}

export function findingOf(change: PlacedChange): ChangeFinding {
  const { rule, level, where, operations, before, after } = change;
  const place = after ?? before;
  const other = after ? before : undefined;
  return {
    level,
    rule,
    message: changeText(change),
    ...place,
    ...(other
      ? { related: [{ file: other.file, line: other.line, column: other.column, message: 'the old description' }] }
      : {}),
    where,
    operations,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  };
}

/** The removal of a whole description. @param old the name of its old file */
export const removal = (path: string, old: string): PlacedChange => ({
  rule: 'description-removed',
  level: 'breaking',
  message: 'was removed',
  where: path,
  operations: [],
  before: { file: old, pointer: '' },
  after: undefined,
});

/** Prints the changes, or all rows with the output options of all commands. @param names what was compared */
export async function printChanges(
  invocation: Invocation<{}, { format?: ReportFormat | 'markdown' | undefined }>,
  findings: readonly ChangeFinding[],
  { names, markdown, rows = findings }: { names: readonly string[]; markdown: string; rows?: readonly ChangeFinding[] },
): Promise<void> {
  const { flags, io, session } = invocation;
  if (hasListOutput(invocation)) return print(invocation, rows);
  const { format = 'text' } = flags;
  if (format === 'text') await io.out.write(await textReport(io, findings));
  else if (format === 'markdown') await io.out.write(visibleLines(markdown));
  else await printReport(io, format, findings, reportContext(session.env, names));
}

/** Each change, with lines below it for its old place and for more operations. */
export async function textReport(screen: Pick<Io, 'screen'>, findings: readonly ChangeFinding[]): Promise<string> {
  const texts = await FindingText.for(screen);
  return findings
    .flatMap((finding) => {
      const { before, after, operations } = finding;
      return texts.lines(finding, [
        ...(before && after ? [`    was at ${placeText(before)}`] : []),
        ...(operations.length > 1 ? [`    in ${operationsText(operations)}`] : []),
      ]);
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** A component may be used in hundreds of operations. JSON has all. */
function operationsText(operations: readonly string[]): string {
  const rest = operations.length - maxOperations;
  const shown = operations.slice(0, maxOperations).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

const maxOperations = 5;

const placeText = ({ file, line, column, pointer }: DescriptionPlace): string =>
  line === undefined ? `${file}#${pointer}` : `${file}:${line}:${column}`;

/** By level: the title of a section, and the noun for one and for several changes. */
const levels: readonly [Level, title: string, one: string, many: string][] = [
  ['error', 'Not compared', 'part not compared', 'parts not compared'],
  ['breaking', 'Breaking', 'breaking change', 'breaking changes'],
  ['warning', 'Warnings', 'warning', 'warnings'],
  ['info', 'Other changes', 'other change', 'other changes'],
];
/** GitHub shows at most 65,536 characters of a comment. */
const maxRows = 100;

/** A summary for a pull request. */
export function markdownReport(findings: readonly ChangeFinding[], [before, after]: readonly [string, string]): string {
  const title = `### ${markdownCell(before)} → ${markdownCell(after)}: ${countText(findings)}`;
  const sections = levels.flatMap(([level, name]) => {
    const rows = findings.filter((finding) => finding.level === level);
    if (rows.length === 0) return [];
    const table = ['| change | rule | operations |', '|---|---|---|', ...rows.slice(0, maxRows).map(rowOf)];
    const rest = rows.length > maxRows ? ['', `and ${rows.length - maxRows} more`] : [];
    const body = [...table, ...rest].join('\n');
    // Long lists that require no action are collapsed.
    const isCollapsed = level === 'info' && rows.length > 5;
    const summary = `<details><summary>${name} (${rows.length})</summary>`;
    return isCollapsed ? [`${summary}\n\n${body}\n\n</details>`] : [`#### ${name}\n\n${body}`];
  });
  return `${[title, ...sections].join('\n\n')}\n`;
}

function rowOf({ where, message, rule, operations, line, file }: ChangeFinding): string {
  const place = line === undefined || file === undefined ? '' : `<br>${markdownCell(file)}:${line}`;
  const first = operations.slice(0, maxOperations).map((operation) => markdownCell(operation));
  const more = operations.length > maxOperations ? [`and ${operations.length - maxOperations} more`] : [];
  const text = message.slice(Math.max(0, message.indexOf(`${where}: `)));
  return `| ${markdownCell(text)}${place} | ${markdownCell(rule)} | ${[...first, ...more].join('<br>')} |`;
}

/** `2 breaking changes, 1 warning, 3 other changes` */
export function countText(findings: readonly Pick<ReportFinding, 'level'>[]): string {
  const texts = levels.flatMap(([level, , one, many]) => {
    const { length } = findings.filter((finding) => finding.level === level);
    return length === 0 ? [] : [`${length} ${length === 1 ? one : many}`];
  });
  return texts.length > 0 ? texts.join(', ') : 'no change';
}

/** Parts that could not be compared count as errors, because they may contain breaking changes. */
export const gradedLevel = (change: Pick<PlacedChange, 'rule' | 'level'>): Level =>
  isNotCompared(change) ? 'error' : change.level;
