import { expect, test } from 'vitest';
import { isProposable } from '../../../src/commands/mcp/proposable.ts';
import { pathWords } from '../../../src/cli/complete/command-line.ts';
import { commandsOfTree } from '../../support/tree.ts';

// Whoever adds a command decides here whether agents may propose it.

const commands = await commandsOfTree();
const proposable = commands.filter(({ path, command }) => isProposable({ path, command }));

test('agents can propose these commands and no others', () => {
  const byGroup = Map.groupBy(proposable, ({ path }) => path.split(' ')[0]!);
  const lines = [...byGroup].map(([group, list]) => {
    const names = list.map(({ path }) => path.slice(group.length + 1)).filter(Boolean);
    return [group, ...names].join(', ');
  });
  expect(lines.toSorted()).toEqual([
    'collections, create, edit, delete, move, transfer',
    'comments, create, edit, resolve, reopen, delete, replies create, replies edit, replies delete',
    'cr, create, edit, open, archive, merge, update',
    'fields, create, edit, delete, values set',
    'invites, send, accept, links create, links edit, links delete',
    'links, check',
    'members, edit, remove, mark-sso',
    'orgs, edit',
    'replace',
    'sites, create, edit, delete, publish, unpublish, share-links create, share-links edit, share-links delete, customization set, schema set, sections add, sections edit, sections remove, sections move, section-groups create, section-groups edit, section-groups delete, section-groups move, section-groups add, section-groups remove, spaces add, spaces edit, spaces remove, spaces move',
    'spaces, create, edit, delete, restore, duplicate, move, transfer',
    'teams, create, edit, delete, members update, members set, members remove',
    'translations, create, edit, delete',
  ]);
});

test('options of these commands whose values are paths are known as such', () => {
  const placeholders = proposable.flatMap(({ path, command }) =>
    (command.flags ?? []).flatMap(({ flags }) => {
      const placeholder = /<([^>]+)>/.exec(flags)?.[1] ?? '';
      const isPath = /file|folder|path|dir|database/.test(`${flags} ${placeholder}`);
      return isPath && !Object.hasOwn(pathWords, placeholder) ? [`${path} ${flags}`] : [];
    }),
  );
  // Its value is a setting: styling.theme=bold.
  expect(placeholders).toEqual(['sites customization set --set <path=value>']);
});
