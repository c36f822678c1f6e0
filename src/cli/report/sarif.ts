import { version } from '../../shared/version.ts';
import {
  type Level,
  type ReportContext,
  type ReportFinding,
  type ReportPlace,
  isFile,
  nameInRepository,
} from './finding.ts';

const sarifLevels: Record<Level, string> = { breaking: 'error', error: 'error', warning: 'warning', info: 'note' };

/** SARIF 2.1.0, as code scanning reads it. */
export function sarifReport(findings: readonly ReportFinding[], context: ReportContext): string {
  const rules = new Map(findings.map(({ rule, help }) => [rule, help]));
  const indices = new Map([...rules.keys()].map((rule, index) => [rule, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'docsctl',
            version,
            rules: [...rules].map(([id, help]) => ({ id, ...(help === undefined ? {} : { helpUri: help }) })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, indices.get(finding.rule) ?? 0, context)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf(finding: ReportFinding, ruleIndex: number, context: ReportContext) {
  const { rule, level, message, file, line, column, pointer, related = [] } = finding;
  return {
    ruleId: rule,
    ruleIndex,
    level: sarifLevels[level],
    message: { text: message },
    ...(file === undefined ? {} : { locations: [{ ...locationOf({ file, line, column }, context), ...at(pointer) }] }),
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map(({ message: text, ...place }, id) => ({
            id,
            ...locationOf(place, context),
            message: { text },
          })),
        }),
  };
}

const at = (pointer: string | undefined) =>
  pointer === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: pointer }] };

function locationOf({ file, line, column }: ReportPlace, context: ReportContext) {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file, context) },
      ...(line === undefined ? {} : { region: { startLine: line, ...(column ? { startColumn: column } : {}) } }),
    },
  };
}

function uriOf(file: string, context: ReportContext): string {
  if (!isFile(file)) return file === '-' ? 'stdin' : file;
  const name = nameInRepository(file, context) ?? file;
  return name.split('/').map(encodeURIComponent).join('/');
}
