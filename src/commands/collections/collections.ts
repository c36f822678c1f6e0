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

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: collections.list,
    help: {
      description: 'In their order, nested collections below their parent.',
      examples: [
        { run: 'docsctl collections list', does: 'All collections, as a tree in a terminal' },
        { run: 'docsctl collections list --no-nested', does: 'Only those on the top level' },
      ],
      seeAlso: ['collections spaces', 'spaces list'],
    },
    output: {
      columns,
      card,
      tree: { parent: ({ parent }: Collection) => parent },
    },
  }),
  command({
    use: 'create',
    endpoint: collections.create,
    help: {
      description: 'It is empty, and the last one under its parent. "collections edit" sets a description.',
      examples: [
        { run: 'docsctl collections create --title Pumps', does: 'On the top level' },
        { run: 'docsctl collections create --title Pumps --parent products0001', does: 'Inside another' },
      ],
      exitStatuses: {
        4: 'this needs the role create in the organization, or that level on the parent',
        6: 'there is no such parent, or a value is not valid',
      },
      seeAlso: ['collections edit', 'spaces move'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'view <collection>',
    endpoint: collections.view,
    help: {
      description: '"collections spaces" lists its spaces.',
      examples: [
        { run: 'docsctl collections view products0001', does: 'One collection' },
        { run: 'docsctl collections view products0001 --jq .permissions', does: 'Your permissions on it' },
      ],
      seeAlso: ['collections spaces', 'collections edit'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'edit <collection...>',
    endpoint: collections.edit,
    help: {
      description: 'Fields that are not given stay unchanged. The default level applies to everything in it.',
      examples: [
        { run: 'docsctl collections edit products0001 --title "All products"', does: 'Another title' },
        { run: 'docsctl collections edit internal0001 --default-level comment', does: 'Let members comment in it' },
      ],
      exitStatuses: { 6: 'a value is not valid' },
      seeAlso: ['collections move'],
    },
    input: { singular: ['title'] },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'delete <collection...>',
    endpoint: collections.delete,
    help: {
      description:
        'The spaces and collections in it are not deleted: they move to its parent, or to the top level. Its default level no longer applies to them. This cannot be undone.',
      examples: [
        { run: 'docsctl collections delete archive00001 --yes', does: 'Delete a collection without being asked' },
        { run: 'docsctl collections delete archive00001 internal0001 --dry-run', does: 'Show the requests only' },
      ],
      seeAlso: ['collections spaces', 'spaces delete'],
    },
    output: {
      done: 'Deleted {}.',
    },
    confirm: { question: 'Delete the collection {}? Its content moves to its parent.' },
  }),
  command({
    use: 'spaces <collection>',
    endpoint: collections.spaces,
    help: {
      description: 'In their order. "spaces list" also lists the spaces of nested collections.',
      examples: [
        { run: 'docsctl collections spaces products0001', does: 'Spaces of a collection' },
        { run: 'docsctl collections spaces products0001 -o id', does: 'Their ids alone' },
      ],
      seeAlso: ['collections list', 'spaces view'],
    },
    output: {
      columns: spaceColumns,
    },
  }),
  command({
    use: 'move <collection...>',
    endpoint: collections.move,
    advice: {
      position:
        '--parent says where it goes, and --root the top level; "docsctl collections list" shows what stands where.',
    },
    help: {
      description:
        'Spaces and collections under one parent share one order. --before and --after take an id, or space:<id> or collection:<id>, which saves a request. Without them it goes to the end. Moving it into another collection needs the level create there.',
      examples: [
        { run: 'docsctl collections move internal0001 --before products0001', does: 'Before another collection' },
        { run: 'docsctl collections move archive00001 --root', does: 'To the end of the top level' },
        {
          run: 'docsctl collections move archive00001 --parent internal0001 --before space:playbook0001',
          does: 'Into another',
        },
      ],
      exitStatuses: { 6: 'it is there already, or would be inside itself' },
      seeAlso: ['spaces move', 'collections transfer'],
    },
    input: { inOrder: true },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'transfer <collection...>',
    endpoint: collections.transfer,
    advice: {
      'cannot-move':
        'Find it with "docsctl sites spaces list --site <site>", and remove it with "docsctl sites spaces remove <site-space> --site <site>".',
    },
    help: {
      description:
        'It goes to the end of the other organization, where you need the permission to create content. Custom field values are deleted, and so are the levels of people who are not members there. A collection with a space that is in a site cannot be transferred.',
      examples: [
        {
          run: 'docsctl collections transfer archive00001 --to "$(docsctl orgs create --title "Lumen Labs" -o id)" --yes',
          does: 'To a new organization',
        },
        {
          run: 'docsctl collections transfer archive00001 --to "$(docsctl orgs create --title "Lumen Labs" -o id)" --dry-run',
          does: 'Show the request only',
        },
      ],
      exitStatuses: { 6: 'it contains a space that is in a site, or it is in that organization already' },
      seeAlso: ['spaces transfer'],
    },
    input: {
      names: { organization: 'to' },
    },
    output: {
      columns,
      card,
    },
    confirm: { question: 'Transfer the collection {}, with all its content, to another organization?' },
  }),
];
export default nodes;
