import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';
import { sectionGroups } from '../contract/sectionGroups.ts';
import { shareLinks } from '../contract/shareLinks.ts';
import { siteCustomization } from '../contract/siteCustomization.ts';
import { siteSchema } from '../contract/siteSchema.ts';
import { siteSections } from '../contract/siteSections.ts';
import { siteSpaces } from '../contract/siteSpaces.ts';
import { sites } from '../contract/sites.ts';
import { app, created, id, published, title, visibility } from './columns.ts';

const columns: Column[] = [
  title,
  { key: 'published', kind: 'boolean', style: { true: 'good', false: 'dim' } },
  visibility,
  { key: 'type', optional: true },
  { key: 'siteSpaces', title: 'Spaces', kind: 'number', optional: true },
  { ...published, optional: true },
  id,
];
const card: Column[] = [
  title,
  id,
  { key: 'published', kind: 'boolean', style: { true: 'good', false: 'dim' } },
  published,
  visibility,
  { key: 'type' },
  { key: 'basename' },
  { key: 'hostname' },
  { key: 'proxy.origin', title: 'Proxy' },
  { key: 'adaptiveContent.enabled', title: 'Adaptive content', kind: 'boolean' },
  { key: 'features', value: ({ features }) => features.map((one: { id: string }) => one.id.replace(/^sites-/, '')) },
  { key: 'siteSpaces', title: 'Spaces', kind: 'number' },
  created,
  app,
];
const shown = { columns, card };

/** A line of the structure of a site: a section group, a section, or a space. */
export const structureColumns: Column[] = [
  title,
  { key: 'kind', value: ({ object }) => object?.replace(/^site-/, '').replace('-', ' '), style: { space: 'dim' } },
  { key: 'path', optional: true },
  { key: 'default', kind: 'boolean', value: ({ default: isDefault }) => isDefault || undefined, optional: true },
  { key: 'condition', optional: true },
  id,
];

/** What stands below a section group or a section. */
export const partsOf = ({ sections, siteSpaces: spaces }: { sections?: unknown[]; siteSpaces?: unknown[] }) =>
  sections ?? spaces;

const sectionColumns: Column[] = [
  title,
  { key: 'path' },
  { key: 'default', kind: 'boolean', value: ({ default: isDefault }) => isDefault || undefined, optional: true },
  { key: 'spaces', kind: 'number', value: ({ siteSpaces: inside }) => inside.length, optional: true },
  { key: 'sectionGroup', title: 'Group', kind: 'id', optional: true },
  { key: 'condition', optional: true },
  id,
];
const sectionCard: Column[] = [
  title,
  id,
  { key: 'path' },
  { key: 'description' },
  { key: 'icon' },
  { key: 'default', kind: 'boolean' },
  { key: 'condition' },
  { key: 'sectionGroup', title: 'Group', kind: 'id' },
  { key: 'spaces', value: ({ siteSpaces: inside }) => inside.map((one: { title: string }) => one.title) },
  published,
];
const groupColumns: Column[] = [
  title,
  { key: 'icon', optional: true },
  { key: 'sections', value: ({ sections }) => sections.map((one: { title: string }) => one.title) },
  id,
];
const siteSpaceColumns: Column[] = [
  title,
  { key: 'path' },
  { key: 'default', kind: 'boolean', value: ({ default: isDefault }) => isDefault || undefined, optional: true },
  { key: 'section', kind: 'id', optional: true },
  { key: 'condition', optional: true },
  { key: 'space.id', title: 'Space', kind: 'id', optional: true },
  id,
];
const siteSpaceCard: Column[] = [
  title,
  id,
  { key: 'path' },
  { key: 'default', kind: 'boolean' },
  { key: 'condition' },
  { key: 'section', kind: 'id' },
  { key: 'space.id', title: 'Space', kind: 'id' },
  published,
];
const linkColumns: Column[] = [
  { key: 'name' },
  { key: 'active', kind: 'boolean', style: { true: 'good', false: 'dim' } },
  { key: 'urls.published', title: 'Address' },
  created,
  id,
];
const schemaColumns: Column[] = [
  { key: 'updatedAt', title: 'Updated', kind: 'date' },
  { key: 'properties', title: 'Attributes', value: ({ jsonSchema }) => Object.keys(jsonSchema.properties) },
];

