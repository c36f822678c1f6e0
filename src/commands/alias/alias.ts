import type { Invocation, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';

const names = ({ session }: Invocation, typed: readonly string[]) =>
  Object.keys(session.config.aliases ?? {}).filter((name) => !typed.includes(name));

const nodes: Node[] = [
  command({
    use: 'set <name> <words...>',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Create or replace a short name for a command.',
    description:
      'Put the command after --, or in quotes. Words after the alias replace $1 to $9 in the command; the others are added at its end. Aliases are stored in the settings of this user. They cannot replace commands, and lists of "docsctl run" do not use them.',
    examples: {
      'Shorten a command with options': "docsctl alias set guests 'members list --role guest'",
      'Use a word of the command line': "docsctl alias set team 'teams members list $1 --columns email,role'",
    },
    exitStatuses: { 2: 'it is the name of a command, or there is no such command or option' },
    seeAlso: ['alias list', 'alias remove'],
    input: { texts: { name: 'name of the alias', words: 'the command, after -- or in quotes' } },
    run: async (invocation) => (await import('./change.ts')).setAlias(invocation),
  }),
  command({
    use: 'list',
    changes: [],
    prints: async () => (await import('../shared/printed-local.ts')).aliases,
    summary: 'List the aliases.',
    description: 'Shows each alias of this user with its command. No service is contacted.',
    examples: {
      'List the aliases with their commands': 'docsctl alias list',
      'Print their names': 'docsctl alias list -o id',
    },
    seeAlso: ['alias set'],
    output: { list: true, columns: [{ key: 'name', kind: 'id' }, { key: 'command' }], idKey: 'name' },
    run: async (invocation) => (await import('./change.ts')).listAliases(invocation),
  }),
  command({
    use: 'remove <name...>',
    changes: ['settings'],
    prints: 'nothing',
    aliases: ['delete'],
    summary: 'Remove aliases.',
    description: 'Removes short names from the settings of this user.',
    examples: {
      'Preview the removal of all aliases': 'docsctl alias list -o id | docsctl alias remove - --dry-run',
      'Remove an alias': 'docsctl alias set guests -- members list --role guest && docsctl alias remove guests',
    },
    exitStatuses: { 5: 'no such alias' },
    seeAlso: ['alias list'],
    input: {
      batch: true,
      suggestions: { name: names },
      texts: { name: 'name of the alias; repeatable, or - to read them from standard input' },
    },
    run: async (invocation) => (await import('./change.ts')).removeAliases(invocation),
  }),
];

export default nodes;
