import type { Flag } from '../command/command.ts';
import { baselineFlags } from './baseline.ts';
import type { Io } from '../program/io.ts';
import type { Column } from '../output/options.ts';
import { visible, visibleLines } from '../../shared/visible.ts';
import { type ReportContext, type ReportFinding, formatFinding } from './finding.ts';

const reportFormats = ['text', 'json', 'github', 'gitlab', 'junit', 'checkstyle', 'sarif'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The flag of all commands that print a report. */
const formatFlag = {
  flags: '--format <format>',
  description: 'report format (default text, one finding per line)',
  choices: reportFormats,
} as const satisfies Flag;

/** The same for changes between two versions, which a summary can show as Markdown. */
export const changesFormatFlag = {
  ...formatFlag,
  description: 'format of the report (default text)',
  choices: [...formatFlag.choices, 'markdown'],
} as const satisfies Flag;

/** The flags of checks that print what they found. */
export const findingFlags = [
  {
    flags: '--fail-on <what>',
    description: 'level of findings that cause status 9 (default error)',
    choices: ['error', 'warning', 'none'],
  },
  formatFlag,
  ...baselineFlags,
] as const satisfies readonly Flag[];

/** The columns of the table that these checks print as text with --output. */
export const findingColumns = [
  { key: 'file' },
  { key: 'line', kind: 'number' },
  { key: 'column', kind: 'number' },
  { key: 'level', kind: 'state', style: { error: 'bad', warning: 'warn' } },
  { key: 'message' },
  { key: 'rule', optional: true },
] as const satisfies readonly Column[];

/** A report as a text, to be printed or written into a file. */
export async function renderReport(
  format: ReportFormat,
  findings: readonly ReportFinding[],
  context: ReportContext,
): Promise<string> {
  switch (format) {
    case 'text':
      return findings.map((finding) => `${visible(formatFinding(finding))}\n`).join('');
    case 'json':
      return `${JSON.stringify(findings, null, 2)}\n`;
    case 'github':
      return (await import('./github.ts')).githubReport(findings, context);
    case 'gitlab':
      return (await import('./gitlab.ts')).gitlabReport(findings, context);
    case 'junit':
      return (await import('./xml.ts')).junitReport(findings, context);
    case 'checkstyle':
      return (await import('./xml.ts')).checkstyleReport(findings, context);
    case 'sarif':
      return (await import('./sarif.ts')).sarifReport(findings, context);
  }
}

/** Prints a report on standard output. */
export async function printReport(
  io: Io,
  format: ReportFormat,
  findings: readonly ReportFinding[],
  context: ReportContext,
): Promise<void> {
  if (format === 'text' && io.screen.terminal) {
    const { FindingText } = await import('./frames.ts');
    const texts = await FindingText.for(io);
    for (const finding of findings) await io.out.write(`${texts.lines(finding).join('\n')}\n`);
    return;
  }
  const text = await renderReport(format, findings, context);
  if (text !== '') await io.out.write(visibleLines(text));
}
