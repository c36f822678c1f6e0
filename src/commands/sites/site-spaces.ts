import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { siteSpaces } from '../../contract/site-spaces.ts';
import { id, published, title } from '../shared/columns.ts';
import { isDefault } from './columns.ts';

type SiteSpace = ItemOf<typeof siteSpaces.list>;

const section: Column = { key: 'section', kind: 'id', names: 'siteSectionId' };
const siteSpaceColumns: Column<SiteSpace>[] = [
  title,
  { key: 'path' },
  isDefault,
  { ...section, optional: true },
  { key: 'condition', optional: true },
  { key: 'space.title', title: 'Space', optional: true },
  id,
];
const siteSpaceCard: Column<SiteSpace>[] = [
  title,
  id,
  { key: 'path' },
  { key: 'default', kind: 'boolean' },
  { key: 'condition' },
  section,
  { key: 'space.title', title: 'Space' },
  published,
];

const onSite = '--site lumensite001';

export const siteSpaceCommands: Branch = {
  name: 'spaces',
  summary: 'spaces in a site',
  children: [
    command({
      use: 'list',
      endpoint: siteSpaces.list,
      description: 'Sorted by section and position. The IDs are those of the site spaces, not of the spaces.',
      examples: {
        'List all site spaces': `docsctl sites spaces list ${onSite}`,
        'List all but the default site spaces': `docsctl sites spaces list ${onSite} --no-default`,
        'Print their spaces and addresses': `docsctl sites spaces list ${onSite} --columns title,space.id,urls.published`,
      },
      seeAlso: ['sites spaces add', 'sites structure'],
      output: { columns: siteSpaceColumns, card: siteSpaceCard },
    }),
    command({
      use: 'add <space>',
      endpoint: siteSpaces.add,
      description:
        'Readers see the space once the site is published. Without --section, it goes to the default section.',
      examples: {
        'Add a space to a section': `docsctl sites spaces add playbook0001 --section reference001 ${onSite}`,
        'Add a space to a site without sections': 'docsctl sites spaces add handbook0001 --site intranet0001',
      },
      exitStatuses: { 6: 'no such space or section' },
      seeAlso: ['sites sections add', 'sites spaces edit'],
      input: { names: { sectionId: 'section' } },
      output: { columns: siteSpaceColumns, card: siteSpaceCard },
    }),
    command({
      use: 'edit <site-space...>',
      endpoint: siteSpaces.edit,
      description: 'The title is that of the space; use "spaces edit" to change it.',
      examples: {
        'Change the path': `docsctl sites spaces edit sitespace004 --path changes ${onSite}`,
        'Show it to everyone': `docsctl sites spaces edit sitespace004 --clear condition ${onSite}`,
      },
      exitStatuses: { 6: 'a sibling already has the path, or a value is invalid' },
      seeAlso: ['sites spaces move'],
      input: { singular: ['path'] },
      output: { columns: siteSpaceColumns, card: siteSpaceCard },
    }),
    command({
      use: 'remove <site-space...>',
      endpoint: siteSpaces.remove,
      advice: {
        'invalid-state':
          'Remove the section with "docsctl sites sections remove <section>", or add a space with "docsctl sites spaces add <space> --section <section>".',
      },
      description:
        'The space stays in other sites, but its path and condition in this one are lost. The only space of a section cannot be removed; remove the section with "sites sections remove".',
      exitStatuses: { 6: 'it is the only space of its section' },
      examples: {
        'Remove without confirmation': `docsctl sites spaces remove sitespace004 ${onSite} --yes`,
        'Preview the request': `docsctl sites spaces remove sitespace004 ${onSite} --dry-run`,
      },
      seeAlso: ['sites spaces add', 'sites sections remove'],
      output: { done: 'Removed {} from the site.' },
      confirm: { question: 'Remove {} from the site {siteId}? The space itself stays.' },
    }),
    command({
      use: 'move <site-space...>',
      endpoint: siteSpaces.move,
      advice: { position: '"docsctl sites structure" shows the order of the site.' },
      description:
        'Without --before and --after, the space moves to the end of its section. To move it to another section, add it there and remove it here.',
      examples: {
        'Move it to the start of its section': `docsctl sites spaces move sitespace004 --before sitespace002 ${onSite}`,
        'Move it to the end': `docsctl sites spaces move sitespace002 ${onSite}`,
      },
      exitStatuses: { 6: 'the target is not in the same section' },
      seeAlso: ['sites structure'],
      input: { inOrder: true },
      output: { columns: siteSpaceColumns, card: siteSpaceCard },
    }),
  ],
};
