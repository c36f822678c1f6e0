import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';
import { openapi } from '../contract/openapi.ts';
import { publish, validate } from './openapi-ci.ts';

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
  publish,
  validate,
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
