import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { formatFlag } from '../../cli/report/report.ts';
import { noCi } from '../shared/no-ci.ts';
import { refHost, refRoot } from './publish-commands.ts';

export const diff = command({
  use: 'diff <old> <new>',
  help: {
    summary: 'Compare two OpenAPI descriptions and find breaking changes.',
    description: `Each of the two is a file, an address, standard input (-), git:REF:path for a file of a commit, the slug of a published specification for its latest version, or slug@version. Files that they refer to are read as in "openapi validate"; those of a commit are read from the same commit. Versions 2.0, 3.0 and 3.1 may be compared with each other. The descriptions are not checked otherwise.

A change is breaking where a request that was accepted may now be refused, or a response may now be what it could not be before. It is a warning where nobody can tell from the descriptions, or where most clients cope. What is written in another way and means the same is no change. A change in a component is listed once, with the operations that use it.

--ignore names a YAML or JSON file with a list of accepted changes: rule, path (optional; such as "/pets/*" or "GET /pets"), until (optional; the last day, such as 2030-01-31) and reason. An entry whose day is over is reported and has no effect.`,
    examples: [
      {
        run: 'docsctl openapi diff pumps@pumpsv000001 pumps',
        does: 'What changed since a published version',
      },
      {
        run: 'docsctl openapi diff pumps petstore.yaml --fail-on none',
        does: 'Compare a file with what is published, and only list the changes',
      },
      {
        run: 'docsctl openapi diff petstore.yaml petstore.yaml --format markdown',
        does: 'A summary for a pull request',
      },
    ],
    exitStatuses: {
      [exit.usage]: 'a file, a commit or a folder of --ref-root cannot be read, or the file of --ignore is not valid',
      [exit.notFound]: 'no specification or version of that name is published',
      [exit.checkFailed]:
        'there are breaking changes, or warnings with --fail-on warning, or parts could not be compared',
    },
    seeAlso: ['openapi publish', 'openapi validate', 'openapi versions list'],
  },
  input: {
    flags: [
      {
        flags: '--fail-on <what>',
        description: 'end with status 9 at breaking changes, at warnings too, or never (default breaking)',
        choices: ['breaking', 'warning', 'none'],
      },
      { flags: '--ignore <file>', description: 'leave out the changes that this file accepts' },
      {
        ...formatFlag,
        description: 'format of the report (default text)',
        choices: [...formatFlag.choices, 'markdown'],
      },
      refRoot,
      refHost,
      noCi,
    ],
    context: ['org'],
    files: ['old', 'new'],
    texts: { old: 'the earlier description', new: 'the later one, in the same forms' },
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
  run: async (invocation) => (await import('./diff.ts')).diffDescriptions(invocation),
});
