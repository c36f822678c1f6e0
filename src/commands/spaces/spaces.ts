import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { command, type InvocationOf } from '../../cli/command/define.ts';
import { runDerived } from '../../cli/command/run.ts';
import { content } from '../../contract/content.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { search } from '../../contract/search.ts';
import { isHiddenSpace } from '../../shared/state-title.ts';
import { spaces } from '../../contract/spaces.ts';
import {
  app,
  defaultLevel,
  id,
  linkColumns,
  linkFailure,
  published,
  searchColumns,
  searchNote,
  spaceColumns as columns,
  title,
  visibility,
} from '../shared/columns.ts';
import { listLinks } from '../shared/links-ci.ts';
import { allSpaces, noCi } from '../shared/flags.ts';
import { timeLeft } from './time-left.ts';

type Space = AnswerOf<typeof spaces.view>;

const card: Column<Space>[] = [
  title,
  { key: 'emoji' },
  id,
  visibility,
  { key: 'editMode', title: 'Edit mode', kind: 'state', style: { live: 'good', locked: 'warn' } },
  defaultLevel,
  { key: 'parent', title: 'Collection', kind: 'id', names: 'collectionId' },
  { key: 'changeRequestsOpen', title: 'Open requests', kind: 'number' },
  { key: 'changeRequestsDraft', title: 'Draft requests', kind: 'number' },
  { key: 'comments', title: 'Open comments', kind: 'number' },
  { key: 'revision', kind: 'id' },
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'updatedAt', title: 'Updated', kind: 'date' },
  { key: 'deletedAt', title: 'Deleted', kind: 'date' },
  published,
  app,
];

const deletedColumns: Column<Space>[] = [
  title,
  { key: 'deletedAt', title: 'Deleted', kind: 'date' },
  { key: 'timeLeft', title: 'Time left', value: ({ deletedAt }) => timeLeft(deletedAt) },
  { key: 'parent', title: 'Collection', kind: 'id', names: 'collectionId', optional: true },
  id,
];

/** Lists spaces, and deleted ones with the time left to restore them. */
function list(invocation: InvocationOf<'list', [], typeof spaces.list>): Promise<void> {
  const { command: listing, values } = invocation;
  if (values.deleted !== true) return runDerived(invocation);
  return runDerived({ ...invocation, command: { ...listing, output: { columns: deletedColumns } } });
}

