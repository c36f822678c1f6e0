import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';
import { openapi } from '../contract/openapi.ts';

const columns: Column[] = [
  { key: 'slug' },
  {
    key: 'processingState',
    title: 'State',
    kind: 'state',
    style: { complete: 'good', pending: 'warn', progress: 'warn' },
  },
  {
    key: 'lastProcessErrorCode',
    title: 'Error',
    kind: 'state',
    style: { FETCH_TIMEOUT: 'bad', FETCH_ERROR: 'bad', PARSE_ERROR: 'bad' },
  },
  { key: 'lastProcessedAt', title: 'Processed', kind: 'date' },
  { key: 'sourceURL', title: 'Source', optional: true },
  { key: 'id', title: 'ID', kind: 'id', optional: true },
];

const versionColumns: Column[] = [
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'id', title: 'ID', kind: 'id' },
];

const nodes: Node[] = [
  { use: 'list', endpoint: openapi.list, columns },
  { use: 'view <slug>', endpoint: openapi.view, columns },
  {
    use: 'publish <source>',
    endpoint: openapi.put,
    summary: 'Check an OpenAPI description and publish it.',
    without: ['source'],
    flags: [
      { flags: '--slug <slug>', description: 'name of the specification; made of its title where absent' },
      { flags: '--wait [seconds]', description: 'follow the processing to its end (default 120 seconds)' },
    ],
    run: async (invocation) => (await import('./openapi-publish.ts')).publish(invocation),
    exits: { 9: 'the description is not valid, or its processing failed' },
  },
  {
    use: 'delete <slug...>',
    endpoint: openapi.delete,
    confirm: { question: 'Delete the OpenAPI specification {} with all its versions?' },
    done: 'Deleted {}.',
  },
  {
    name: 'versions',
    summary: 'versions of a specification',
    children: [{ use: 'list <slug>', endpoint: openapi.versions, columns: versionColumns }],
  },
];
export default nodes;
