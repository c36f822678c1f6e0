import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { sectionGroups } from '../../contract/section-groups.ts';
import { id, title } from '../shared/columns.ts';
import { titlesOf } from './columns.ts';

const groupColumns: Column<ItemOf<typeof sectionGroups.list>>[] = [
  title,
  { key: 'icon', optional: true },
  { key: 'sections', value: ({ sections }) => titlesOf(sections) },
  id,
];

const onSite = '--site lumensite001';

export const sectionGroupCommands: Branch = {
  name: 'section-groups',
  summary: 'groups of sections of a site',
  children: [
    command({
      use: 'list',
      endpoint: sectionGroups.list,
      description: 'Sorted by position, each with its sections. "sites structure" includes sections without a group.',
      examples: {
        'List all groups': `docsctl sites section-groups list ${onSite}`,
        'Print IDs only': `docsctl sites section-groups list ${onSite} -o id`,
      },
      seeAlso: ['sites structure'],
      output: { columns: groupColumns },
    }),
    command({
      use: 'create',
      endpoint: sectionGroups.create,
      description: 'The --sections leave their current groups. A group may be empty.',
      examples: {
        'Create a group with a section': `docsctl sites section-groups create --title Developers --sections reference001 ${onSite}`,
        'Create an empty group': `docsctl sites section-groups create --title Developers --icon code ${onSite}`,
      },
      exitStatuses: { 6: 'one of --sections is not in the site, or a value is invalid' },
      seeAlso: ['sites section-groups add'],
      output: { columns: groupColumns },
    }),
    command({
      use: 'edit <group...>',
      endpoint: sectionGroups.edit,
      description: 'Fields that you do not pass stay unchanged.',
      examples: {
        'Change the title': `docsctl sites section-groups edit learngroup01 --title "Learn more" ${onSite}`,
        'Remove the icon': `docsctl sites section-groups edit learngroup01 --clear icon ${onSite}`,
      },
      exitStatuses: { 6: 'a value is invalid' },
      seeAlso: ['sites section-groups move'],
      input: { singular: ['title'] },
      output: { columns: groupColumns },
    }),
    command({
      use: 'delete <group...>',
      endpoint: sectionGroups.delete,
      description: 'Its sections keep their positions and addresses. A deleted group cannot be restored.',
      examples: {
        'Delete without confirmation': `docsctl sites section-groups delete learngroup01 ${onSite} --yes`,
        'Preview the request': `docsctl sites section-groups delete learngroup01 ${onSite} --dry-run`,
      },
      seeAlso: ['sites section-groups remove'],
      output: { done: 'Deleted {}.' },
      confirm: { question: 'Delete the section group {} of the site {siteId}? Its sections stay.' },
    }),
    command({
      use: 'move <group...>',
      endpoint: sectionGroups.move,
      advice: { position: '"docsctl sites structure" shows the order of the site.' },
      description:
        'Its sections move with it. --before and --after take the ID of a section or group; section:<id> or section-group:<id> saves a request. Without them, the group moves to the end.',
      examples: {
        'Move it after a section': `docsctl sites section-groups move learngroup01 --after reference001 ${onSite}`,
        'Move it to the end': `docsctl sites section-groups move learngroup01 ${onSite}`,
      },
      exitStatuses: { 6: 'the target is not in the site' },
      seeAlso: ['sites sections move'],
      input: { inOrder: true },
      output: { columns: groupColumns },
    }),
    command({
      use: 'add <group> <section>',
      endpoint: sectionGroups.add,
      description: 'The section becomes the last one in the group.',
      examples: {
        'Add a section': `docsctl sites section-groups add learngroup01 reference001 ${onSite}`,
        'Preview the request': `docsctl sites section-groups add learngroup01 reference001 ${onSite} --dry-run`,
      },
      exitStatuses: { 6: 'no such section in the site' },
      seeAlso: ['sites section-groups remove'],
      output: { columns: groupColumns },
    }),
    command({
      use: 'remove <group> <section...>',
      endpoint: sectionGroups.remove,
      description: 'Use "sites sections remove" to remove a section from the site.',
      examples: {
        'Remove a section': `docsctl sites section-groups remove learngroup01 starthere001 ${onSite}`,
        'Remove all sections of a group': `docsctl sites section-groups list ${onSite} --jq '.[0].sections[].id' | docsctl sites section-groups remove learngroup01 - ${onSite}`,
      },
      seeAlso: ['sites section-groups delete'],
      output: { done: 'Removed {} from the group.' },
    }),
  ],
};
