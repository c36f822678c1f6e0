import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { fileText } from '../../cli/command/read-input.ts';
import type { Column } from '../../cli/output/index.ts';
import { openapi } from '../../contract/openapi.ts';
import { diff } from './diff-command.ts';
import { publish, validate } from './publish-commands.ts';
import { defaultPort } from '../shared/default-port.ts';
import { isAddress } from './is-address.ts';

const state: Column = {
  key: 'processingState',
  title: 'State',
  kind: 'state',
  style: { complete: 'good', pending: 'warn', progress: 'warn' },
};
const failure: Column = {
  key: 'lastProcessErrorCode',
  title: 'Error',
  kind: 'state',
  style: { FETCH_TIMEOUT: 'bad', FETCH_ERROR: 'bad', PARSE_ERROR: 'bad' },
};

const columns: Column[] = [
  { key: 'slug', kind: 'id' },
  state,
  failure,
  { key: 'lastProcessedAt', title: 'Processed', kind: 'date' },
  { key: 'sourceURL', title: 'Source', optional: true },
  { key: 'id', title: 'ID', kind: 'id', optional: true },
];

const versionColumns: Column[] = [
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'id', title: 'ID', kind: 'id' },
];

const card: Column[] = [
  { key: 'slug', kind: 'id' },
  { key: 'id', title: 'ID', kind: 'id' },
  state,
  failure,
  { key: 'lastProcessedAt', title: 'Processed', kind: 'date' },
  { key: 'lastVersion', title: 'Version', kind: 'id' },
  { key: 'sourceURL', title: 'Source' },
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'updatedAt', title: 'Updated', kind: 'date' },
  { key: 'urls.app', title: 'Address' },
];
const output = { columns, card, idKey: 'slug' };

/** An address, or the text of a file or of standard input. */
function sourceOf(source: string | undefined): { url: string } | { text: string } | undefined {
  if (source === undefined) return undefined;
  return isAddress(source) ? { url: source } : { text: fileText(source, '<source>') };
}

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: openapi.list,
    help: {
      description: 'Sorted by slug. Error says what went wrong when the service last processed one.',
      examples: [
        { run: 'docsctl openapi list', does: 'All specifications' },
        { run: 'docsctl openapi list -o id', does: 'Their slugs alone' },
      ],
      seeAlso: ['openapi view', 'openapi publish'],
    },
    output,
  }),
  command({
    use: 'create <slug> <source>',
    endpoint: openapi.create,
    help: {
      description:
        'From a file, an address, or standard input (-). It is sent as it is: "openapi publish" checks it first, folds in the files it refers to, and can also update. The service processes it after it has answered.',
      examples: [
        { run: 'docsctl openapi create petstore petstore.yaml', does: 'From a file' },
        {
          run: 'docsctl openapi create petstore https://pets.example/openapi.json --dry-run',
          does: 'From an address; show the request only',
        },
      ],
      exitStatuses: { 2: 'the file cannot be read', 6: 'the slug is taken or not valid' },
      seeAlso: ['openapi publish', 'openapi view'],
    },
    input: {
      without: ['source'],
      sources: { '/source': ['<source>'] },
      body: async ({ args }) => ({ source: sourceOf(args.source) }),
    },
    output,
  }),
  command({
    use: 'view <slug>',
    endpoint: openapi.view,
    help: {
      description:
        'While its state is pending or progress, the service still processes it; complete with an error means that this failed. The document itself is written by "openapi download".\n\nWith --web, the reference of its latest version is shown to browsers of this machine until the command is interrupted. With --try-it, each operation has a form that sends it from the browser to the servers that the description names, and what is typed is not stored.',
      examples: [
        { run: 'docsctl openapi view pumps', does: 'One specification' },
        { run: 'docsctl openapi view pumps --web --port 0', does: 'Its reference, on any free port' },
        { run: 'docsctl openapi view pumps --jq .processingState', does: 'The state of its processing' },
      ],
      exitStatuses: { 1: 'the port is in use', 5: 'there is no such specification, or it has no version yet' },
      seeAlso: ['openapi versions list', 'openapi download', 'preview'],
    },
    input: {
      flags: [
        { flags: '--web', description: 'show its reference to browsers of this machine' },
        { flags: '--port <port>', description: 'port of --web; 0 picks a free one', default: defaultPort },
        { flags: '--try-it', description: 'with --web: let readers send the requests' },
        { flags: '--open', description: 'with --web: open it in the browser' },
      ],
    },
    output,
    endsQuietly: true,
    run: async (invocation) => (await import('./view.ts')).viewSpec(invocation),
  }),
  publish,
  validate,
  diff,
  command({
    use: 'delete <slug...>',
    endpoint: openapi.delete,
    help: {
      description: 'This cannot be undone. Pages made from it have nothing to show any more.',
      examples: [
        { run: 'docsctl openapi delete pumps --yes', does: 'Delete without being asked' },
        { run: 'docsctl openapi delete pumps --dry-run', does: 'Show the request only' },
      ],
      seeAlso: ['openapi list', 'openapi download'],
    },
    output: {
      done: 'Deleted {}.',
    },
    confirm: { question: 'Delete the OpenAPI specification {} with all its versions?' },
  }),
  command({
    use: 'download <slug>',
    endpoint: openapi.latestContent,
    help: {
      summary: 'Write the document of a specification.',
      description:
        'The latest version, or the one of --version, as the service read it: JSON, or YAML with -o yaml or for a file whose name ends in .yaml or .yml.',
      examples: [
        { run: 'docsctl openapi download pumps', does: 'The latest version' },
        {
          run: 'docsctl openapi download pumps --version pumpsv000001 --out pumps-1.0.yaml',
          does: 'An earlier one, as a YAML file',
        },
        { run: 'docsctl openapi download pumps | docsctl openapi validate -', does: 'And check it' },
      ],
      seeAlso: ['openapi versions list'],
    },
    input: {
      flags: [
        { flags: '--version <version>', description: 'id of the version (default the latest)' },
        { flags: '--out <file>', description: 'write it to this file; - is standard output' },
      ],
    },
    run: async (invocation) => (await import('./download.ts')).download(invocation),
  }),
  {
    name: 'versions',
    summary: 'versions of a specification',
    children: [
      command({
        use: 'list <slug>',
        endpoint: openapi.versions,
        help: {
          description: 'Newest first. Each publication that changed something made one; the same text again made none.',
          examples: [
            { run: 'docsctl openapi versions list pumps', does: 'All versions' },
            { run: 'docsctl openapi versions list pumps --limit 1 -o id', does: 'Id of the newest' },
          ],
          seeAlso: ['openapi versions view', 'openapi download'],
        },
        output: {
          columns: versionColumns,
        },
      }),
      command({
        use: 'view <slug> [version]',
        endpoint: openapi.version,
        help: {
          description: 'The latest if none is named. The document itself is written by "openapi download".',
          examples: [
            { run: 'docsctl openapi versions view pumps', does: 'The latest version' },
            { run: 'docsctl openapi versions view pumps pumpsv000001', does: 'An earlier one' },
          ],
          seeAlso: ['openapi download'],
        },
        input: {
          params: { version: 'versionId' },
        },
        output: {
          columns: versionColumns,
          card: [...versionColumns, { key: 'url', title: 'Document' }],
        },
        run: async (invocation) => (await import('./download.ts')).viewVersion(invocation),
      }),
    ],
  },
];
export default nodes;
