import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { shareLinks } from '../../contract/share-links.ts';
import { created, id } from '../shared/columns.ts';

const linkColumns: Column<ItemOf<typeof shareLinks.list>>[] = [
  { key: 'name' },
  { key: 'active', kind: 'boolean', style: { true: 'good', false: 'dim' } },
  { key: 'urls.published', title: 'Address' },
  created,
  id,
];

export const shareLinkCommands: Branch = {
  name: 'share-links',
  summary: 'secret addresses of a site',
  children: [
    command({
      use: 'list',
      endpoint: shareLinks.list,
      examples: {
        'List all links of a site': 'docsctl sites share-links list --site intranet0001',
        'Print their addresses only': 'docsctl sites share-links list --site intranet0001 --jq ".[].urls.published"',
      },
      seeAlso: ['sites share-links create'],
      output: { columns: linkColumns },
    }),
    command({
      use: 'create',
      endpoint: shareLinks.create,
      description:
        'Everyone who has the address can read the site while it is published with the visibility share-link.',
      examples: {
        'Create a link for the press': 'docsctl sites share-links create --name Press --site intranet0001',
        'Create a link and print its address':
          'docsctl sites share-links create --name Press --site intranet0001 --jq .urls.published',
      },
      exitStatuses: { 6: 'the name is invalid' },
      seeAlso: ['sites edit', 'sites share-links edit'],
      output: { columns: linkColumns },
    }),
    command({
      use: 'edit <link...>',
      endpoint: shareLinks.edit,
      description: 'Inactive links keep their address and can be activated again.',
      examples: {
        'Deactivate a link': 'docsctl sites share-links edit sharelink001 --no-active --site intranet0001',
        'Rename a link': 'docsctl sites share-links edit sharelink001 --name Dealers --site intranet0001',
      },
      exitStatuses: { 6: 'the name is invalid' },
      seeAlso: ['sites share-links delete'],
      input: { singular: ['name'] },
      output: { columns: linkColumns },
    }),
    command({
      use: 'delete <link...>',
      endpoint: shareLinks.delete,
      description: 'Everyone who has the address loses access. This cannot be undone.',
      examples: {
        'Delete without confirmation': 'docsctl sites share-links delete sharelink001 --site intranet0001 --yes',
        'Preview the request': 'docsctl sites share-links delete sharelink001 --site intranet0001 --dry-run',
      },
      seeAlso: ['sites share-links edit'],
      output: { done: 'Deleted {}.' },
      confirm: { question: 'Delete the share link {} of the site {siteId}?' },
    }),
  ],
};