const at = '--site lumensite001';
const gone = { exits: { 6: 'it is the only one of its section' } };

const nodes: Node[] = [
  {
    use: 'list',
    endpoint: sites.list,
    description: 'Newest first, those that are not published too.',
    ...shown,
    examples: [
      { run: 'docsctl sites list', does: 'All sites' },
      { run: 'docsctl sites list --published --type basic,ultimate', does: 'Published ones of some types' },
      { run: 'docsctl sites list --space handbook0001 -o id', does: 'Ids of those that show a space' },
    ],
    see: ['sites view', 'sites create'],
  },
  {
    use: 'create',
    endpoint: sites.create,
    description: 'It is not published yet: that is "sites publish". Every value but the type can change later.',
    ...shown,
    examples: [
      {
        run: 'docsctl sites create --title "Pump documentation" --spaces handbook0001,apiguides001',
        does: 'Two spaces, the first by default',
      },
      {
        run: 'docsctl sites create --title Preview --visibility share-link --spaces sample',
        does: 'With a new space that has a sample page',
      },
    ],
    exits: { 6: 'a value does not fit, or one of --spaces is not there' },
    see: ['sites publish', 'sites spaces add', 'sites sections add'],
  },
  {
    use: 'view [site]',
    endpoint: sites.view,
    description:
      'In a terminal also its structure: section groups, sections and spaces. -o json is the site alone; "sites structure -o json" is the rest.',
    ...shown,
    run: async (invocation) => (await import('./sites-view.ts')).view(invocation),
    examples: [
      { run: 'docsctl sites view lumensite001', does: 'One site' },
      { run: 'docsctl sites view lumensite001 -o table', does: 'With its structure, in a pipe too' },
      {
        run: 'docsctl sites view intranet0001 --share-key lumenpartnerpreviewkey01',
        does: 'With the addresses for a share link',
      },
    ],
    see: ['sites structure', 'sites edit', 'sites published'],
  },
  {
    use: 'edit [site]',
    endpoint: sites.edit,
    description:
      'What is not named stays as it is. Whether it is published is changed by "sites publish" and "sites unpublish".',
    ...shown,
    examples: [
      {
        run: 'docsctl sites edit lumensite001 --title "Lumen docs" --basename docs',
        does: 'Another title and address',
      },
      {
        run: 'docsctl sites edit lumensite001 --default-site-section reference001',
        does: 'Show another section first',
      },
      { run: 'docsctl sites edit lumensite001 --proxy lumen.example/docs', does: 'Serve it under a path of your own' },
      { run: 'docsctl sites edit lumensite001 --clear proxy', does: 'And no longer' },
    ],
    exits: { 6: 'the basename is taken, or a value does not fit' },
    see: ['sites customization set', 'sites publish'],
  },
  {
    use: 'delete <site...>',
    endpoint: sites.delete,
    description:
      'Its sections, share links and customization go with it, and readers find nothing there any more. There is no way back; "sites unpublish" keeps all of it.',
    confirm: {
      question: 'Delete the site {}? Its spaces stay; the rest cannot be brought back.',
      typed: { view: sites.view, title: (site) => site.title },
    },
    done: 'Deleted {}.',
    examples: [
      { run: 'docsctl sites delete intranet0001 --yes', does: 'Delete a site without being asked' },
      { run: 'docsctl sites delete intranet0001 lumensite001 --dry-run', does: 'Show the requests only' },
    ],
    see: ['sites unpublish'],
  },
  {
    use: 'published [site]',
    endpoint: sites.published,
    description: 'All that a reader is served, in one answer. A site that is not published is not found.',
    columns: [
      { key: 'site.title', title: 'Title' },
      { key: 'site.urls.published', title: 'Published at' },
      { key: 'site.visibility', title: 'Visibility' },
      { key: 'structure', value: ({ structure }) => structure.structure.map((one: { title: string }) => one.title) },
      { key: 'customizations.site.styling.theme', title: 'Theme' },
      { key: 'customizations.site.internationalization.locale', title: 'Locale' },
    ],
    examples: [
      { run: 'docsctl sites published lumensite001 -o yaml', does: 'All of it' },
      { run: 'docsctl sites published lumensite001 --jq .site.urls.published', does: 'Where it is' },
    ],
    see: ['sites structure', 'sites customization view'],
  },
  {
    use: 'publish [site]',
    endpoint: sites.publish,
    description: 'From then on those see it whom its visibility lets in. A site needs a space first.',
    ...shown,
    examples: [
      { run: 'docsctl sites publish intranet0001', does: 'Put a site on the web' },
      { run: 'docsctl sites publish intranet0001 --jq .urls.published', does: 'And say where it is' },
    ],
    exits: { 6: 'the site has no space' },
    see: ['sites unpublish', 'sites share-links create'],
  },
  {
    use: 'unpublish [site]',
    endpoint: sites.unpublish,
    description: 'Nobody can read it any more. All of it stays, and "sites publish" brings it back.',
    ...shown,
    confirm: {
      question: 'Take the site {} off the web?',
      typed: { view: sites.view, title: (site) => site.title },
    },
    examples: [
      { run: 'docsctl sites unpublish lumensite001 --yes', does: 'Without being asked' },
      { run: 'docsctl sites unpublish lumensite001 --dry-run', does: 'Show the request only' },
    ],
    see: ['sites publish', 'sites delete'],
  },
  {
    use: 'structure [site]',
    endpoint: sites.structure,
    description:
      'As readers find it, from the first to the last; a site without sections has spaces alone. Ids are those that "sites sections", "sites section-groups" and "sites spaces" take.',
    columns: structureColumns,
    select: ({ structure }) => structure,
    tree: { children: partsOf },
    examples: [
      { run: 'docsctl sites structure lumensite001 -o table', does: 'As a tree' },
      { run: 'docsctl sites structure lumensite001 -o json', does: 'All of it' },
    ],
    see: ['sites sections list', 'sites section-groups list', 'sites spaces list'],
  },
  {
    name: 'share-links',
    summary: 'secret addresses of a site',
    children: [
      {
        use: 'list',
        endpoint: shareLinks.list,
        columns: linkColumns,
        examples: [
          { run: 'docsctl sites share-links list --site intranet0001', does: 'All links of a site' },
          {
            run: 'docsctl sites share-links list --site intranet0001 --jq ".[].urls.published"',
            does: 'Their addresses alone',
          },
        ],
        see: ['sites share-links create'],
      },
      {
        use: 'create',
        endpoint: shareLinks.create,
        description:
          'Whoever has the address can read the site while its visibility is share-link and it is published.',
        columns: linkColumns,
        examples: [
          { run: 'docsctl sites share-links create --name Press --site intranet0001', does: 'A link for the press' },
          {
            run: 'docsctl sites share-links create --name Press --site intranet0001 --jq .urls.published',
            does: 'And its address alone',
          },
        ],
        exits: { 6: 'the name does not fit' },
        see: ['sites edit', 'sites share-links edit'],
      },
      {
        use: 'edit <link>',
        endpoint: shareLinks.edit,
        description: 'A link that is switched off keeps its address and can be switched on again.',
        columns: linkColumns,
        examples: [
          {
            run: 'docsctl sites share-links edit sharelink001 --no-active --site intranet0001',
            does: 'Switch a link off',
          },
          {
            run: 'docsctl sites share-links edit sharelink001 --name Dealers --site intranet0001',
            does: 'Another name',
          },
        ],
        exits: { 6: 'the name does not fit' },
        see: ['sites share-links delete'],
      },
      {
        use: 'delete <link...>',
        endpoint: shareLinks.delete,
        description: 'Those who have the address see nothing any more. There is no way back.',
        confirm: { question: 'Delete the share link {}?' },
        done: 'Deleted {}.',
        examples: [
          {
            run: 'docsctl sites share-links delete sharelink001 --site intranet0001 --yes',
            does: 'Delete without being asked',
          },
          {
            run: 'docsctl sites share-links delete sharelink001 --site intranet0001 --dry-run',
            does: 'Show the request only',
          },
        ],
        see: ['sites share-links edit'],
      },
    ],
  },
  {
    name: 'customization',
    summary: 'how a site looks',
    children: [
      {
        use: 'view',
        endpoint: siteCustomization.view,
        description:
          'All settings. What -o json or -o yaml prints can be changed and given to "sites customization set".',
        examples: [
          { run: `docsctl sites customization view ${at} -o yaml`, does: 'All settings' },
          { run: `docsctl sites customization view ${at} --jq .styling.theme`, does: 'One of them' },
        ],
        see: ['sites customization set'],
      },
      {
        use: 'set [file]',
        endpoint: siteCustomization.set,
        description:
          'A file, JSON or YAML or - for standard input, replaces all settings. --set changes single ones and leaves the rest as it is; both together change what the file says.',
        without: 'all',
        flags: [
          {
            flags: '--set <path=value>',
            description: 'change one setting: styling.theme=bold (repeatable); null removes it',
            with: (option) => option.argParser((text: string, before: string[] = []) => [...before, text]),
          },
        ],
        sources: { '': ['--set', '<file>'] },
        run: async (invocation) => (await import('./sites-customization.ts')).set(invocation),
        examples: [
          {
            run: `docsctl sites customization set --set styling.theme=bold --set themes.default=dark ${at}`,
            does: 'Two settings',
          },
          {
            run: `docsctl sites customization view ${at} -o yaml | docsctl sites customization set - --site intranet0001`,
            does: 'The settings of one site for another',
          },
          {
            run: `docsctl sites customization set --set footer.copyright="2026 Lumen" ${at} --dry-run`,
            does: 'Show the request only',
          },
        ],
        exits: { 6: 'a setting has a value that it cannot have' },
        see: ['sites customization view'],
      },
    ],
  },
  {
    name: 'schema',
    summary: 'what adaptive content knows of visitors',
    children: [
      {
        use: 'view',
        endpoint: siteSchema.view,
        description: 'It is a JSON Schema of their attributes. A site whose schema was never set has none.',
        columns: schemaColumns,
        examples: [
          { run: `docsctl sites schema view ${at} -o json`, does: 'All of it' },
          {
            run: `docsctl sites schema view ${at} --jq ".jsonSchema.properties | keys"`,
            does: 'The attributes alone',
          },
        ],
        exits: { 5: 'there is no such site, or its schema was never set' },
        see: ['sites schema set'],
      },
      {
        use: 'set <file>',
        endpoint: siteSchema.set,
        description:
          'The file holds a JSON Schema (draft 7) in JSON or YAML, or what "sites schema view -o json" printed; - is standard input. Adaptive content itself is switched by "sites edit --adaptive-content-enabled".',
        columns: schemaColumns,
        without: ['jsonSchema'],
        sources: { '/jsonSchema': ['<file>'] },
        body: async (invocation) => (await import('./sites-customization.ts')).schemaBody(invocation),
        examples: [
          {
            run: `docsctl sites schema view ${at} -o json | docsctl sites schema set - --site intranet0001`,
            does: 'The schema of one site for another',
          },
          {
            run: `docsctl sites schema view ${at} --jq '.jsonSchema.properties.age = {type:"number",description:"Age"}' | docsctl sites schema set - ${at}`,
            does: 'One attribute more',
          },
        ],
        exits: { 6: 'the schema holds something that it cannot' },
        see: ['sites schema view', 'sites edit'],
      },
    ],
  },
  {
    name: 'sections',
    summary: 'sections of a site',
    children: [
      {
        use: 'list',
        endpoint: siteSections.list,
        description: 'In the order they stand in, those in groups too.',
        columns: sectionColumns,
        examples: [
          { run: `docsctl sites sections list ${at}`, does: 'All sections' },
          { run: `docsctl sites sections list ${at} -o id`, does: 'Their ids alone' },
        ],
        see: ['sites structure', 'sites sections add'],
      },
      {
        use: 'add <space>',
        endpoint: siteSections.add,
        columns: sectionColumns,
        card: sectionCard,
        examples: [
          {
            run: `docsctl sites sections add playbook0001 --title Support --icon life-ring ${at}`,
            does: 'A section with a space',
          },
          { run: 'docsctl sites sections add quickstart01 --site intranet0001', does: 'The first section of a site' },
        ],
        exits: { 6: 'there is no such space, or a value does not fit' },
        see: ['sites section-groups add', 'sites spaces add'],
      },
      {
        use: 'edit <section>',
        endpoint: siteSections.edit,
        description: 'What is not named stays as it is. The space it shows first must be one of its own.',
        columns: sectionColumns,
        card: sectionCard,
        examples: [
          {
            run: `docsctl sites sections edit reference001 --title API --path api ${at}`,
            does: 'Another title and address',
          },
          {
            run: `docsctl sites sections edit reference001 --condition 'visitor.claims.plan == "team"' ${at}`,
            does: 'For some visitors only',
          },
          {
            run: `docsctl sites sections edit reference001 --clear icon,condition ${at}`,
            does: 'No icon, and for everybody',
          },
        ],
        exits: { 6: 'the path is taken in the site, or a value does not fit' },
        see: ['sites sections move'],
      },
      {
        use: 'remove <section...>',
        endpoint: siteSections.remove,
        description:
          'The spaces in it leave the site and are not deleted, but their paths and conditions there are lost. There is no way back. Where it was the default section, the first of the others is.',
        confirm: { question: 'Remove the section {} from the site, with the spaces in it?' },
        done: 'Removed {}.',
        examples: [
          { run: `docsctl sites sections remove starthere001 ${at} --yes`, does: 'Without being asked' },
          {
            run: `docsctl sites sections remove starthere001 reference001 ${at} --dry-run`,
            does: 'Show the requests only',
          },
        ],
        see: ['sites sections add'],
      },
      {
        use: 'move <section>',
        endpoint: siteSections.move,
        description:
          'Without a neighbour it goes to the end of the site. Moving joins no group: see "sites section-groups add".',
        columns: sectionColumns,
        card: sectionCard,
        examples: [
          {
            run: `docsctl sites sections move reference001 --before guides000001 ${at}`,
            does: 'Before another section',
          },
          { run: `docsctl sites sections move guides000001 ${at}`, does: 'To the end' },
        ],
        exits: { 6: 'the neighbour is no section of the site' },
        see: ['sites section-groups move', 'sites structure'],
      },
    ],
  },
  {
    name: 'section-groups',
    summary: 'groups of sections of a site',
    children: [
      {
        use: 'list',
        endpoint: sectionGroups.list,
        description:
          'In the order they stand in, each with its sections. Sections without a group are in "sites structure".',
        columns: groupColumns,
        examples: [
          { run: `docsctl sites section-groups list ${at}`, does: 'All groups' },
          { run: `docsctl sites section-groups list ${at} -o id`, does: 'Their ids alone' },
        ],
        see: ['sites structure'],
      },
      {
        use: 'create',
        endpoint: sectionGroups.create,
        description: 'Sections that are named leave the groups they are in. A group may be empty.',
        columns: groupColumns,
        examples: [
          {
            run: `docsctl sites section-groups create --title Developers --sections reference001 ${at}`,
            does: 'A group with a section',
          },
          { run: `docsctl sites section-groups create --title Developers --icon code ${at}`, does: 'An empty group' },
        ],
        exits: { 6: 'one of --sections is not in the site, or a value does not fit' },
        see: ['sites section-groups add'],
      },
      {
        use: 'edit <group>',
        endpoint: sectionGroups.edit,
        description: 'What is not named stays as it is.',
        columns: groupColumns,
        examples: [
          { run: `docsctl sites section-groups edit learngroup01 --title "Learn more" ${at}`, does: 'Another title' },
          { run: `docsctl sites section-groups edit learngroup01 --clear icon ${at}`, does: 'No icon' },
        ],
        exits: { 6: 'a value does not fit' },
        see: ['sites section-groups move'],
      },
      {
        use: 'delete <group...>',
        endpoint: sectionGroups.delete,
        description:
          'They keep their place in the site and their addresses. There is no way back but to make the group anew.',
        confirm: { question: 'Delete the section group {}? Its sections stay.' },
        done: 'Deleted {}.',
        examples: [
          { run: `docsctl sites section-groups delete learngroup01 ${at} --yes`, does: 'Without being asked' },
          { run: `docsctl sites section-groups delete learngroup01 ${at} --dry-run`, does: 'Show the request only' },
        ],
        see: ['sites section-groups remove'],
      },
      {
        use: 'move <group>',
        endpoint: sectionGroups.move,
        description:
          'With its sections. A neighbour is a section or a group, named by its id, or as section:<id> or section-group:<id>, which saves a look-up. Without one it goes to the end.',
        columns: groupColumns,
        examples: [
          { run: `docsctl sites section-groups move learngroup01 --after reference001 ${at}`, does: 'After a section' },
          { run: `docsctl sites section-groups move learngroup01 ${at}`, does: 'To the end' },
        ],
        exits: { 6: 'the neighbour is not in the site' },
        see: ['sites sections move'],
      },
      {
        use: 'add <group> <section>',
        endpoint: sectionGroups.add,
        description: 'It goes to the end of the group.',
        columns: groupColumns,
        examples: [
          { run: `docsctl sites section-groups add learngroup01 reference001 ${at}`, does: 'One section more' },
          {
            run: `docsctl sites section-groups add learngroup01 reference001 ${at} --dry-run`,
            does: 'Show the request only',
          },
        ],
        exits: { 6: 'the site has no such section' },
        see: ['sites section-groups remove'],
      },
      {
        use: 'remove <group> <section...>',
        endpoint: sectionGroups.remove,
        description: 'To remove it from the site itself see "sites sections remove".',
        done: 'Took {} out of the group.',
        examples: [
          { run: `docsctl sites section-groups remove learngroup01 starthere001 ${at}`, does: 'One section less' },
          {
            run: `docsctl sites section-groups list ${at} --jq '.[0].sections[].id' | docsctl sites section-groups remove learngroup01 - ${at}`,
            does: 'All that a group has',
          },
        ],
        see: ['sites section-groups delete'],
      },
    ],
  },
  {
    name: 'spaces',
    summary: 'spaces that a site shows',
    children: [
      {
        use: 'list',
        endpoint: siteSpaces.list,
        description:
          'By section, in the order they stand in. The id is that of the place in the site, not that of the space.',
        columns: siteSpaceColumns,
        examples: [
          { run: `docsctl sites spaces list ${at}`, does: 'All of them' },
          { run: `docsctl sites spaces list ${at} --no-default`, does: 'Without the one that is shown first' },
          { run: `docsctl sites spaces list ${at} --columns title,space.id,urls.published`, does: 'Where each is' },
        ],
        see: ['sites spaces add', 'sites structure'],
      },
      {
        use: 'add <space>',
        endpoint: siteSpaces.add,
        names: { sectionId: 'section' },
        description: 'Readers see it once the site is published. Without --section it goes to the default section.',
        columns: siteSpaceColumns,
        card: siteSpaceCard,
        examples: [
          { run: `docsctl sites spaces add playbook0001 --section reference001 ${at}`, does: 'To a section' },
          { run: 'docsctl sites spaces add handbook0001 --site intranet0001', does: 'To a site without sections' },
        ],
        exits: { 6: 'there is no such space or section' },
        see: ['sites sections add', 'sites spaces edit'],
      },
      {
        use: 'edit <site-space>',
        endpoint: siteSpaces.edit,
        description: 'The title is that of the space, which "spaces edit" changes.',
        columns: siteSpaceColumns,
        card: siteSpaceCard,
        examples: [
          { run: `docsctl sites spaces edit sitespace004 --path changes ${at}`, does: 'Another address' },
          { run: `docsctl sites spaces edit sitespace004 --clear condition ${at}`, does: 'For everybody' },
        ],
        exits: { 6: 'the path is taken beside it, or a value does not fit' },
        see: ['sites spaces move'],
      },
      {
        use: 'remove <site-space...>',
        endpoint: siteSpaces.remove,
        description:
          'It stays in other sites too, but its path and condition in this one are lost. The only space of a section goes with the section: "sites sections remove".',
        confirm: { question: 'Take {} out of the site? The space itself stays.' },
        done: 'Took {} out of the site.',
        ...gone,
        examples: [
          { run: `docsctl sites spaces remove sitespace004 ${at} --yes`, does: 'Without being asked' },
          { run: `docsctl sites spaces remove sitespace004 ${at} --dry-run`, does: 'Show the request only' },
        ],
        see: ['sites spaces add', 'sites sections remove'],
      },
      {
        use: 'move <site-space>',
        endpoint: siteSpaces.move,
        description:
          'Without a neighbour it goes to the end. It stays in its section: to be in another, it is added there and removed here.',
        columns: siteSpaceColumns,
        card: siteSpaceCard,
        examples: [
          {
            run: `docsctl sites spaces move sitespace004 --before sitespace002 ${at}`,
            does: 'To the front of its section',
          },
          { run: `docsctl sites spaces move sitespace002 ${at}`, does: 'To the end' },
        ],
        exits: { 6: 'the neighbour is not in the same section' },
        see: ['sites structure'],
      },
    ],
  },
];
export default nodes;