const output = { columns, card };

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: spaces.list,
    description:
      'Sorted by position, with spaces of collections in place of their collection. The space "docsctl state" of "docsctl apply" is hidden. Lists spaces on which you have a level or, with --deleted, spaces that you can restore and the time left.',
    examples: {
      'List all spaces': 'docsctl spaces list',
      'List deleted spaces that can be restored': 'docsctl spaces list --deleted',
      'Export some columns to a spreadsheet': 'docsctl spaces list --columns title,parent,changeRequestsOpen -o csv',
      'List spaces by number of open change requests':
        "docsctl spaces list --filter 'changeRequestsOpen>0' --sort-by changeRequestsOpen:desc,title",
    },
    seeAlso: ['spaces view', 'collections list', 'help filters'],
    output: { ...output, hides: isHiddenSpace },
    run: list,
  }),
  command({
    use: 'create',
    endpoint: spaces.create,
    description:
      'The new space is empty and private, and comes last under its parent. Readers see it once it is in a published site.',
    examples: {
      'Create a space': 'docsctl spaces create --title "Pump manual" --emoji 🔧',
      'Create a space in a collection, changed only through change requests':
        'docsctl spaces create --title "Pump manual" --parent products0001 --edit-mode locked',
    },
    exitStatuses: {
      2: '--title is missing, without a terminal',
      4: 'requires the role create in the organization, or the level create on the collection',
      6: 'no such collection, or a value is invalid',
    },
    seeAlso: ['content push', 'cr create', 'sites spaces add'],
    input: { body: async (invocation) => (await import('../shared/required-title.ts')).requiredTitle(invocation) },
    output,
  }),
  command({
    use: 'view [space]',
    endpoint: spaces.view,
    description: 'Administrators can also view deleted spaces. Use "content pages list" to list the pages.',
    examples: {
      'View a space': 'docsctl spaces view handbook0001',
      'View the default space': 'DOCSCTL_SPACE=handbook0001 docsctl spaces view',
    },
    seeAlso: ['content pages list', 'cr list', 'spaces edit'],
    output,
  }),
  command({
    use: 'edit [space...]',
    endpoint: spaces.edit,
    description:
      'Fields that you do not pass stay unchanged. With --edit-mode locked, the content changes only through change requests. Use "sites edit --visibility" to set who can read it once it is published.',
    examples: {
      'Change the title and the emoji': 'docsctl spaces edit handbook0001 --title "The handbook" --emoji 📗',
      'Forbid direct changes': 'docsctl spaces edit handbook0001 --edit-mode locked',
      'Give members no level by default': 'docsctl spaces edit handbook0001 --default-level none',
    },
    exitStatuses: { 6: 'a value is invalid' },
    seeAlso: ['spaces view', 'spaces move', 'fields values set'],
    input: { singular: ['title'] },
    output,
  }),
  command({
    use: 'delete <space...>',
    endpoint: spaces.delete,
    description:
      'The space disappears from lists, search and sites immediately. For 7 days, "spaces restore" restores it with its content and its places in sites.',
    examples: {
      'Delete a space without confirmation': 'docsctl spaces delete quickstart01 --yes',
      'Preview the request': 'docsctl spaces delete quickstart01 --dry-run',
    },
    seeAlso: ['spaces restore', 'spaces list'],
    output: { done: 'Deleted {}. It can be restored for 7 days.' },
    guard: async (invocation, calls) => (await import('./published-places.ts')).notePublishedPlaces(invocation, calls),
    confirm: {
      question: 'Delete the space {}? It can be restored for 7 days.',
      typed: { view: spaces.view, title: (space: Space) => space.title },
      holds: ({ changeRequests, comments }: Space) => [
        [changeRequests, 'change request'],
        [comments, 'comment'],
      ],
    },
  }),
  command({
    use: 'restore <space...>',
    endpoint: spaces.restore,
    advice: { 'invalid-state': '"docsctl spaces list --deleted" lists what can be restored.' },
    description: 'Restores the content, the change requests and the places in sites, for 7 days after the deletion.',
    examples: {
      'Restore a space': 'docsctl spaces restore oldmanual001',
      'Restore all deleted spaces': 'docsctl spaces list --deleted -o id | docsctl spaces restore -',
    },
    exitStatuses: { 6: 'the space is not deleted' },
    seeAlso: ['spaces list', 'spaces delete'],
    output,
  }),
  command({
    use: 'duplicate [space]',
    endpoint: spaces.duplicate,
    description:
      'The copy follows the original, with "(copy)" in its title. It has the pages, files and custom field values, but no comments, change requests or members\' own levels, and is in no site.',
    examples: {
      'Copy a space': 'docsctl spaces duplicate handbook0001',
      'Print the ID of the copy': 'docsctl spaces duplicate handbook0001 -o id',
    },
    exitStatuses: { 4: 'requires the role create in the organization, or the level create on the collection' },
    seeAlso: ['spaces move', 'spaces edit'],
    output,
  }),
  command({
    use: 'move [space...]',
    endpoint: spaces.move,
    advice: {
      position:
        'Pass --parent, or --root for the top level; "docsctl spaces list --columns title,parent,id" shows the current positions.',
    },
    description:
      'Spaces and collections with the same parent share one order. --before and --after take an ID; space:<id> or collection:<id> saves a request. Without them, the space moves to the end. Moving it into a collection requires the level create there.',
    examples: {
      'Move it to the start': 'docsctl spaces move quickstart01 --before handbook0001',
      'Move it to the end of a collection': 'docsctl spaces move quickstart01 --parent products0001',
      'Move it out of its collection': 'docsctl spaces move apiguides001 --root --after collection:internal0001',
    },
    exitStatuses: { 6: 'it is already there, or the target has another parent' },
    seeAlso: ['collections move', 'spaces transfer'],
    input: { inOrder: true },
    output,
  }),
  command({
    use: 'transfer [space...]',
    endpoint: spaces.transfer,
    advice: {
      'cannot-move':
        'Find it with "docsctl sites spaces list --site <site>" and remove it with "docsctl sites spaces remove <site-space> --site <site>".',
    },
    description:
      'The space moves to the end of the other organization, where you need permission to create content. Custom field values are deleted, and so are the levels of people who are not members there. A space that is in a site cannot be transferred.',
    examples: {
      'Transfer a new space to a new organization':
        'docsctl spaces transfer "$(docsctl spaces create --title Labs -o id)" --to "$(docsctl orgs create --title "Lumen Labs" -o id)" --yes',
      'Preview the request':
        'docsctl spaces transfer quickstart01 --to "$(docsctl orgs create --title "Lumen Labs" -o id)" --dry-run',
    },
    exitStatuses: { 6: 'the space is in a site, or already in that organization' },
    seeAlso: ['spaces move', 'collections transfer'],
    input: { names: { organization: 'to' } },
    output,
    confirm: {
      question: 'Transfer the space {} to another organization?',
      typed: { view: spaces.view, title: (space: Space) => space.title },
    },
  }),
  command({
    use: 'links [space]',
    endpoint: content.links,
    description:
      'Lists the targets of links in the main content and whether they exist. External websites are not checked. Use --fail-on in CI.',
    examples: {
      'List broken links': 'docsctl spaces links handbook0001 --status broken',
      'Fail if a link is broken': 'docsctl spaces links apiguides001 --fail-on broken',
      'List broken links in all spaces': 'docsctl spaces links --all-spaces --status broken',
    },
    exitStatuses: { 9: 'a link has a status given to --fail-on' },
    seeAlso: ['content pages links', 'cr links'],
    flags: [allSpaces, noCi],
    output: { columns: linkColumns, failOn: linkFailure },
    run: listLinks,
  }),
  command({
    use: 'search <query>',
    endpoint: search.space,
    description:
      'Finds pages by words or a question, best match first. Pages with some of the words are found if none has all. Change requests are not searched.',
    examples: {
      'Search for pages about valves': 'docsctl spaces search valve --space handbook0001',
      'Print page IDs only': 'docsctl spaces search valve --space handbook0001 -o id',
    },
    seeAlso: ['search', 'content pages view'],
    output: { columns: searchColumns, note: searchNote },
  }),
];
export default nodes;
