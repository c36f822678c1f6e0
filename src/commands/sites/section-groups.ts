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
      help: {
        description: 'In their order, each with its sections. "sites structure" also has the sections without a group.',
        examples: [
          { run: `docsctl sites section-groups list ${onSite}`, does: 'All groups' },
          { run: `docsctl sites section-groups list ${onSite} -o id`, does: 'Their ids alone' },
        ],
        seeAlso: ['sites structure'],
      },
      output: {
        columns: groupColumns,
      },
    }),
    command({
      use: 'create',
      endpoint: sectionGroups.create,
      help: {
        description: 'The sections of --sections leave their current groups. A group may be empty.',
        examples: [
          {
            run: `docsctl sites section-groups create --title Developers --sections reference001 ${onSite}`,
            does: 'A group with a section',
          },
          {
            run: `docsctl sites section-groups create --title Developers --icon code ${onSite}`,
            does: 'An empty group',
          },
        ],
        exitStatuses: { 6: 'one of --sections is not in the site, or a value is not valid' },
        seeAlso: ['sites section-groups add'],
      },
      output: {
        columns: groupColumns,
      },
    }),
    command({
      use: 'edit <group...>',
      endpoint: sectionGroups.edit,
      help: {
        description: 'Fields that are not given stay unchanged.',
        examples: [
          {
            run: `docsctl sites section-groups edit learngroup01 --title "Learn more" ${onSite}`,
            does: 'Another title',
          },
          { run: `docsctl sites section-groups edit learngroup01 --clear icon ${onSite}`, does: 'No icon' },
        ],
        exitStatuses: { 6: 'a value is not valid' },
        seeAlso: ['sites section-groups move'],
      },
      input: { singular: ['title'] },
      output: {
        columns: groupColumns,
      },
    }),
    command({
      use: 'delete <group...>',
      endpoint: sectionGroups.delete,
      help: {
        description:
          'Its sections keep their place in the site and their addresses. A deleted group cannot be restored, only created again.',
        examples: [
          { run: `docsctl sites section-groups delete learngroup01 ${onSite} --yes`, does: 'Without being asked' },
          {
            run: `docsctl sites section-groups delete learngroup01 ${onSite} --dry-run`,
            does: 'Show the request only',
          },
        ],
        seeAlso: ['sites section-groups remove'],
      },
      output: {
        done: 'Deleted {}.',
      },
      confirm: { question: 'Delete the section group {} of the site {siteId}? Its sections stay.' },
    }),
    command({
      use: 'move <group...>',
      endpoint: sectionGroups.move,
      advice: { position: '"docsctl sites structure" shows the order of the site.' },
      help: {
        description:
          'Its sections move with it. --before and --after take the id of a section or a group, or section:<id> or section-group:<id>, which saves a request. Without them it goes to the end.',
        examples: [
          {
            run: `docsctl sites section-groups move learngroup01 --after reference001 ${onSite}`,
            does: 'After a section',
          },
          { run: `docsctl sites section-groups move learngroup01 ${onSite}`, does: 'To the end' },
        ],
        exitStatuses: { 6: 'the sibling is not in the site' },
        seeAlso: ['sites sections move'],
      },
      input: { inOrder: true },
      output: {
        columns: groupColumns,
      },
    }),
    command({
      use: 'add <group> <section>',
      endpoint: sectionGroups.add,
      help: {
        description: 'The section goes to the end of the group.',
        examples: [
          { run: `docsctl sites section-groups add learngroup01 reference001 ${onSite}`, does: 'One section more' },
          {
            run: `docsctl sites section-groups add learngroup01 reference001 ${onSite} --dry-run`,
            does: 'Show the request only',
          },
        ],
        exitStatuses: { 6: 'the site has no such section' },
        seeAlso: ['sites section-groups remove'],
      },
      output: {
        columns: groupColumns,
      },
    }),
    command({
      use: 'remove <group> <section...>',
      endpoint: sectionGroups.remove,
      help: {
        description: '"sites sections remove" removes a section from the site.',
        examples: [
          { run: `docsctl sites section-groups remove learngroup01 starthere001 ${onSite}`, does: 'One section less' },
          {
            run: `docsctl sites section-groups list ${onSite} --jq '.[0].sections[].id' | docsctl sites section-groups remove learngroup01 - ${onSite}`,
            does: 'All that a group has',
          },
        ],
        seeAlso: ['sites section-groups delete'],
      },
      output: {
        done: 'Removed {} from the group.',
      },
    }),
  ],
};
