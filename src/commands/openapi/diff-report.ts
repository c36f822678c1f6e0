import { visible } from '../../cli/output/index.ts';
import { markdownCell } from '../../cli/program/build-server.ts';
import type { Level, ReportFinding } from '../../cli/report/finding.ts';
import { formatFinding } from '../../cli/report/text.ts';
import type { DescriptionPlace, PlacedChange } from '../../openapi/index.ts';

/** A change as it is reported; programs get all of its fields. */
export interface ChangeFinding extends ReportFinding {
  where: string;
  operations: readonly string[];
  before?: DescriptionPlace;
  after?: DescriptionPlace;
}

export function findingOf({ rule, level, where, operations, before, after, message }: PlacedChange): ChangeFinding {
  const place = after ?? before;
  const other = after ? before : undefined;
  return {
    level,
    rule,
    message: `${subjectOf(operations)}${where}: ${message}`,
    ...place,
    ...(other ? { related: [{ ...withoutPointer(other), message: 'the old description' }] } : {}),
    where,
    operations,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  };
}

const withoutPointer = ({ file, line, column }: DescriptionPlace) => ({ file, line, column });

function subjectOf([first, ...others]: readonly string[]): string {
  if (first === undefined) return '';
  return others.length === 0 ? `${first}: ` : `${first} and ${others.length} more: `;
}

/** One line for each change, with lines below it for its old place and for more operations. */
export function textReport(findings: readonly ChangeFinding[]): string {
  return findings
    .map((finding) => {
      const { before, after, operations } = finding;
      const lines = [
        formatFinding(finding),
        ...(before && after ? [`    was at ${placeText(before)}`] : []),
        ...(operations.length > 1 ? [`    in ${operations.join(', ')}`] : []),
      ];
      return lines.map((line) => `${visible(line)}\n`).join('');
    })
    .join('');
}

const placeText = ({ file, line, column, pointer }: DescriptionPlace): string =>
  line === undefined ? `${file}#${pointer}` : `${file}:${line}:${column}`;

const titles: readonly [Level, string][] = [
  ['error', 'Not compared'],
  ['breaking', 'Breaking'],
  ['warning', 'Warnings'],
  ['info', 'Other changes'],
];
/** GitHub shows at most 65,536 characters of a comment. */
const maxRows = 100;

/** A summary for a pull request. */
export function markdownReport(findings: readonly ChangeFinding[], [before, after]: readonly [string, string]): string {
  const title = `### ${markdownCell(before)} → ${markdownCell(after)}: ${countText(findings)}`;
  const sections = titles.flatMap(([level, name]) => {
    const rows = findings.filter((finding) => finding.level === level);
    if (rows.length === 0) return [];
    const table = ['| change | rule | operations |', '|---|---|---|', ...rows.slice(0, maxRows).map(rowOf)];
    const rest = rows.length > maxRows ? ['', `and ${rows.length - maxRows} more`] : [];
    const body = [...table, ...rest].join('\n');
    // Long lists that nobody has to act on are folded.
    const isFolded = level === 'info' && rows.length > 5;
    const summary = `<details><summary>${name} (${rows.length})</summary>`;
    return isFolded ? [`${summary}\n\n${body}\n\n</details>`] : [`#### ${name}\n\n${body}`];
  });
  return `${[title, ...sections].join('\n\n')}\n`;
}

const maxOperations = 5;

function rowOf({ where, message, rule, operations, line, file }: ChangeFinding): string {
  const place = line === undefined || file === undefined ? '' : `<br>${markdownCell(file)}:${line}`;
  const first = operations.slice(0, maxOperations).map((operation) => markdownCell(operation));
  const more = operations.length > maxOperations ? [`and ${operations.length - maxOperations} more`] : [];
  const text = message.slice(Math.max(0, message.indexOf(`${where}: `)));
  return `| ${markdownCell(text)}${place} | ${markdownCell(rule)} | ${[...first, ...more].join('<br>')} |`;
}

/** `2 breaking changes, 1 warning, 3 other changes` */
export function countText(findings: readonly ReportFinding[]): string {
  const texts = [
    countOf(findings, 'error', 'part not compared', 'parts not compared'),
    countOf(findings, 'breaking', 'breaking change', 'breaking changes'),
    countOf(findings, 'warning', 'warning', 'warnings'),
    countOf(findings, 'info', 'other change', 'other changes'),
  ].filter((text) => text !== '');
  return texts.length > 0 ? texts.join(', ') : 'no change';
}

function countOf(findings: readonly ReportFinding[], level: Level, one: string, many: string): string {
  const { length } = findings.filter((finding) => finding.level === level);
  return length === 0 ? '' : `${length} ${length === 1 ? one : many}`;
}
