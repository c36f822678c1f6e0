import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { fileText } from '../../cli/command/read-input.ts';
import type { Column } from '../../cli/output/index.ts';
import { openapi } from '../../contract/openapi.ts';
import { check } from './check-command.ts';
import { diff } from './diff-command.ts';
import { processingState as state, publish, validate } from './publish-commands.ts';
import { previewPort } from '../shared/listening.ts';
import { isAddress } from '../../openapi/find-descriptions.ts';

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
    description: 'Sorted by slug. The column Error shows why the service failed to process one.',
    examples: { 'List all specifications': 'docsctl openapi list', 'Print slugs only': 'docsctl openapi list -o id' },
    seeAlso: ['openapi view', 'openapi publish'],
    output,
  }),
  command({
    use: 'create <slug> <source>',
    endpoint: openapi.create,
    description:
      'Reads a file, an address, or standard input (-) and sends it unchanged. The service processes it later. "openapi publish" also validates it, bundles the files it refers to, and updates existing specifications.',
    examples: {
      'Create a specification from a file': 'docsctl openapi create petstore petstore.yaml',
      'Preview creating one from an address':
        'docsctl openapi create petstore https://pets.example/openapi.json --dry-run',
    },
    exitStatuses: { 2: 'the file cannot be read', 6: 'the slug is taken or invalid' },
    seeAlso: ['openapi publish', 'openapi view'],
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
    description:
      'The service is still processing the specification while its state is pending or progress; complete with an error means that it failed. Use "openapi download" for the document. --web shows the reference of the latest version to browsers on this machine until you interrupt the command. --try-it adds a form to each operation, which sends the request from the browser to the servers in the description and stores nothing.',
    examples: {
      'View a specification': 'docsctl openapi view pumps',
      'Show its reference on a free port': 'docsctl openapi view pumps --web --port 0',
      'Print its processing state': 'docsctl openapi view pumps --jq .processingState',
    },
    exitStatuses: { 1: 'the port is in use', 5: 'no such specification, or it has no version yet' },
    seeAlso: ['openapi versions list', 'openapi download', 'preview'],
    flags: [
      { flags: '--web', description: 'show its reference to browsers on this machine' },
      { flags: '--port <port>', description: 'port of --web; 0 picks a free one', default: previewPort },
      { flags: '--try-it', description: 'with --web: let readers send requests' },
      { flags: '--open', description: 'with --web: open the browser' },
    ],
    output,
    endsQuietly: true,
    run: async (invocation) => (await import('./download.ts')).viewSpec(invocation),
  }),
  publish,
  validate,
  diff,
  check,
  command({
    use: 'delete <slug...>',
    endpoint: openapi.delete,
    description: 'Pages created from it have no content afterwards. This cannot be undone.',
    examples: {
      'Delete without confirmation': 'docsctl openapi delete pumps --yes',
      'Preview the request': 'docsctl openapi delete pumps --dry-run',
    },
    seeAlso: ['openapi list', 'openapi download'],
    output: { done: 'Deleted {}.' },
    confirm: { question: 'Delete the OpenAPI specification {} with all its versions?' },
  }),
  command({
    use: 'download <slug>',
    changes: ['files'],
    prints: 'anything',
    endpoint: openapi.latestContent,
    summary: 'Download the document of a specification.',
    description:
      'Downloads the latest version or the one of --version: as JSON, or as YAML with -o yaml or if the file name ends in .yaml or .yml.',
    examples: {
      'Print the latest version': 'docsctl openapi download pumps',
      'Save an earlier version as YAML': 'docsctl openapi download pumps --version pumpsv000001 --out pumps-1.0.yaml',
      'Download and validate it': 'docsctl openapi download pumps | docsctl openapi validate -',
    },
    seeAlso: ['openapi versions list'],
    flags: [
      { flags: '--version <version>', description: 'ID of the version (default the latest)' },
      { flags: '--out <file>', description: 'write it to this file; - for standard output' },
    ],
    run: async (invocation) => (await import('./download.ts')).download(invocation),
  }),
  {
    name: 'versions',
    summary: 'versions of a specification',
    children: [
      command({
        use: 'list <slug>',
        endpoint: openapi.versions,
        description: 'Newest first. Publishing creates a version only if the document changed.',
        examples: {
          'List all versions': 'docsctl openapi versions list pumps',
          'Print the ID of the newest': 'docsctl openapi versions list pumps --limit 1 -o id',
        },
        seeAlso: ['openapi versions view', 'openapi download'],
        output: { columns: versionColumns },
      }),
      command({
        use: 'view <slug> [version]',
        endpoint: openapi.version,
        description: 'The default is the latest version. Use "openapi download" for the document.',
        examples: {
          'View the latest version': 'docsctl openapi versions view pumps',
          'View an earlier version': 'docsctl openapi versions view pumps pumpsv000001',
        },
        seeAlso: ['openapi download'],
        input: { params: { version: 'versionId' } },
        output: { columns: versionColumns, card: [...versionColumns, { key: 'url', title: 'Document' }] },
        run: async (invocation) => (await import('./download.ts')).viewVersion(invocation),
      }),
    ],
  },
];
export default nodes;
