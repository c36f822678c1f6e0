import type { Invocation, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { card, columns, createFlags } from './options.ts';

const existingNames = ({ session }: Invocation, typedNames: readonly string[]) =>
  Object.keys(session.config.profiles).filter((name) => !typedNames.includes(name));

const nodes: Node[] = [
  command({
    use: 'list',
    changes: [],
    prints: async () => (await import('../shared/printed-local.ts')).profiles,
    summary: 'List the profiles.',
    description:
      'Shows their addresses, their defaults and where each token is stored, but never a token. No service is contacted; use "auth status" to check the tokens.',
    examples: {
      'List the services and the current profile': 'docsctl profiles list',
      'Print the name of the current profile': "docsctl profiles list --jq '.[] | select(.current) | .name'",
    },
    seeAlso: ['auth status', 'profiles use', 'help profiles'],
    output: { list: true, columns, idKey: 'name' },
    run: async (invocation) => (await import('./show.ts')).list(invocation),
  }),
  command({
    use: 'view [name]',
    changes: [],
    prints: async () => (await import('../shared/printed-local.ts')).profileWithFolders,
    summary: 'Show a profile, by default the current one.',
    description:
      'Shows what the profile contains, and in which folders .docsctl.yaml may select it. Flags, variables and .docsctl.yaml can override it; "config list --show-origin" shows the values in effect.',
    examples: {
      'View the current profile': 'docsctl profiles view',
      'Print the address of the local instance': 'docsctl profiles view local --jq .url',
    },
    exitStatuses: { 3: 'the project file names a profile that is not allowed here', 5: 'no such profile' },
    seeAlso: ['config list', 'profiles list', 'profiles allow'],
    input: { suggestions: { name: existingNames } },
    output: { columns, card },
    run: async (invocation) => (await import('./show.ts')).view(invocation),
  }),
  command({
    use: 'create <name>',
    changes: ['settings'],
    prints: async () => (await import('../shared/printed-local.ts')).profile,
    summary: 'Create a profile for the service at --url.',
    description:
      'Asks nothing and does not sign in; use "auth login" to sign in and save a token. The address is https://..., or embedded:<file> for an instance in the docsctl process. The first profile becomes the current one, others only with --use.',
    examples: {
      'Add a second service': 'docsctl profiles create work --url https://docs.example',
      'Use the local instance with another default space':
        'docsctl profiles create handbook --url embedded: --space handbook0001 --use',
    },
    exitStatuses: {
      2: '--url is missing, or is not the address of a service',
      6: 'a profile with this name already exists',
    },
    seeAlso: ['auth login', 'profiles use'],
    flags: createFlags,
    output: { columns },
    run: async (invocation) => (await import('./change.ts')).create(invocation),
  }),
  command({
    use: 'use [name]',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Change the current profile.',
    description:
      'Without a name, asks in a terminal. Running commands keep their profile. These take precedence over the current profile: --profile for one command, DOCSCTL_PROFILE for a shell, and "profile:" in .docsctl.yaml for a folder where you allowed it with "profiles allow".',
    examples: {
      'Work with the local instance': 'docsctl profiles use local',
      'Check that the profile exists': 'docsctl profiles use local --dry-run',
    },
    exitStatuses: { 5: 'no such profile' },
    seeAlso: ['profiles list', 'help profiles'],
    input: { suggestions: { name: existingNames } },
    run: async (invocation) => (await import('./change.ts')).use(invocation),
  }),
  command({
    use: 'allow [folder]',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Let the project file of a folder select its profile.',
    description:
      'Because anyone may have written a .docsctl.yaml, its profile is used only after you allowed it, for this folder and this profile. The file may be in a parent folder. A command that needs the profile asks once in a terminal, and otherwise exits with status 3, even with --yes. The permission is not needed with --profile, DOCSCTL_PROFILE, or DOCSCTL_URL and DOCSCTL_TOKEN. It is saved with the profiles, not in the folder.',
    examples: {
      'Allow the profile in handbook/.docsctl.yaml': 'docsctl profiles allow handbook',
      'Show which profile it names': 'docsctl profiles allow handbook --dry-run',
    },
    exitStatuses: {
      2: 'the file names no profile, or cannot be read',
      5: 'no project file, or no profile with this name',
    },
    seeAlso: ['profiles deny', 'profiles view', 'help profiles'],
    run: async (invocation) => (await import('./allow.ts')).allow(invocation),
  }),
  command({
    use: 'deny [folder]',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Stop the project file of a folder from selecting a profile.',
    description:
      'Removes the permission given by "profiles allow". Commands that need the profile then exit with status 3 without asking. The folder need not exist any more. "profiles view" shows where a profile is allowed.',
    examples: {
      'Deny the profile in handbook/.docsctl.yaml': 'docsctl profiles deny handbook',
      'Show which file that is': 'docsctl profiles deny handbook --dry-run',
    },
    exitStatuses: { 2: 'the file cannot be read', 5: 'no project file, and nothing was allowed there' },
    seeAlso: ['profiles allow', 'profiles view'],
    run: async (invocation) => (await import('./allow.ts')).deny(invocation),
  }),
  command({
    use: 'rename <old> <new>',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Rename a profile.',
    description:
      'The profile keeps its token and defaults, and stays the current one if it was. DOCSCTL_PROFILE and .docsctl.yaml files are not changed. The new name is not allowed in any folder.',
    examples: {
      'Rename the local instance': 'docsctl profiles rename local sandbox',
      'Check the names': 'docsctl profiles rename local sandbox --dry-run',
    },
    exitStatuses: { 5: 'no such profile', 6: 'a profile with the new name already exists' },
    seeAlso: ['profiles list', 'profiles use'],
    input: { suggestions: { old: existingNames } },
    run: async (invocation) => (await import('./change.ts')).rename(invocation),
  }),
  command({
    use: 'delete [name...]',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Delete profiles with their tokens.',
    description:
      'The profiles and tokens are removed from this machine; use "auth login" to create them again. Nothing is deleted from the service, the tokens stay valid, and the database of a local instance stays. If you delete the current profile, there is no current profile.',
    examples: {
      'Delete the profile, but not the database, of the local instance': 'docsctl profiles delete local --yes',
      'Preview what would be deleted': 'docsctl profiles delete local --dry-run',
    },
    exitStatuses: { 2: 'not confirmed: --yes is required without a terminal', 5: 'no such profile' },
    seeAlso: ['auth logout', 'profiles use'],
    input: { batch: true, suggestions: { name: existingNames } },
    run: async (invocation) => (await import('./change.ts')).remove(invocation),
  }),
];
export default nodes;
