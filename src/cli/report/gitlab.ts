import { type Directories, type Level, type ReportFinding, nameInRepository } from './finding.ts';

const severities: Record<Level, string> = { breaking: 'critical', error: 'major', warning: 'minor', info: 'info' };

/** A report of GitLab's code quality (CodeClimate). */
export function gitlabReport(findings: readonly ReportFinding[], directories: Directories): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const counts = new Map<string, number>();
  const items = findings.map(({ file, subject = '', pointer, line = 1, level, message, rule }) => {
    const path = (file === undefined ? undefined : nameInRepository(file, directories)) ?? file ?? subject;
    const key = [rule, path, pointer ?? line, message].join('\0');
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return {
      description: message,
      check_name: rule,
      // GitLab drops findings that share a fingerprint.
      fingerprint: createHash('sha256')
        .update(count === 0 ? key : `${key}\0${count}`)
        .digest('hex'),
      severity: severities[level],
      location: { path, lines: { begin: line } },
    };
  });
  return `${JSON.stringify(items, null, 2)}\n`;
}
