import type { Invocation, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { card, columns, createFlags } from './options.ts';

const existingNames = ({ session }: Invocation, typedNames: readonly string[]) =>
  Object.keys(session.config.profiles).filter((name) => !typedNames.includes(name));

const nodes: Node[] = [
  command({
    use: 'list',
    help: {
      summary: 'List the profiles.',
      description:
        'Shows their addresses, their defaults and where each token is, never the token itself. No service is asked; "auth status" checks whether the tokens work.',
      examples: [
        { run: 'docsctl profiles list', does: 'Which services are set up, and which one is in use' },
        { run: "docsctl profiles list --jq '.[] | select(.current) | .name'", does: 'The one in use, for a script' },
      ],
      seeAlso: ['auth status', 'profiles use', 'help profiles'],
    },
    output: {
      list: true,
      columns,
      idKey: 'name',
    },
    run: async (invocation) => (await import('./show.ts')).list(invocation),
  }),
  command({
    use: 'view [name]',
    help: {
      summary: 'Show a profile; without a name the one in use.',
      description:
        'Shows what is saved in the profile, and in which folders .docsctl.yaml is allowed to choose it. Flags, variables and .docsctl.yaml can set other values for a command: "config list --show-origin" shows those in effect.',
      examples: [
        { run: 'docsctl profiles view', does: 'The one in use' },
        { run: 'docsctl profiles view local --jq .url', does: 'The address of the local instance' },
      ],
      exitStatuses: { 3: 'the project file chooses a profile that is not allowed here', 5: 'there is no such profile' },
      seeAlso: ['config list', 'profiles list', 'profiles allow'],
    },
    input: {
      suggestions: { name: existingNames },
    },
    output: {
      columns,
      card,
    },
    run: async (invocation) => (await import('./show.ts')).view(invocation),
  }),
  command({
    use: 'create <name>',
    help: {
      summary: 'Create a profile for the service at --url.',
      description:
        'It asks nothing and does not sign in; use "auth login" to sign in and save a token. The address is https://..., or embedded:<file> for an instance in the same process. The first profile is in use at once, another one only with --use.',
      examples: [
        { run: 'docsctl profiles create work --url https://docs.example', does: 'A second service' },
        {
          run: 'docsctl profiles create handbook --url embedded: --space handbook0001 --use',
          does: 'The local instance with another default space',
        },
      ],
      exitStatuses: {
        2: 'there is no --url, or it is not a service URL',
        6: 'there is already a profile with this name',
      },
      seeAlso: ['auth login', 'profiles use'],
    },
    input: {
      flags: createFlags,
    },
    output: {
      columns,
    },
    run: async (invocation) => (await import('./change.ts')).create(invocation),
  }),
  command({
    use: 'use [name]',
    help: {
      summary: 'Use a profile from now on.',
      description:
        'Without a name it asks in a terminal. Commands that are running keep their profile. To use another one for a single command there is --profile, for a shell DOCSCTL_PROFILE, and for a folder "profile:" in .docsctl.yaml, if "profiles allow" allowed it: these take precedence.',
      examples: [
        { run: 'docsctl profiles use local', does: 'Work with the local instance' },
        { run: 'docsctl profiles use local --dry-run', does: 'Only check that the profile exists' },
      ],
      exitStatuses: { 5: 'there is no such profile' },
      seeAlso: ['profiles list', 'help profiles'],
    },
    input: {
      suggestions: { name: existingNames },
    },
    run: async (invocation) => (await import('./change.ts')).use(invocation),
  }),
  command({
    use: 'allow [folder]',
    help: {
      summary: 'Let the project file of a folder choose its profile.',
      description:
        'The profile that a .docsctl.yaml names is used only after you allowed it, for this folder and this profile, because the file may come from anybody. Without a folder it is the working directory; the file may be in a folder above it. In a terminal, a command that needs the profile asks once. Elsewhere it ends with status 3, even with --yes. Completion does not contact the service before the profile is allowed.\n\nThis is not needed if --profile or DOCSCTL_PROFILE names the profile, or if DOCSCTL_URL and DOCSCTL_TOKEN are set, as in CI. The permission is saved with the profiles; nothing is written into the folder.',
      examples: [
        { run: 'docsctl profiles allow handbook', does: 'Let handbook/.docsctl.yaml choose' },
        { run: 'docsctl profiles allow handbook --dry-run', does: 'Only show which profile it names' },
      ],
      exitStatuses: {
        2: 'the file names no profile, or cannot be read',
        5: 'there is no project file, or no profile with this name',
      },
      seeAlso: ['profiles deny', 'profiles view', 'help profiles'],
    },
    run: async (invocation) => (await import('./allow.ts')).allow(invocation),
  }),
  command({
    use: 'deny [folder]',
    help: {
      summary: 'Do not let the project file of a folder choose a profile.',
      description:
        'Removes the permission of "profiles allow". Commands do not ask about the profile that the file names now: they end with status 3 until "profiles allow" allows it. The folder may have been deleted. "profiles view" shows where a profile is allowed.',
      examples: [
        { run: 'docsctl profiles deny handbook', does: 'Use no profile because of handbook/.docsctl.yaml' },
        { run: 'docsctl profiles deny handbook --dry-run', does: 'Only show which file that is' },
      ],
      exitStatuses: { 2: 'the file cannot be read', 5: 'there is no project file, and nothing was allowed there' },
      seeAlso: ['profiles allow', 'profiles view'],
    },
    run: async (invocation) => (await import('./allow.ts')).deny(invocation),
  }),
  command({
    use: 'rename <old> <new>',
    help: {
      summary: 'Give a profile another name.',
      description:
        'The profile keeps its token and its defaults, and stays in use if it was. DOCSCTL_PROFILE and .docsctl.yaml files that name it are not changed. With the new name it is not allowed in any folder.',
      examples: [
        { run: 'docsctl profiles rename local sandbox', does: 'Another name for the local instance' },
        { run: 'docsctl profiles rename local sandbox --dry-run', does: 'Only check the names' },
      ],
      exitStatuses: { 5: 'there is no such profile', 6: 'there is already a profile with the new name' },
      seeAlso: ['profiles list', 'profiles use'],
    },
    input: {
      suggestions: { old: existingNames },
    },
    run: async (invocation) => (await import('./change.ts')).rename(invocation),
  }),
  command({
    use: 'delete [name...]',
    help: {
      summary: 'Delete profiles with their tokens.',
      description:
        'They are removed from this machine; "auth login" creates them again. Nothing is deleted at the service, the token stays valid there, and the database of a local instance stays. If the profile in use is deleted, no profile is in use.',
      examples: [
        { run: 'docsctl profiles delete local --yes', does: 'The database of the local instance stays' },
        { run: 'docsctl profiles delete local --dry-run', does: 'Show what would be deleted' },
      ],
      exitStatuses: { 2: 'not confirmed: without a terminal --yes is needed', 5: 'there is no such profile' },
      seeAlso: ['auth logout', 'profiles use'],
    },
    input: {
      suggestions: { name: existingNames },
    },
    run: async (invocation) => (await import('./change.ts')).remove(invocation),
  }),
];
export default nodes;
