import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { configFile } from '../../cli/settings/config.ts';
import { columns, keys, showFlags } from './options.ts';

const names = keys.join(', ');

const nodes: Node[] = [
  command({
    use: 'list',
    help: {
      summary: 'List the settings in effect.',
      description: `The settings are ${names}. A flag takes precedence over the environment, the environment over the project file .docsctl.yaml, and the project file over the profile.`,
      examples: [
        { run: 'docsctl config list --show-origin', does: 'What is set, and by what' },
        { run: 'docsctl config list --profile local', does: 'The settings with another profile' },
      ],
      exitStatuses: {
        3: 'the project file chooses a profile that is not allowed here; the other settings are listed',
      },
      seeAlso: ['profiles list', 'profiles allow', 'help profiles', 'help environment'],
    },
    input: {
      flags: showFlags,
    },
    output: {
      list: true,
      columns,
      idKey: 'key',
    },
    run: async (invocation) => (await import('./show.ts')).list(invocation),
  }),
  command({
    use: 'get <key>',
    help: {
      summary: 'Print one setting.',
      description: `Prints only the value in effect: from a flag, a variable, the project file or the profile. The settings are ${names}.`,
      examples: [
        { run: 'docsctl config get org', does: 'The default organization' },
        { run: 'docsctl config get profile --show-origin', does: 'Which profile, and why' },
      ],
      exitStatuses: {
        1: 'it is not set',
        2: 'there is no such setting',
        3: 'the project file chooses a profile that is not allowed here',
      },
      seeAlso: ['config list', 'config set'],
    },
    input: {
      suggestions: { key: () => keys },
      flags: showFlags,
    },
    run: async (invocation) => (await import('./show.ts')).get(invocation),
  }),
  command({
    use: 'set <key> <value>',
    help: {
      summary: 'Change a setting of the profile in use.',
      description: `With --profile, of another profile. The settings are ${names}; "profile" sets which profile is in use. Ids are saved without asking the service whether they exist. An address of another host removes the token of the profile, and so does one without encryption after one with it.`,
      examples: [
        { run: 'docsctl config set space handbook0001', does: 'Set the default space' },
        { run: 'docsctl config set org "$(docsctl orgs list --limit 1 -o id)"', does: 'Set the default organization' },
      ],
      exitStatuses: {
        2: 'there is no such setting, or the value is empty',
        3: 'no profile is in use',
        5: 'there is no such profile',
      },
      seeAlso: ['config list', 'config unset', 'profiles use'],
    },
    input: {
      suggestions: { key: () => keys },
    },
    run: async (invocation) => (await import('./change.ts')).set(invocation),
  }),
  command({
    use: 'unset <key>',
    help: {
      summary: 'Remove a setting of the profile in use.',
      description:
        'With --profile, of another profile. Variables and .docsctl.yaml are not changed. The address cannot be removed: "profiles delete" deletes the whole profile.',
      examples: [
        { run: 'docsctl config unset space', does: 'Have no default space' },
        { run: 'docsctl config unset site --dry-run', does: 'Show what would be removed' },
      ],
      exitStatuses: { 2: 'there is no such setting, or it is the address', 5: 'there is no such profile' },
      seeAlso: ['config set', 'profiles delete'],
    },
    input: {
      suggestions: { key: () => keys },
    },
    run: async (invocation) => (await import('./change.ts')).unset(invocation),
  }),
  command({
    use: 'path',
    help: {
      summary: 'Print the path of the settings file.',
      description:
        'The file holds the profiles; the path is printed even if the file does not exist yet. Tokens are never in it: they are in the keyring, or in credentials.json in the same folder. DOCSCTL_CONFIG_DIR sets another folder.',
      examples: [
        { run: 'docsctl config path', does: 'Where the file is' },
        { run: 'cp "$(docsctl config path)" config-before.json', does: 'Keep a copy of it' },
      ],
      seeAlso: ['config list', 'help environment'],
    },
    run: async ({ io }) => {
      await io.out.write(`${configFile()}\n`);
    },
  }),
];
export default nodes;
