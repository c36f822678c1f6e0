import { type Directories, type Level, type ReportFinding, nameInRepository } from './finding.ts';

const commands: Record<Level, string> = { breaking: 'error', error: 'error', warning: 'warning', info: 'notice' };

/** Workflow commands that GitHub Actions shows beside the lines of a pull request. */
export const githubReport = (findings: readonly ReportFinding[], directories: Directories): string =>
  findings.map((finding) => annotation(finding, directories)).join('');

function annotation({ file, line, column, level, message, rule }: ReportFinding, directories: Directories): string {
  const name = file === undefined ? undefined : nameInRepository(file, directories);
  // Without a file, GitHub shows the finding with the run; then the message itself names the place.
  const isElsewhere = file !== undefined && name === undefined;
  const fields = [
    ...(name === undefined ? [] : [`file=${property(name)}`]),
    ...(line === undefined || isElsewhere ? [] : [`line=${line}`]),
    ...(column === undefined || isElsewhere ? [] : [`col=${column}`]),
    `title=${property(rule)}`,
  ];
  const place = isElsewhere ? `${[file, line, column].filter((part) => part !== undefined).join(':')}: ` : '';
  return `::${commands[level]} ${fields.join(',')}::${data(place + message)}\n`;
}

/** A text as the data of a workflow command: it cannot end the command. */
export const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
