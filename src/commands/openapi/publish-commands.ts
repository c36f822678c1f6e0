import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { findingColumns } from '../../cli/report/report.ts';
import { exit } from '../../cli/program/failure.ts';
import { publishFlags, validateFlags } from './flags.ts';

export const processingState: Column = {
  key: 'processingState',
  title: 'State',
  kind: 'state',
  style: { complete: 'good', pending: 'warn', progress: 'warn' },
};

const publishedColumns: Column[] = [
  { key: 'slug', kind: 'id' },
  { key: 'result', kind: 'state', style: { created: 'good', updated: 'good', unchanged: 'dim' } },
  processingState,
  { key: 'lastVersion', title: 'Version', kind: 'id' },
  { key: 'lastProcessedAt', title: 'Processed', kind: 'date' },
  { key: 'findings', kind: 'number', optional: true },
  { key: 'breaking', title: 'Breaking changes', kind: 'state', optional: true },
  { key: 'urls.app', title: 'Address' },
];

export const publish = command({
  use: 'publish [source...]',
  changes: ['service'],
  prints: async () => (await import('../shared/printed.ts')).published,
  summary: 'Check and publish OpenAPI descriptions.',
  description:
    'Reads OpenAPI 2.0 to 3.2 in JSON or YAML from files, folders, patterns, addresses or standard input (-), validates each description, bundles the files it refers to into one document, and sends it if it changed. Without a source, publishes everything under "openapi:" in .docsctl.yaml. With errors, or with breaking changes and --fail-on breaking, nothing is sent and the status is 9. The service processes the document later unless you use --wait.',
  examples: {
    'Publish a file and wait until it is processed': 'docsctl openapi publish petstore.yaml --slug petstore --wait',
    'Publish only if no change is breaking': 'docsctl openapi publish petstore.yaml --slug petstore --fail-on breaking',
    'Publish all descriptions in a folder, but create none': 'docsctl openapi publish apis --existing',
    'Read from standard input': 'docsctl openapi publish - --slug petstore < petstore.yaml',
  },
  exitStatuses: {
    [exit.usage]: 'nothing to publish, or the source or a --ref-root folder cannot be read',
    [exit.forbidden]: 'requires the role create or admin in the organization',
    [exit.notFound]: 'with --existing: no specification has this slug',
    [exit.refused]: 'with --fail-on breaking: somebody else published at the same time',
    [exit.unreachable]: 'not processed within the time of --wait',
    [exit.someFailed]: 'with --keep-going: some descriptions failed',
    [exit.checkFailed]: 'invalid, breaking with --fail-on breaking, or the service could not process it',
  },
  docs: 'docs/openapi-changes.md',
  seeAlso: ['openapi validate', 'openapi view', 'openapi versions list'],
  flags: publishFlags,
  input: { context: ['org'], sources: { '/source': ['<source>'] } },
  output: { columns: publishedColumns },
  writesFilesWith: ['writeBaseline', 'result'],
  run: async (invocation) => (await import('./publish.ts')).publishAll(invocation),
});

export const validate = command({
  use: 'validate [source...]',
  changes: [],
  prints: async () => (await import('../shared/printed.ts')).findings,
  summary: 'Validate OpenAPI descriptions without sending them.',
  description:
    'Reads OpenAPI 2.0 to 3.2 in JSON or YAML from files, folders, patterns, addresses or standard input (-), and the files they refer to. Without a source, validates everything under "openapi:" in .docsctl.yaml. Prints each finding as file:line:column level message (rule). The rules are those of Redocly, and the nearest redocly.yaml in the project configures them; its plugins are not run. The rule not-checked marks parts that could not be checked. Needs no service and no token.',
  examples: {
    'Validate a file': 'docsctl openapi validate petstore.yaml',
    'Validate all descriptions that match': 'docsctl openapi validate "apis/**/*.yaml"',
    'List findings, always with status 0': 'docsctl openapi validate - --fail-on none < petstore.yaml',
    'Write a report for code scanning': 'docsctl openapi validate petstore.yaml --format sarif',
    'Accept the current findings; later, use --baseline known.json':
      'docsctl openapi validate petstore.yaml --write-baseline known.json',
  },
  exitStatuses: {
    [exit.usage]: 'a file or a --ref-root folder cannot be read',
    [exit.unreachable]: 'an address is unreachable',
    [exit.someFailed]: 'with --keep-going: some descriptions could not be read',
    [exit.checkFailed]: 'errors, or warnings with --fail-on warning',
  },
  docs: 'docs/openapi-rules.md',
  seeAlso: ['openapi publish', 'openapi download'],
  flags: validateFlags,
  output: { columns: findingColumns },
  run: async (invocation) => (await import('./validate.ts')).validateAll(invocation),
});
