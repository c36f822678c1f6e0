import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';
import { spaces } from '../contract/spaces.ts';
import { id, title, updated } from './columns.ts';

const columns: Column[] = [
  title,
  { key: 'visibility', kind: 'state', optional: true },
  { key: 'editMode', title: 'Edit mode', kind: 'state', optional: true },
  { key: 'changeRequestsOpen', title: 'Open requests', kind: 'number', optional: true },
  updated,
  id,
];

const nodes: Node[] = [
  { use: 'list', endpoint: spaces.list, columns },
  { use: 'create', endpoint: spaces.create, columns },
  { use: 'view [space]', endpoint: spaces.view },
  { use: 'edit [space]', endpoint: spaces.edit, columns },
  {
    use: 'delete <space...>',
    endpoint: spaces.delete,
    confirm: {
      question: 'Delete the space {}? It can be restored for 7 days.',
      typed: { view: spaces.view, title: (space) => space.title },
    },
    done: 'Deleted {}. It can be restored for 7 days.',
  },
];
export default nodes;
