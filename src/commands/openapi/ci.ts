import { exit } from '../../cli/program/exit-status.ts';
import type { Column } from '../../cli/output/index.ts';
import type { Command, Flag } from '../../cli/command/command.ts';

export const noCi = {
  flags: '--no-ci',
  description: 'write no annotations, summary and outputs for the build server',
} as const satisfies Flag;

const refRoot: Flag = {
  flags: '--ref-root <folder>',
  description: 'a folder outside of the project whose files references may name too (repeatable)',
  // Names of folders may hold commas.
  with: (option) => option.argParser((folder: string, before: string[] = []) => [...before, folder]),
};

const publishedColumns: Column[] = [
  { key: 'slug', kind: 'id' },
  { key: 'result', kind: 'state', style: { created: 'good', updated: 'good', unchanged: 'dim' } },
  {
    key: 'processingState',
    title: 'State',
    kind: 'state',
    style: { complete: 'good', pending: 'warn', progress: 'warn' },
  },
  { key: 'lastVersion', title: 'Version', kind: 'id' },
  { key: 'lastProcessedAt', title: 'Processed', kind: 'date' },
  { key: 'urls.app', title: 'Address' },
];

export const publish: Command = {
  use: 'publish [source]',
  help: {
    summary: 'Check an OpenAPI description and publish it.',
    description: `Reads OpenAPI 2.0, 3.0 and 3.1 in JSON or YAML from a file, an address or standard input (-), and checks it before anything is sent. Files it refers to are folded into one document. They must be in its project, which is the nearest folder above it with .git in it, else its own folder (for standard input, that of the working directory), or below --ref-root; a reference to any other file, or to a hidden one, is an error. Without a source, everything under "openapi:" in .docsctl.yaml is published. What is published already is not sent again.

Without --wait it ends when the service has taken the document, before it has been read. Earlier versions stay.`,
    examples: [
      {
        run: 'docsctl openapi publish petstore.yaml --slug petstore --wait',
        does: 'Publish a file and wait until it is processed',
      },
      {
        run: 'docsctl openapi publish petstore.yaml --slug petstore --fail-on breaking',
        does: 'Only if it breaks nobody',
      },
      { run: 'docsctl openapi publish - --slug petstore < petstore.yaml', does: 'From standard input' },
    ],
    exitStatuses: {
      [exit.usage]: 'there is nothing to publish, or it or a folder of --ref-root cannot be read',
      [exit.forbidden]: 'it takes the role create or admin in the organization',
      [exit.unreachable]: 'still being processed when --wait ran out',
      [exit.checkFailed]: 'not valid, breaking with --fail-on breaking, or its processing failed',
    },
    seeAlso: ['openapi validate', 'openapi view', 'openapi versions list'],
  },
  input: {
    flags: [
      { flags: '--slug <slug>', description: 'name of the specification; made of its title where absent' },
      {
        flags: '--wait [seconds]',
        description: 'follow the processing to its end, 120 seconds at most where no number is given',
      },
      {
        flags: '--fail-on <what>',
        description: 'end with status 9 before anything is sent',
        choices: ['breaking', 'warning'],
      },
      { flags: '--force', description: 'send it even if it is published already' },
      refRoot,
      noCi,
    ],
    context: ['org'],
    sources: { '/source': ['<source>'] },
  },
  output: {
    columns: publishedColumns,
  },
  run: async (invocation) => (await import('./publish.ts')).publishAll(invocation),
};

export const validate: Command = {
  use: 'validate <source...>',
  help: {
    summary: 'Check OpenAPI descriptions; nothing is sent.',
    description:
      'Reads OpenAPI 2.0, 3.0 and 3.1 in JSON or YAML from files, addresses or standard input (-), with the files of the same project or below --ref-root that they refer to, and prints each finding as file:line:column severity message (rule). Errors are what "openapi publish" would refuse; warnings are told. No service is asked, and no token is needed. On GitHub Actions findings become annotations too.',
    examples: [
      { run: 'docsctl openapi validate petstore.yaml', does: 'Check a file' },
      { run: 'docsctl openapi validate - --fail-on warning < petstore.yaml', does: 'Let warnings fail too' },
      { run: 'docsctl openapi validate petstore.yaml -o json', does: 'Findings for a program' },
    ],
    exitStatuses: {
      [exit.usage]: 'a file or a folder of --ref-root cannot be read',
      [exit.unreachable]: 'an address cannot be reached',
      [exit.checkFailed]: 'there are errors, or warnings with --fail-on warning',
    },
    seeAlso: ['openapi publish', 'openapi download'],
  },
  input: {
    flags: [
      { flags: '--fail-on <what>', description: 'warnings end with status 9 too', choices: ['warning'] },
      refRoot,
      noCi,
    ],
  },
  output: {
    columns: [
      { key: 'file' },
      { key: 'line', kind: 'number' },
      { key: 'column', kind: 'number' },
      { key: 'severity', kind: 'state', style: { error: 'bad', warning: 'warn' } },
      { key: 'message' },
      { key: 'rule', optional: true },
    ],
  },
  run: async (invocation) => (await import('./publish.ts')).validateAll(invocation),
};
