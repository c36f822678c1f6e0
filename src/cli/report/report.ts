import type { Flag } from '../command/command.ts';
import type { Io } from '../program/io.ts';
import { visible, visibleLines } from '../output/visible.ts';
import type { ReportContext, ReportFinding } from './finding.ts';
import { formatFinding } from './text.ts';

export const reportFormats = ['text', 'json', 'github', 'gitlab', 'junit', 'checkstyle', 'sarif'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The flag of all commands that print a report. */
export const formatFlag = {
  flags: '--format <format>',
  description: 'format of the report (default text, one finding a line)',
  choices: reportFormats,
} as const satisfies Flag;

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
  const text = await renderReport(format, findings, context);
  if (text !== '') await io.out.write(visibleLines(text));
}
