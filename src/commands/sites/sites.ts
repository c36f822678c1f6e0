import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { sites } from '../../contract/sites.ts';
import { app, created, id, published, title, visibility } from '../shared/columns.ts';
import { partsOf, structureColumns, titlesOf } from './columns.ts';
import { customizationCommands } from './customization-commands.ts';
import { exportCommand } from './export.ts';
import { schemaCommands } from './schema.ts';
import { sectionCommands } from './sections.ts';
import { sectionGroupCommands } from './section-groups.ts';
import { shareLinkCommands } from './share-links.ts';
import { siteSpaceCommands } from './site-spaces.ts';

type Site = AnswerOf<typeof sites.view>;

const columns: Column<Site>[] = [
  title,
  { key: 'published', kind: 'boolean', style: { true: 'good', false: 'dim' } },
  visibility,
  { key: 'type', optional: true },
  { key: 'siteSpaces', title: 'Spaces', kind: 'number', optional: true },
  { ...published, optional: true },
  id,
];
const card: Column<Site>[] = [
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
  { key: 'features', value: ({ features }) => features.map((feature) => feature.id.replace(/^sites-/, '')) },
  { key: 'siteSpaces', title: 'Spaces', kind: 'number' },
  created,
  app,
];
const output = { columns, card };

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: sites.list,
    help: {
      description: 'Newest first, including sites that are not published.',
      examples: [
        { run: 'docsctl sites list', does: 'All sites' },
        { run: 'docsctl sites list --published --type basic,ultimate', does: 'Published ones of some types' },
        { run: 'docsctl sites list --space handbook0001 -o id', does: 'Ids of those that show a space' },
      ],
      seeAlso: ['sites view', 'sites create'],
    },
    output,
  }),
  command({
    use: 'create',
    endpoint: sites.create,
    help: {
      description: 'It is not published yet: use "sites publish". Every value but the type can be changed later.',
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
      exitStatuses: {
        2: '--title is missing, without a terminal',
        6: 'a value is not valid, or one of --spaces does not exist',
      },
      seeAlso: ['sites publish', 'sites spaces add', 'sites sections add'],
    },
    input: {
      body: async (invocation) => (await import('../shared/required-title.ts')).requiredTitle(invocation),
    },
    output,
  }),
  command({
    use: 'view [site]',
    endpoint: sites.view,
    help: {
      description:
        'In a terminal, also shows its structure: section groups, sections and spaces. -o json prints the site alone; "sites structure -o json" prints the structure.',
      examples: [
        { run: 'docsctl sites view lumensite001', does: 'One site' },
        { run: 'docsctl sites view lumensite001 -o table', does: 'With its structure, in a pipe too' },
        {
          run: 'docsctl sites view intranet0001 --share-key lumenpartnerpreviewkey01',
          does: 'With the addresses for a share link',
        },
      ],
      seeAlso: ['sites structure', 'sites edit', 'sites published'],
    },
    output,
    run: async (invocation) => (await import('./view.ts')).view(invocation),
  }),
  command({
    use: 'edit [site...]',
    endpoint: sites.edit,
    help: {
      description:
        'Fields that are not given stay unchanged. To publish or unpublish it, use "sites publish" and "sites unpublish".',
      examples: [
        {
          run: 'docsctl sites edit lumensite001 --title "Lumen docs" --basename docs',
          does: 'Another title and address',
        },
        {
          run: 'docsctl sites edit lumensite001 --default-site-section reference001',
          does: 'Show another section first',
        },
        {
          run: 'docsctl sites edit lumensite001 --proxy lumen.example/docs',
          does: 'Serve it under a path of your own',
        },
        { run: 'docsctl sites edit lumensite001 --clear proxy', does: 'And no longer' },
      ],
      exitStatuses: { 6: 'the basename is taken, or a value is not valid' },
      seeAlso: ['sites customization set', 'sites publish'],
    },
    input: { singular: ['title', 'basename', 'proxy', 'defaultSiteSpace', 'defaultSiteSection'] },
    output,
  }),
  command({
    use: 'delete <site...>',
    endpoint: sites.delete,
    help: {
      description:
        'Its sections, share links and customization are deleted too, and its address stops working. This cannot be undone; "sites unpublish" keeps everything.',
      examples: [
        { run: 'docsctl sites delete intranet0001 --yes', does: 'Delete a site without being asked' },
        { run: 'docsctl sites delete intranet0001 lumensite001 --dry-run', does: 'Show the requests only' },
      ],
      seeAlso: ['sites unpublish'],
    },
    output: {
      done: 'Deleted {}.',
    },
    confirm: {
      question: 'Delete the site {}? Its spaces stay; the rest cannot be restored.',
      typed: { view: sites.view, title: (site: Site) => site.title },
    },
  }),
  command({
    use: 'published [site]',
    endpoint: sites.published,
    help: {
      description: 'Prints everything that readers get, in one answer. A site that is not published is not found.',
      examples: [
        { run: 'docsctl sites published lumensite001 -o yaml', does: 'All of it' },
        { run: 'docsctl sites published lumensite001 --jq .site.urls.published', does: 'Where it is' },
      ],
      seeAlso: ['sites structure', 'sites customization view'],
    },
    output: {
      columns: [
        { key: 'site.title', title: 'Title' },
        { key: 'site.urls.published', title: 'Published at' },
        { key: 'site.visibility', title: 'Visibility' },
        { key: 'structure', value: ({ structure }: AnswerOf<typeof sites.published>) => titlesOf(structure.structure) },
        { key: 'customizations.site.styling.theme', title: 'Theme' },
        { key: 'customizations.site.internationalization.locale', title: 'Locale' },
      ],
    },
  }),
  command({
    use: 'publish [site...]',
    endpoint: sites.publish,
    advice: { 'invalid-state': '"docsctl sites spaces add <space> --site <site>" adds a space.' },
    help: {
      description: 'Who can read it depends on its visibility. A site without a space cannot be published.',
      examples: [
        { run: 'docsctl sites publish intranet0001', does: 'Put a site on the web' },
        { run: 'docsctl sites publish intranet0001 --jq .urls.published', does: 'And say where it is' },
      ],
      exitStatuses: { 6: 'the site has no space' },
      seeAlso: ['sites unpublish', 'sites share-links create'],
    },
    output,
  }),
  command({
    use: 'unpublish [site...]',
    endpoint: sites.unpublish,
    help: {
      description: 'Readers lose access. Nothing is deleted; "sites publish" publishes it again.',
      examples: [
        { run: 'docsctl sites unpublish lumensite001 --yes', does: 'Without being asked' },
        { run: 'docsctl sites unpublish lumensite001 --dry-run', does: 'Show the request only' },
      ],
      seeAlso: ['sites publish', 'sites delete'],
    },
    output,
    confirm: {
      question: 'Unpublish the site {}?',
      typed: { view: sites.view, title: (site: Site) => site.title },
    },
  }),
  command({
    use: 'structure [site]',
    endpoint: sites.structure,
    help: {
      description:
        'In the order that readers see; a site without sections has only spaces. "sites sections", "sites section-groups" and "sites spaces" take these ids.',
      examples: [
        { run: 'docsctl sites structure lumensite001 -o table', does: 'As a tree' },
        { run: 'docsctl sites structure lumensite001 -o json', does: 'All of it' },
      ],
      seeAlso: ['sites sections list', 'sites section-groups list', 'sites spaces list'],
    },
    output: {
      columns: structureColumns,
      list: true,
      member: 'structure',
      tree: { children: partsOf },
    },
  }),
  exportCommand,
  shareLinkCommands,
  customizationCommands,
  schemaCommands,
  sectionCommands,
  sectionGroupCommands,
  siteSpaceCommands,
];
export default nodes;
