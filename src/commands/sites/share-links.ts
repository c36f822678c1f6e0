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
      help: {
        examples: [
          { run: 'docsctl sites share-links list --site intranet0001', does: 'List all links of a site' },
          {
            run: 'docsctl sites share-links list --site intranet0001 --jq ".[].urls.published"',
            does: 'Print their addresses only',
          },
        ],
        seeAlso: ['sites share-links create'],
      },
      output: { columns: linkColumns },
    }),
    command({
      use: 'create',
      endpoint: shareLinks.create,
      help: {
        description:
          'Everyone who has the address can read the site while it is published with the visibility share-link.',
        examples: [
          {
            run: 'docsctl sites share-links create --name Press --site intranet0001',
            does: 'Create a link for the press',
          },
          {
            run: 'docsctl sites share-links create --name Press --site intranet0001 --jq .urls.published',
            does: 'Create a link and print its address',
          },
        ],
        exitStatuses: { 6: 'the name is invalid' },
        seeAlso: ['sites edit', 'sites share-links edit'],
      },
      output: { columns: linkColumns },
    }),
    command({
      use: 'edit <link...>',
      endpoint: shareLinks.edit,
      help: {
        description: 'Inactive links keep their address and can be activated again.',
        examples: [
          {
            run: 'docsctl sites share-links edit sharelink001 --no-active --site intranet0001',
            does: 'Deactivate a link',
          },
          {
            run: 'docsctl sites share-links edit sharelink001 --name Dealers --site intranet0001',
            does: 'Rename a link',
          },
        ],
        exitStatuses: { 6: 'the name is invalid' },
        seeAlso: ['sites share-links delete'],
      },
      input: { singular: ['name'] },
      output: { columns: linkColumns },
    }),
    command({
      use: 'delete <link...>',
      endpoint: shareLinks.delete,
      help: {
        description: 'Everyone who has the address loses access. This cannot be undone.',
        examples: [
          {
            run: 'docsctl sites share-links delete sharelink001 --site intranet0001 --yes',
            does: 'Delete without confirmation',
          },
          {
            run: 'docsctl sites share-links delete sharelink001 --site intranet0001 --dry-run',
            does: 'Preview the request',
          },
        ],
        seeAlso: ['sites share-links edit'],
      },
      output: { done: 'Deleted {}.' },
      confirm: { question: 'Delete the share link {} of the site {siteId}?' },
    }),
  ],
};
