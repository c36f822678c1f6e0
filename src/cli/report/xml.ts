import { type ReportContext, type ReportFinding, nameInRepository, formatFinding } from './finding.ts';
import { escapeOf } from '../../shared/visible.ts';

/** The test report that nearly every build server reads: a suite for each file, a failed test for each finding. */
export function junitReport(findings: readonly ReportFinding[], context: ReportContext): string {
  const suites = byFile(findings, context).map(({ name, inFile }) => {
    const cases = inFile.map(
      (finding) =>
        `    <testcase name="${escape(`${finding.rule} ${placeIn(finding)}`.trim())}" classname="${escape(name)}">\n` +
        `      <failure type="${finding.level}" message="${escape(finding.message)}">${escape(formatFinding(finding))}</failure>\n` +
        '    </testcase>\n',
    );
    // A suite without tests fails on some build servers: a file without findings is one test that passed.
    const all = cases.length > 0 ? cases : [`    <testcase name="valid" classname="${escape(name)}"/>\n`];
    return `  <testsuite name="${escape(name)}" tests="${all.length}" failures="${inFile.length}">\n${all.join('')}  </testsuite>\n`;
  });
  return `${declaration}<testsuites name="docsctl">\n${suites.join('')}</testsuites>\n`;
}

export function checkstyleReport(findings: readonly ReportFinding[], context: ReportContext): string {
  const files = byFile(findings, context).map(({ name, inFile }) => {
    const errors = inFile.map(({ line, column, level, message, rule }) => {
      const severity = level === 'breaking' ? 'error' : level;
      return `    <error line="${line ?? 1}" column="${column ?? 1}" severity="${severity}" message="${escape(message)}" source="${escape(rule)}"/>\n`;
    });
    return `  <file name="${escape(name)}">\n${errors.join('')}  </file>\n`;
  });
  return `${declaration}<checkstyle version="10.0">\n${files.join('')}</checkstyle>\n`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

function byFile(findings: readonly ReportFinding[], context: ReportContext) {
  const groups = Map.groupBy(findings, ({ file, subject }) => file ?? subject ?? '');
  const names = new Set([...context.checked, ...groups.keys()]);
  return [...names].map((name) => ({ name: nameInRepository(name, context) ?? name, inFile: groups.get(name) ?? [] }));
}

const placeIn = ({ line, column }: ReportFinding) =>
  line === undefined ? '' : [line, column].filter((part) => part !== undefined).join(':');

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** XML cannot hold other control characters at all, and no halves of surrogate pairs. */
const escape = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[&<>"\n\t]/g, (char) => entities[char] ?? char)
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, escapeOf);
