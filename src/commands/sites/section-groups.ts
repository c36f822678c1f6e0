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
        description:
          'In the order they stand in, each with its sections. Sections without a group are in "sites structure".',
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
        description: 'Sections that are named leave the groups they are in. A group may be empty.',
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
        exitStatuses: { 6: 'one of --sections is not in the site, or a value does not fit' },
        seeAlso: ['sites section-groups add'],
      },
      output: {
        columns: groupColumns,
      },
    }),
    command({
      use: 'edit <group>',
      endpoint: sectionGroups.edit,
      help: {
        description: 'What is not named stays as it is.',
        examples: [
          {
            run: `docsctl sites section-groups edit learngroup01 --title "Learn more" ${onSite}`,
            does: 'Another title',
          },
          { run: `docsctl sites section-groups edit learngroup01 --clear icon ${onSite}`, does: 'No icon' },
        ],
        exitStatuses: { 6: 'a value does not fit' },
        seeAlso: ['sites section-groups move'],
      },
      output: {
        columns: groupColumns,
      },
    }),
    command({
      use: 'delete <group...>',
      endpoint: sectionGroups.delete,
      help: {
        description:
          'They keep their place in the site and their addresses. There is no way back but to make the group anew.',
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
      confirm: { question: 'Delete the section group {}? Its sections stay.' },
    }),
    command({
      use: 'move <group>',
      endpoint: sectionGroups.move,
      help: {
        description:
          'With its sections. A neighbour is a section or a group, named by its id, or as section:<id> or section-group:<id>, which saves a look-up. Without one it goes to the end.',
        examples: [
          {
            run: `docsctl sites section-groups move learngroup01 --after reference001 ${onSite}`,
            does: 'After a section',
          },
          { run: `docsctl sites section-groups move learngroup01 ${onSite}`, does: 'To the end' },
        ],
        exitStatuses: { 6: 'the neighbour is not in the site' },
        seeAlso: ['sites sections move'],
      },
      output: {
        columns: groupColumns,
      },
    }),
    command({
      use: 'add <group> <section>',
      endpoint: sectionGroups.add,
      help: {
        description: 'It goes to the end of the group.',
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
        description: 'To remove it from the site itself see "sites sections remove".',
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
        done: 'Took {} out of the group.',
      },
    }),
  ],
};
