import type { ReportFinding } from './finding.ts';

/** A finding as one line: `file:line:column level message (rule)`. */
export function formatFinding(finding: ReportFinding): string {
  const { file, subject, line, column, level, message, rule } = finding;
  const place = [file ?? subject, line, column].filter((part) => part !== undefined).join(':');
  return `${place === '' ? '' : `${place} `}${level} ${message} (${rule})`;
}
