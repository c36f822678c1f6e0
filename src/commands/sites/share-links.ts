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
          { run: 'docsctl sites share-links list --site intranet0001', does: 'All links of a site' },
          {
            run: 'docsctl sites share-links list --site intranet0001 --jq ".[].urls.published"',
            does: 'Their addresses alone',
          },
        ],
        seeAlso: ['sites share-links create'],
      },
      output: {
        columns: linkColumns,
      },
    }),
    command({
      use: 'create',
      endpoint: shareLinks.create,
      help: {
        description:
          'Everybody who has the address can read the site while it is published and its visibility is share-link.',
        examples: [
          { run: 'docsctl sites share-links create --name Press --site intranet0001', does: 'A link for the press' },
          {
            run: 'docsctl sites share-links create --name Press --site intranet0001 --jq .urls.published',
            does: 'And its address alone',
          },
        ],
        exitStatuses: { 6: 'the name is not valid' },
        seeAlso: ['sites edit', 'sites share-links edit'],
      },
      output: {
        columns: linkColumns,
      },
    }),
    command({
      use: 'edit <link...>',
      endpoint: shareLinks.edit,
      help: {
        description: 'A link that is not active keeps its address and can be activated again.',
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
        exitStatuses: { 6: 'the name is not valid' },
        seeAlso: ['sites share-links delete'],
      },
      input: { singular: ['name'] },
      output: {
        columns: linkColumns,
      },
    }),
    command({
      use: 'delete <link...>',
      endpoint: shareLinks.delete,
      help: {
        description: 'People who have the address lose access. This cannot be undone.',
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
        seeAlso: ['sites share-links edit'],
      },
      output: {
        done: 'Deleted {}.',
      },
      confirm: { question: 'Delete the share link {} of the site {siteId}?' },
    }),
  ],
};
