import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { diffFlags } from './flags.ts';

export const diff = command({
  use: 'diff [old] [new]',
  changes: [],
  prints: async () => (await import('../shared/printed.ts')).changeFindings,
  summary: 'Compare two OpenAPI descriptions and find breaking changes.',
  description:
    'Each description is a file, an address, standard input (-), git:REF:path for a file in a commit, or the slug of a published specification, or slug@version. Two folders are compared file by file. Without arguments, everything under "openapi:" in .docsctl.yaml is compared with its published version. Versions 2.0, 3.0 and 3.1 can be compared with each other. A change is breaking if a request that was accepted may now be refused, or if a response may contain something new. Changes in a component are listed once, with the operations that use it.',
  examples: {
    'Show what changed since a published version': 'docsctl openapi diff pumps@pumpsv000001 pumps',
    'Compare a file with the published version, always with status 0':
      'docsctl openapi diff pumps petstore.yaml --fail-on none',
    'Write a summary for a pull request': 'docsctl openapi diff petstore.yaml petstore.yaml --format markdown',
  },
  exitStatuses: {
    [exit.usage]: 'a file, a commit, a --ref-root folder or the --ignore file cannot be read',
    [exit.notFound]: 'no published specification or version with this name',
    [exit.someFailed]: 'with --keep-going: some comparisons failed',
    [exit.checkFailed]: 'breaking changes, or warnings with --fail-on warning, or parts that could not be compared',
  },
  docs: 'docs/openapi-changes.md',
  seeAlso: ['openapi publish', 'openapi validate', 'openapi versions list'],
  flags: diffFlags,
  input: {
    context: ['org'],
    files: ['old', 'new'],
    texts: { old: 'the earlier description', new: 'the later description, in the same forms' },
  },
  output: {
    columns: [
      { key: 'level', kind: 'state', style: { breaking: 'bad', error: 'bad', warning: 'warn', info: 'dim' } },
      { key: 'rule' },
      { key: 'message' },
      { key: 'file' },
      { key: 'line', kind: 'number' },
      { key: 'column', kind: 'number', optional: true },
      { key: 'operations', optional: true },
      { key: 'before.file', title: 'Old file', optional: true },
      { key: 'before.line', title: 'Old line', kind: 'number', optional: true },
    ],
  },
  writesFilesWith: ['writeBaseline'],
  run: async (invocation) => (await import('./diff.ts')).diffDescriptions(invocation),
});
