import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';
import { orgs } from '../contract/orgs.ts';
import { created, id, title } from './columns.ts';

const columns: Column[] = [
  title,
  { key: 'hostname', optional: true },
  { key: 'type', optional: true },
  { key: 'plan', optional: true },
  created,
  id,
];

const nodes: Node[] = [
  { use: 'list', endpoint: orgs.list, columns },
  { use: 'create', endpoint: orgs.create },
  { use: 'view [org]', endpoint: orgs.view },
  { use: 'edit [org]', endpoint: orgs.edit },
  { use: 'by-domain <domain>', endpoint: orgs.byDomain, columns, select: (answer) => answer.organizations },
  { use: 'ping [org]', endpoint: orgs.ping, done: 'Your last-seen time is up to date.' },
];
export default nodes;
