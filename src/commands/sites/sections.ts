import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { siteSections } from '../../contract/site-sections.ts';
import { id, published, title } from '../shared/columns.ts';
import { isDefault, titlesOf } from './columns.ts';

type Section = ItemOf<typeof siteSections.list>;

const group: Column = { key: 'sectionGroup', title: 'Group', kind: 'id', names: 'siteSectionGroupId' };
const sectionColumns: Column<Section>[] = [
  title,
  { key: 'path' },
  isDefault,
  { key: 'spaces', kind: 'number', value: ({ siteSpaces }) => siteSpaces.length, optional: true },
  { ...group, optional: true },
  { key: 'condition', optional: true },
  id,
];
const sectionCard: Column<Section>[] = [
  title,
  id,
  { key: 'path' },
  { key: 'description' },
  { key: 'icon' },
  { key: 'default', kind: 'boolean' },
  { key: 'condition' },
  group,
  { key: 'spaces', value: ({ siteSpaces }) => titlesOf(siteSpaces) },
  published,
];

const onSite = '--site lumensite001';

export const sectionCommands: Branch = {
  name: 'sections',
  summary: 'sections of a site',
  children: [
    command({
      use: 'list',
      endpoint: siteSections.list,
      description: 'Sorted by position, including sections in groups.',
      examples: {
        'List all sections': `docsctl sites sections list ${onSite}`,
        'Print IDs only': `docsctl sites sections list ${onSite} -o id`,
      },
      seeAlso: ['sites structure', 'sites sections add'],
      output: { columns: sectionColumns, card: sectionCard },
    }),
    command({
      use: 'add <space>',
      endpoint: siteSections.add,
      examples: {
        'Add a section with a space': `docsctl sites sections add playbook0001 --title Support --icon life-ring ${onSite}`,
        'Add the first section of a site': 'docsctl sites sections add quickstart01 --site intranet0001',
      },
      exitStatuses: { 6: 'no such space, or a value is invalid' },
      seeAlso: ['sites section-groups add', 'sites spaces add'],
      output: { columns: sectionColumns, card: sectionCard },
    }),
    command({
      use: 'edit <section...>',
      endpoint: siteSections.edit,
      description: 'Fields that you do not pass stay unchanged. The default site space must be in the section.',
      examples: {
        'Change the title and the path': `docsctl sites sections edit reference001 --title API --path api ${onSite}`,
        'Show it to some visitors only': `docsctl sites sections edit reference001 --condition 'visitor.claims.plan == "team"' ${onSite}`,
        'Remove the icon and show it to everyone': `docsctl sites sections edit reference001 --clear icon,condition ${onSite}`,
      },
      exitStatuses: { 6: 'the path is already used in the site, or a value is invalid' },
      seeAlso: ['sites sections move'],
      input: { singular: ['title', 'path', 'defaultSiteSpace'] },
      output: { columns: sectionColumns, card: sectionCard },
    }),
    command({
      use: 'remove <section...>',
      endpoint: siteSections.remove,
      description:
        'Its spaces leave the site but are not deleted; their paths and conditions in the site are lost. If it was the default section, the first remaining one becomes the default. This cannot be undone.',
      examples: {
        'Remove without confirmation': `docsctl sites sections remove starthere001 ${onSite} --yes`,
        'Preview the requests': `docsctl sites sections remove starthere001 reference001 ${onSite} --dry-run`,
      },
      seeAlso: ['sites sections add'],
      output: { done: 'Removed {}.' },
      confirm: { question: 'Remove the section {} from the site {siteId}, with the spaces in it?' },
    }),
    command({
      use: 'move <section...>',
      endpoint: siteSections.move,
      advice: { position: '"docsctl sites structure" shows the order of the site.' },
      description:
        'Without --before and --after, the section moves to the end of the site. It stays outside groups; use "sites section-groups add" to add it to one.',
      examples: {
        'Move it before another section': `docsctl sites sections move reference001 --before guides000001 ${onSite}`,
        'Move it to the end': `docsctl sites sections move guides000001 ${onSite}`,
      },
      exitStatuses: { 6: 'the target is not a section of the site' },
      seeAlso: ['sites section-groups move', 'sites structure'],
      input: { inOrder: true },
      output: { columns: sectionColumns, card: sectionCard },
    }),
  ],
};
