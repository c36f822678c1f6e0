import type { Flag } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { baselineFlags } from '../../cli/report/baseline.ts';
import { findingColumns, findingFlags } from '../../cli/report/report.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { noCi } from '../shared/no-ci.ts';

export const refRoot = {
  flags: '--ref-root <folder>',
  description: 'a folder outside of the project whose files references may name too (repeatable)',
  // Names of folders may hold commas.
  repeatable: 'verbatim',
} as const satisfies Flag;

export const refHost = {
  flags: '--ref-host <host>',
  description: 'a host in a private network that references may name too (repeatable)',
  repeatable: true,
} as const satisfies Flag;

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
  { key: 'findings', kind: 'number', optional: true },
  { key: 'breaking', title: 'Breaking changes', kind: 'state', optional: true },
  { key: 'urls.app', title: 'Address' },
];

export const publish = command({
  use: 'publish [source]',
  help: {
    summary: 'Check an OpenAPI description and publish it.',
    description: `Reads OpenAPI 2.0, 3.0, 3.1 and 3.2 in JSON or YAML from a file, an address or standard input (-), and checks it as "openapi validate" does before anything is sent. Files and documents at addresses that it refers to are folded into one document. They must be in its project or in a folder of --ref-root; the project is the nearest folder above it that holds .git, else its own folder (for standard input, the working directory). A reference to any other file, or to a hidden file, is an error. Without a source, everything under "openapi:" in .docsctl.yaml is published. What is published already is not sent again.

Errors end it with status 9, unless --fail-on none says to send it as it is. --fail-on breaking compares it with the version that was published last; a dry run does so too. Changes that may break clients are listed as warnings and do not stop it. The result says none, warnings or, if there is no version to compare with, no-earlier-version.

Without --wait the command ends when the service has received the document; the service processes it afterwards. Earlier versions are kept.`,
    examples: [
      {
        run: 'docsctl openapi publish petstore.yaml --slug petstore --wait',
        does: 'Publish a file and wait until it is processed',
      },
      {
        run: 'docsctl openapi publish petstore.yaml --slug petstore --fail-on breaking',
        does: 'Only if no change is breaking',
      },
      { run: 'docsctl openapi publish - --slug petstore < petstore.yaml', does: 'From standard input' },
    ],
    exitStatuses: {
      [exit.usage]: 'there is nothing to publish, or it or a folder of --ref-root cannot be read',
      [exit.forbidden]: 'this needs the role create or admin in the organization',
      [exit.unreachable]: 'not yet processed when the time of --wait was over',
      [exit.checkFailed]: 'not valid, breaking with --fail-on breaking, or the service could not process it',
    },
    seeAlso: ['openapi validate', 'openapi view', 'openapi versions list'],
  },
  input: {
    flags: [
      { flags: '--slug <slug>', description: 'name of the specification (default made from its title)' },
      {
        flags: '--wait [seconds]',
        description: 'wait until the service has processed it, at most this long (default 120)',
      },
      {
        flags: '--fail-on <what>',
        description: 'what ends it with status 9 before anything is sent (default error)',
        choices: ['error', 'warning', 'breaking', 'none'],
        repeatable: true,
      },
      ...baselineFlags,
      { flags: '--force', description: 'send it even if it is published already; the same text makes no new version' },
      refRoot,
      refHost,
      noCi,
    ],
    context: ['org'],
    sources: { '/source': ['<source>'] },
  },
  output: {
    columns: publishedColumns,
  },
  writesFilesWith: ['writeBaseline'],
  run: async (invocation) => (await import('./publish.ts')).publishAll(invocation),
});

export const validate = command({
  use: 'validate <source...>',
  help: {
    summary: 'Check OpenAPI descriptions; nothing is sent.',
    description:
      'Reads OpenAPI 2.0, 3.0, 3.1 and 3.2 in JSON or YAML from files, addresses or standard input (-), with what they refer to: files of the same project or below --ref-root, and documents at addresses, in private networks only with --ref-host. Prints each finding as file:line:column level message (rule). The rules have the names of Redocly, and a redocly.yaml beside the description or above it in its project says which count; its plugins are not run. Without one, errors are what the specification forbids and warnings what else is recommended. The rule not-checked stands for what could not be looked at. "openapi publish" sends nothing while there are errors. No request is sent to the service, and no token is needed. On GitHub Actions findings also become annotations.',
    examples: [
      { run: 'docsctl openapi validate petstore.yaml', does: 'Check a file' },
      {
        run: 'docsctl openapi validate - --fail-on none < petstore.yaml',
        does: 'Only list what is found',
      },
      { run: 'docsctl openapi validate petstore.yaml --format sarif', does: 'A report for code scanning' },
      {
        run: 'docsctl openapi validate petstore.yaml --write-baseline known.json',
        does: 'Accept what is found now; later: --baseline known.json',
      },
    ],
    exitStatuses: {
      [exit.usage]: 'a file or a folder of --ref-root cannot be read',
      [exit.unreachable]: 'an address cannot be reached',
      [exit.checkFailed]: 'there are errors, or warnings with --fail-on warning',
    },
    seeAlso: ['openapi publish', 'openapi download'],
  },
  input: {
    flags: [...findingFlags, refRoot, refHost, noCi],
  },
  output: {
    columns: findingColumns,
  },
  run: async (invocation) => (await import('./validate.ts')).validateAll(invocation),
});
