import { UsageError } from '../../cli/program/failure.ts';
import type { Fields, Invocation, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { invites } from '../../contract/invites.ts';
import { roleChoices, roleOf, roleWords } from '../../people/roles.ts';
import { linkColumns, resultColumns } from './columns.ts';

const link = { link: 'inviteId' };

/** Whether a link makes people administrators of the organization, a space or a collection. */
const givesAdmin = ({ role, level }: Fields) => role === 'admin' || level === 'admin';

/** The target and the role or level of a new link. */
async function linkBody(
  invocation: Invocation<{}, { role?: string | undefined; collection?: string | undefined }>,
): Promise<Fields> {
  const { flags } = invocation;
  if (flags.space !== undefined && flags.collection !== undefined)
    throw new UsageError('--space and --collection cannot be combined.');
  const isPlaced = flags.space !== undefined || flags.collection !== undefined;
  if (flags.data !== undefined && flags.role === undefined) return {};
  if (flags.data !== undefined && !isPlaced) {
    throw new UsageError(
      '--data determines the target of the link, so it must also contain the role.',
      'Add "role" for the organization, or "level" for a space or a collection.',
    );
  }
  const role = roleOf(flags.role ?? (await chosenRole(invocation)));
  if (flags.space !== undefined) return { level: role, space: flags.space };
  if (flags.collection !== undefined) return { level: role, collection: flags.collection };
  return { role };
}

async function chosenRole(invocation: Invocation): Promise<string> {
  if (!invocation.io.interactive) throw new UsageError('--role is missing.', `It is one of ${roleWords.join(', ')}.`);
  const { openPrompt } = await import('../../cli/prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  return prompt.select({ message: 'Role of people who join with the link?', choices: roleChoices, start: 'read' });
}

const nodes: Node[] = [
  command({
    use: 'send [email...]',
    changes: ['service'],
    prints: async () => (await import('../shared/printed.ts')).invited,
    summary: 'Invite people by email; they become members immediately.',
    description: `Without an address, asks for everything in a terminal. Members are skipped, so you can repeat the command; if a member has a role other than the requested one, the status is 8 unless you use --update-roles.

--from reads CSV with the columns email, role and sso, in this order if there is no header. All rows are checked before the first request; invalid rows are listed and skipped. --result writes the rows with result and reason: correct that file and pass it to --from to continue. Inviting administrators asks for confirmation.`,
    examples: {
      'Invite a person': 'docsctl invites send ada@lumen.example --role edit',
      'Invite everyone in a file; correct it and repeat to continue': 'docsctl invites send --from people.csv',
      'Check the file and preview the requests': 'docsctl invites send --from people.csv --dry-run',
      'Also change the roles of members, and save the result of each row':
        'docsctl invites send --from people.csv --update-roles --result done.csv',
    },
    exitStatuses: {
      2: 'no address, no such file, or no valid row in it',
      4: 'only administrators of the organization have access',
      8: 'some were not invited or have another role: the table explains why',
    },
    seeAlso: ['members list', 'sso setup', 'invites links create'],
    flags: [
      { flags: '--from <file>', description: 'read people from a CSV file; - for standard input' },
      {
        flags: '--role <word>',
        description: "role of people without their own role (default: the organization's default role)",
        choices: roleWords,
      },
      { flags: '--sso', description: "invite as SSO users; only addresses in the organization's email domains" },
      { flags: '--no-sso', description: 'invite without SSO (the default)' },
      { flags: '--update-roles', description: 'give existing members the requested role' },
      { flags: '--result <file>', description: 'write the result of each row to a CSV file' },
    ],
    input: {
      context: ['org'],

      sources: { '/emails': ['<email>', '--from'] },
    },
    output: { columns: resultColumns },
    self: 'own',
    writesFilesWith: ['result'],
    run: async (invocation) => (await import('./send.ts')).send(invocation),
  }),
  command({
    use: 'accept <invite>',
    endpoint: invites.accept,
    description:
      'A link to the organization gives you its role; a link to a space or collection makes you a guest and gives you its level there. Your access is never reduced. --org is the organization of the link, because you are not a member yet.',
    examples: {
      'Join the current organization': 'docsctl invites accept invite000001',
      'Join the organization of an email domain':
        'docsctl invites accept invite000001 --org "$(docsctl orgs by-domain lumen.example -o id)"',
    },
    exitStatuses: { 4: 'invite links are turned off there', 5: 'no such invite in the organization' },
    seeAlso: ['invites links list', 'orgs by-domain', 'whoami'],
    output: { done: 'You joined with the invite {}.' },
  }),
  {
    name: 'links',
    summary: 'links to join an organization, a space or a collection',
    children: [
      command({
        use: 'list',
        endpoint: invites.listLinks,
        description:
          'Newest first: links to the organization, spaces and collections. Links do not expire. A redundant link gives nothing that you do not already have. The service does not record who joined with a link; see "members list".',
        examples: {
          'List all links': 'docsctl invites links list',
          'Print the IDs of links that create administrators':
            'docsctl invites links list --jq \'.[] | select(.role == "admin") | .id\'',
        },
        seeAlso: ['invites links create', 'invites links delete', 'members list'],
        output: { columns: linkColumns },
      }),
      command({
        use: 'create',
        endpoint: invites.createLink,
        description:
          'The link leads to the organization, or with --space or --collection to that object, where people who are not members become guests. Until you delete the link, everyone who knows its ID can join with "invites accept". No message is sent.',
        examples: {
          'Create a link to the organization for readers': 'docsctl invites links create --role read',
          'Create a link to a space and print its ID':
            'docsctl invites links create --role comment --space handbook0001 -o id',
        },
        exitStatuses: {
          4: 'you are not an administrator, or links are disabled (docsctl orgs edit --invite-links)',
          6: 'no such space or collection',
        },
        seeAlso: ['invites accept', 'invites links delete', 'invites send'],
        confirm: { question: 'Create a link that makes everyone who has it an administrator?', when: givesAdmin },
        flags: [
          { flags: '--role <word>', description: 'role or level of people who join with it', choices: roleWords },
          { flags: '--space <id>', description: 'space to invite to' },
          { flags: '--collection <id>', description: 'collection to invite to' },
        ],
        input: { body: linkBody, sources: { '/level': ['--role'] } },
        output: { columns: linkColumns },
      }),
      command({
        use: 'view <link>',
        endpoint: invites.viewLink,
        description:
          'Shows where the link leads and the role or level it gives. With -o json, includes the whole space or collection. The service does not record who joined with it.',
        examples: {
          'View a link': 'docsctl invites links view invite000001',
          'Print the space of a link': 'docsctl invites links view invite000002 --jq .space.title',
        },
        seeAlso: ['invites links edit', 'invites accept'],
        input: { params: link },
        output: { columns: linkColumns },
      }),
      command({
        use: 'edit <link...>',
        endpoint: invites.editLink,
        description:
          'Use --role for a link to the organization and --level for a link to a space or collection. People who already joined keep their access. You cannot change where a link leads.',
        examples: {
          'Let new people comment': 'docsctl invites links edit invite000001 --role comment',
          'Let new people edit the space': 'docsctl invites links edit invite000002 --level edit',
        },
        exitStatuses: { 6: '--role for a link to a space or collection, or --level for a link to the organization' },
        seeAlso: ['members edit', 'invites links delete'],
        input: { params: link },
        output: { columns: linkColumns },
        confirm: { question: 'Let the link {} make everyone who has it an administrator?', when: givesAdmin },
      }),
      command({
        use: 'delete <link...>',
        endpoint: invites.deleteLink,
        description:
          'The link stops working immediately and cannot be restored. People who joined with it keep their access; use "members remove" to remove them.',
        examples: {
          'Delete without confirmation': 'docsctl invites links delete invite000001 --yes',
          'Delete all links': 'docsctl invites links list -o id | docsctl invites links delete - --yes',
        },
        seeAlso: ['orgs edit', 'members remove'],
        input: { params: link },
        output: { done: 'Deleted {}.' },
        confirm: { question: 'Delete the invite link {}? People who joined with it stay.' },
      }),
    ],
  },
];
export default nodes;
