import { UsageError } from '../../cli/program/failure.ts';
import type { Fields, Invocation, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { invites } from '../../contract/invites.ts';
import { roleChoices, roleOf, roleWords } from '../shared/roles.ts';
import { linkColumns, resultColumns } from './columns.ts';

const link = { link: 'inviteId' };

/** Whether a link makes administrators: of the organization, a space or a collection. */
const givesAdmin = ({ role, level }: Fields) => role === 'admin' || level === 'admin';

/** What a new link gives, and where. */
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
      '--data says where the link leads, so the role stands in it too.',
      'Put it there: as "role" for the organization, as "level" for a space or a collection.',
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
  return prompt.select({ message: 'What may people do who join with the link?', choices: roleChoices, start: 'read' });
}

const nodes: Node[] = [
  command({
    use: 'send [email...]',
    help: {
      summary: 'Invite people by e-mail; they become members immediately.',
      description: `Without an address in a terminal it asks for everything. Members already there are left alone, so it can be run again: only what is missing is sent. Where a member has another role than the one that is asked for, the result says so, and the status is 8; --update-roles changes the role.

A file for --from is CSV with the columns email, role and sso in any order; others are ignored. Without a header, they are in this order. Every row is checked before the first request. Rows that are not good are listed with their line, and the rest is sent. --result writes the same rows with result and reason: correct that file, and use it for --from to do only what is left. Administrators are counted and confirmed.`,
      examples: [
        { run: 'docsctl invites send ada@lumen.example --role edit', does: 'One person' },
        {
          run: 'docsctl invites send --from people.csv',
          does: 'Everybody in a file; run it again after correcting the file',
        },
        { run: 'docsctl invites send --from people.csv --dry-run', does: 'Check the file and show what would be sent' },
        {
          run: 'docsctl invites send --from people.csv --update-roles --result done.csv',
          does: 'Change the roles of members too, and write down what became of each row',
        },
      ],
      exitStatuses: {
        2: 'no address, no such file, or no valid row in it',
        4: 'only administrators of the organization have access',
        8: 'some were not invited, or have another role: the table says why',
      },
      seeAlso: ['members list', 'sso setup', 'invites links create'],
    },
    input: {
      context: ['org'],
      flags: [
        { flags: '--from <file>', description: 'read people from a CSV file; - for standard input' },
        {
          flags: '--role <word>',
          description: "role of people without their own role (default: the organization's default role)",
          choices: roleWords,
        },
        { flags: '--sso', description: "invite as SSO users: only addresses of the organization's e-mail domains" },
        { flags: '--no-sso', description: 'invite without SSO (the default)' },
        { flags: '--update-roles', description: 'give members the role that is asked for' },
        { flags: '--result <file>', description: 'write a CSV file with what became of each row' },
      ],
      sources: { '/emails': ['<email>', '--from'] },
    },
    output: {
      columns: resultColumns,
    },
    self: 'own',
    writesFilesWith: ['result'],
    run: async (invocation) => (await import('./send.ts')).send(invocation),
  }),
  command({
    use: 'accept <invite>',
    endpoint: invites.accept,
    help: {
      description:
        'You join as the user you are signed in as. A link to the organization gives its role; one to a space or collection makes you a guest and gives its level there. Access is never reduced: a link that gives less than you have changes nothing. --org is the organization of the link, since you are not a member yet.',
      examples: [
        { run: 'docsctl invites accept invite000001', does: 'Join the organization of the context' },
        {
          run: 'docsctl invites accept invite000001 --org "$(docsctl orgs by-domain lumen.example -o id)"',
          does: 'Join the one of an e-mail domain',
        },
      ],
      exitStatuses: { 4: 'invite links are turned off there', 5: 'the organization has no such invite' },
      seeAlso: ['invites links list', 'orgs by-domain', 'whoami'],
    },
    output: {
      done: 'You have joined with the invite {}.',
    },
  }),
  {
    name: 'links',
    summary: 'links to join an organization, a space or a collection',
    children: [
      command({
        use: 'list',
        endpoint: invites.listLinks,
        help: {
          description:
            'Newest first: links to the organization, to spaces and to collections. Links do not expire. A redundant link gives nothing that you do not have already. Who joined with a link is not recorded; see "members list".',
          examples: [
            { run: 'docsctl invites links list', does: 'All links' },
            {
              run: 'docsctl invites links list --jq \'.[] | select(.role == "admin") | .id\'',
              does: 'Links that make administrators',
            },
          ],
          seeAlso: ['invites links create', 'invites links delete', 'members list'],
        },
        output: {
          columns: linkColumns,
        },
      }),
      command({
        use: 'create',
        endpoint: invites.createLink,
        help: {
          description:
            'The link is for the organization; with --space or --collection, for that object: people who are not members become guests. Until the link is deleted, everybody who has its id can join with "invites accept". No message is sent.',
          examples: [
            { run: 'docsctl invites links create --role read', does: 'A link that makes readers of the organization' },
            {
              run: 'docsctl invites links create --role comment --space handbook0001 -o id',
              does: 'To one space; print the id alone, to give it to others',
            },
          ],
          exitStatuses: {
            4: 'you are not an administrator, or links are disabled (docsctl orgs edit --invite-links)',
            6: 'there is no such space or collection',
          },
          seeAlso: ['invites accept', 'invites links delete', 'invites send'],
        },
        confirm: { question: 'Create a link that makes everybody who has it an administrator?', when: givesAdmin },
        input: {
          flags: [
            { flags: '--role <word>', description: 'role or level of the people who join with it', choices: roleWords },
            { flags: '--space <id>', description: 'space to invite to' },
            { flags: '--collection <id>', description: 'collection to invite to' },
          ],
          body: linkBody,
          sources: { '/level': ['--role'] },
        },
        output: {
          columns: linkColumns,
        },
      }),
      command({
        use: 'view <link>',
        endpoint: invites.viewLink,
        help: {
          description:
            'Shows the role or level that it gives, and where. -o json also has the whole space or collection. Who joined with it is not recorded.',
          examples: [
            { run: 'docsctl invites links view invite000001', does: 'What a link gives' },
            { run: 'docsctl invites links view invite000002 --jq .space.title', does: 'Which space one leads to' },
          ],
          seeAlso: ['invites links edit', 'invites accept'],
        },
        input: {
          params: link,
        },
        output: {
          columns: linkColumns,
        },
      }),
      command({
        use: 'edit <link...>',
        endpoint: invites.editLink,
        help: {
          description:
            '--role is for a link to the organization, --level for one to a space or collection. It counts for those who join from now on: who joined before keeps what they got. Where a link leads cannot change.',
          examples: [
            {
              run: 'docsctl invites links edit invite000001 --role comment',
              does: 'Let those who join from now on comment',
            },
            {
              run: 'docsctl invites links edit invite000002 --level edit',
              does: 'A link to a space: let them edit there',
            },
          ],
          exitStatuses: { 6: '--role for a link to a space or collection, or --level for another' },
          seeAlso: ['members edit', 'invites links delete'],
        },
        input: {
          params: link,
        },
        output: {
          columns: linkColumns,
        },
        confirm: { question: 'Let the link {} make everybody who has it an administrator?', when: givesAdmin },
      }),
      command({
        use: 'delete <link...>',
        endpoint: invites.deleteLink,
        help: {
          description:
            'The link stops working immediately and cannot be restored. People who joined with it keep their access; see "members remove".',
          examples: [
            { run: 'docsctl invites links delete invite000001 --yes', does: 'Delete one without confirmation' },
            {
              run: 'docsctl invites links list -o id | docsctl invites links delete - --yes',
              does: 'Delete all of them',
            },
          ],
          seeAlso: ['orgs edit', 'members remove'],
        },
        input: {
          params: link,
        },
        output: {
          done: 'Deleted {}.',
        },
        confirm: { question: 'Delete the invite link {}? People who joined with it stay.' },
      }),
    ],
  },
];
export default nodes;
