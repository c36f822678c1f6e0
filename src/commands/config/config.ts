import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { configFile } from '../../cli/settings/config.ts';
import { columns, keys, showFlags } from './options.ts';

const names = keys.join(', ');

const nodes: Node[] = [
  command({
    use: 'list',
    changes: [],
    prints: async () => (await import('../shared/printed-local.ts')).settings,
    summary: 'List the settings in effect.',
    description: `The settings are ${names}. Flags take precedence over the environment, the environment over the project file .docsctl.yaml, and the project file over the profile.`,
    examples: {
      'List the settings and their origins': 'docsctl config list --show-origin',
      'List the settings with another profile': 'docsctl config list --profile local',
    },
    exitStatuses: { 3: 'the project file names a profile that is not allowed here; the other settings are listed' },
    seeAlso: ['profiles list', 'profiles allow', 'help profiles', 'help environment'],
    flags: showFlags,
    output: { list: true, columns, idKey: 'key' },
    run: async (invocation) => (await import('./show.ts')).list(invocation),
  }),
  command({
    use: 'get <key>',
    changes: [],
    prints: async () => (await import('../shared/printed-local.ts')).setting,
    summary: 'Print a setting.',
    description: `Prints the value in effect, from a flag, the environment, the project file or the profile. The settings are ${names}.`,
    examples: {
      'Print the default organization': 'docsctl config get org',
      'Print the current profile and where it is set': 'docsctl config get profile --show-origin',
    },
    exitStatuses: {
      1: 'it is not set',
      2: 'no such setting',
      3: 'the project file names a profile that is not allowed here',
    },
    seeAlso: ['config list', 'config set'],
    flags: showFlags,
    input: { suggestions: { key: () => keys } },
    run: async (invocation) => (await import('./show.ts')).get(invocation),
  }),
  command({
    use: 'set <key> <value>',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Change a setting of the current profile.',
    description: `With --profile, changes another profile. The settings are ${names}; "profile" selects the current profile. The service does not check IDs. The token is removed if you change the host, or switch from https to http. "token-command" is a command line that prints the token; see "docsctl help profiles".`,
    examples: {
      'Set the default space': 'docsctl config set space handbook0001',
      'Get the token from a password manager': 'docsctl config set token-command "pass show docsctl/work"',
      'Set the default organization': 'docsctl config set org "$(docsctl orgs list --limit 1 -o id)"',
    },
    exitStatuses: {
      2: 'no such setting, or the value is empty',
      3: 'there is no current profile',
      5: 'no such profile',
    },
    seeAlso: ['config list', 'config unset', 'profiles use'],
    input: { suggestions: { key: () => keys } },
    run: async (invocation) => (await import('./change.ts')).set(invocation),
  }),
  command({
    use: 'unset <key>',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Remove a setting from the current profile.',
    description:
      'With --profile, changes another profile. Variables and .docsctl.yaml stay unchanged. The address cannot be removed; use "profiles delete" to delete the whole profile.',
    examples: {
      'Remove the default space': 'docsctl config unset space',
      'Show what would be removed': 'docsctl config unset site --dry-run',
    },
    exitStatuses: { 2: 'no such setting, or it is the address', 5: 'no such profile' },
    seeAlso: ['config set', 'profiles delete'],
    input: { suggestions: { key: () => keys } },
    run: async (invocation) => (await import('./change.ts')).unset(invocation),
  }),
  command({
    use: 'path',
    changes: [],
    prints: 'text',
    summary: 'Print the path of the settings file.',
    description:
      'The file holds the profiles; it may not exist yet. Tokens are stored in the keyring, or in credentials.json in the same folder. DOCSCTL_CONFIG_DIR sets another folder.',
    examples: {
      'Print the path': 'docsctl config path',
      'Back up the settings': 'cp "$(docsctl config path)" config-before.json',
    },
    seeAlso: ['config list', 'help environment'],
    run: async ({ io }) => {
      await io.out.write(`${configFile()}\n`);
    },
  }),
];
export default nodes;
