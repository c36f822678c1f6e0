import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { collections } from '../../contract/collections.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { app, defaultLevel, id, spaceColumns, title } from '../shared/columns.ts';

type Collection = ItemOf<typeof collections.list>;

const columns: Column<Collection>[] = [
  title,
  { key: 'description', optional: true },
  { ...defaultLevel, optional: true },
  { key: 'parent', kind: 'id', names: 'collectionId', optional: true },
  id,
];
const card: Column<Collection>[] = [
  title,
  id,
  { key: 'description' },
  defaultLevel,
  { key: 'parent', title: 'Inside', kind: 'id', names: 'collectionId' },
  app,
];

const output = { columns, card };

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: collections.list,
    description: 'Sorted by position, with nested collections below their parents.',
    examples: {
      'List all collections, as a tree in a terminal': 'docsctl collections list',
      'List top-level collections only': 'docsctl collections list --no-nested',
    },
    seeAlso: ['collections spaces', 'spaces list'],
    output: { columns, card, tree: { parent: ({ parent }: Collection) => parent } },
  }),
  command({
    use: 'create',
    endpoint: collections.create,
    description:
      'The new collection is empty and comes last under its parent. Use "collections edit" to set a description.',
    examples: {
      'Create a collection at the top level': 'docsctl collections create --title Pumps',
      'Create a nested collection': 'docsctl collections create --title Pumps --parent products0001',
    },
    exitStatuses: {
      4: 'requires the role create in the organization, or the level create on the parent',
      6: 'no such parent, or a value is invalid',
    },
    seeAlso: ['collections edit', 'spaces move'],
    output,
  }),
  command({
    use: 'view <collection>',
    endpoint: collections.view,
    description: 'Use "collections spaces" to list its spaces.',
    examples: {
      'View a collection': 'docsctl collections view products0001',
      'Show your permissions on it': 'docsctl collections view products0001 --jq .permissions',
    },
    seeAlso: ['collections spaces', 'collections edit'],
    output,
  }),
  command({
    use: 'edit <collection...>',
    endpoint: collections.edit,
    description:
      'Fields that you do not pass stay unchanged. The default level applies to everything in the collection.',
    examples: {
      'Change the title': 'docsctl collections edit products0001 --title "All products"',
      'Let members comment in it': 'docsctl collections edit internal0001 --default-level comment',
    },
    exitStatuses: { 6: 'a value is invalid' },
    seeAlso: ['collections move'],
    input: { singular: ['title'] },
    output,
  }),
  command({
    use: 'delete <collection...>',
    endpoint: collections.delete,
    description:
      'Spaces and collections in it are not deleted: they move to its parent or to the top level, and its default level no longer applies to them. This cannot be undone.',
    examples: {
      'Delete a collection without confirmation': 'docsctl collections delete archive00001 --yes',
      'Preview the requests': 'docsctl collections delete archive00001 internal0001 --dry-run',
    },
    seeAlso: ['collections spaces', 'spaces delete'],
    output: { done: 'Deleted {}.' },
    confirm: { question: 'Delete the collection {}? Its content moves to its parent.' },
  }),
  command({
    use: 'spaces <collection>',
    endpoint: collections.spaces,
    description: 'Sorted by position. "spaces list" includes the spaces of nested collections.',
    examples: {
      'List the spaces of a collection': 'docsctl collections spaces products0001',
      'Print IDs only': 'docsctl collections spaces products0001 -o id',
    },
    seeAlso: ['collections list', 'spaces view'],
    output: { columns: spaceColumns },
  }),
  command({
    use: 'move <collection...>',
    endpoint: collections.move,
    advice: {
      position: 'Pass --parent, or --root for the top level; "docsctl collections list" shows the current positions.',
    },
    description:
      'Spaces and collections with the same parent share one order. --before and --after take an ID; space:<id> or collection:<id> saves a request. Without them, the collection moves to the end. Moving it into another collection requires the level create there.',
    examples: {
      'Move it before another collection': 'docsctl collections move internal0001 --before products0001',
      'Move it to the end of the top level': 'docsctl collections move archive00001 --root',
      'Move it into another collection':
        'docsctl collections move archive00001 --parent internal0001 --before space:playbook0001',
    },
    exitStatuses: { 6: 'it is already there, or would be inside itself' },
    seeAlso: ['spaces move', 'collections transfer'],
    input: { inOrder: true },
    output,
  }),
  command({
    use: 'transfer <collection...>',
    endpoint: collections.transfer,
    advice: {
      'cannot-move':
        'Find it with "docsctl sites spaces list --site <site>" and remove it with "docsctl sites spaces remove <site-space> --site <site>".',
    },
    description:
      'The collection moves to the end of the other organization, where you need permission to create content. Custom field values are deleted, and so are the levels of people who are not members there. A collection with a space that is in a site cannot be transferred.',
    examples: {
      'Transfer it to a new organization':
        'docsctl collections transfer archive00001 --to "$(docsctl orgs create --title "Lumen Labs" -o id)" --yes',
      'Preview the request':
        'docsctl collections transfer archive00001 --to "$(docsctl orgs create --title "Lumen Labs" -o id)" --dry-run',
    },
    exitStatuses: { 6: 'it contains a space that is in a site, or is already in that organization' },
    seeAlso: ['spaces transfer'],
    input: { names: { organization: 'to' } },
    output,
    confirm: { question: 'Transfer the collection {}, with all its content, to another organization?' },
  }),
];
export default nodes;
