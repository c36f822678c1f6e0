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
    description: 'Newest first, including unpublished sites.',
    examples: {
      'List all sites': 'docsctl sites list',
      'List published sites of two types': 'docsctl sites list --published --type basic,ultimate',
      'Print the IDs of sites with a space': 'docsctl sites list --space handbook0001 -o id',
    },
    seeAlso: ['sites view', 'sites create'],
    output,
  }),
  command({
    use: 'create',
    endpoint: sites.create,
    description:
      'The site is not published; use "sites publish" to publish it. You can change everything but the type later.',
    examples: {
      'Create a site with two spaces':
        'docsctl sites create --title "Pump documentation" --spaces handbook0001,apiguides001',
      'Create a site with a new sample space':
        'docsctl sites create --title Preview --visibility share-link --spaces sample',
    },
    exitStatuses: {
      2: '--title is missing, without a terminal',
      6: 'a value is invalid, or one of --spaces does not exist',
    },
    seeAlso: ['sites publish', 'sites spaces add', 'sites sections add'],
    input: { body: async (invocation) => (await import('../shared/required-title.ts')).requiredTitle(invocation) },
    output,
  }),
  command({
    use: 'view [site]',
    endpoint: sites.view,
    description:
      'In a terminal, also shows its structure: section groups, sections and spaces. For JSON, use "sites structure -o json".',
    examples: {
      'View a site': 'docsctl sites view lumensite001',
      'Include the structure in a pipe': 'docsctl sites view lumensite001 -o table',
      'Show addresses for a share link': 'docsctl sites view intranet0001 --share-key lumenpartnerpreviewkey01',
    },
    seeAlso: ['sites structure', 'sites edit', 'sites published'],
    output,
    run: async (invocation) => (await import('./view.ts')).view(invocation),
  }),
  command({
    use: 'edit [site...]',
    endpoint: sites.edit,
    description:
      'Fields that you do not pass stay unchanged. Use "sites publish" and "sites unpublish" to publish or unpublish it.',
    examples: {
      'Change the title and the address': 'docsctl sites edit lumensite001 --title "Lumen docs" --basename docs',
      'Show another section first': 'docsctl sites edit lumensite001 --default-site-section reference001',
      'Serve it under a path of your own host': 'docsctl sites edit lumensite001 --proxy lumen.example/docs',
      'Stop serving it there': 'docsctl sites edit lumensite001 --clear proxy',
    },
    exitStatuses: { 6: 'the basename is taken, or a value is invalid' },
    seeAlso: ['sites customization set', 'sites publish'],
    input: { singular: ['title', 'basename', 'proxy', 'defaultSiteSpace', 'defaultSiteSection'] },
    output,
  }),
  command({
    use: 'delete <site...>',
    endpoint: sites.delete,
    description:
      'Its sections, share links and customization are deleted, too, and its address stops working. This cannot be undone; use "sites unpublish" to keep everything.',
    examples: {
      'Delete a site without confirmation': 'docsctl sites delete intranet0001 --yes',
      'Preview the requests': 'docsctl sites delete intranet0001 lumensite001 --dry-run',
    },
    seeAlso: ['sites unpublish'],
    output: { done: 'Deleted {}.' },
    confirm: {
      question: 'Delete the site {}? Its spaces stay.',
      typed: { view: sites.view, title: (site: Site) => site.title },
    },
  }),
  command({
    use: 'published [site]',
    endpoint: sites.published,
    description: 'Prints everything that readers get in one response. Unpublished sites are not found.',
    examples: {
      'Print everything': 'docsctl sites published lumensite001 -o yaml',
      'Print the address': 'docsctl sites published lumensite001 --jq .site.urls.published',
    },
    seeAlso: ['sites structure', 'sites customization view'],
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
    description: 'The visibility determines who can read the site. A site without a space cannot be published.',
    examples: {
      'Publish a site': 'docsctl sites publish intranet0001',
      'Publish it and print its address': 'docsctl sites publish intranet0001 --jq .urls.published',
    },
    exitStatuses: { 6: 'the site has no space' },
    seeAlso: ['sites unpublish', 'sites share-links create'],
    output,
  }),
  command({
    use: 'unpublish [site...]',
    endpoint: sites.unpublish,
    description: 'Readers lose access. Nothing is deleted; use "sites publish" to publish it again.',
    examples: {
      'Unpublish without confirmation': 'docsctl sites unpublish lumensite001 --yes',
      'Preview the request': 'docsctl sites unpublish lumensite001 --dry-run',
    },
    seeAlso: ['sites publish', 'sites delete'],
    output,
    confirm: {
      question: 'Unpublish the site {}?',
      typed: { view: sites.view, title: (site: Site) => site.title },
    },
  }),
  command({
    use: 'structure [site]',
    endpoint: sites.structure,
    description:
      'Prints the order that readers see. A site without sections has only spaces. The IDs are those for "sites sections", "sites section-groups" and "sites spaces".',
    examples: {
      'Print a tree': 'docsctl sites structure lumensite001 -o table',
      'Print JSON': 'docsctl sites structure lumensite001 -o json',
    },
    seeAlso: ['sites sections list', 'sites section-groups list', 'sites spaces list'],
    output: { columns: structureColumns, list: true, member: 'structure', tree: { children: partsOf } },
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
