import { existsSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { CommandError } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { confirmQuestion, permanentText } from '../../cli/command/confirm/questions.ts';
import { invites } from '../../contract/invites.ts';
import { openPrompt } from '../../cli/prompt/open-prompt.ts';
import type { Prompt } from '../../cli/prompt/prompt.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { orgs } from '../../contract/orgs.ts';
import { sso } from '../../contract/sso.ts';
import { findMembersNamed, keyOf } from '../../client/find-members.ts';
import { isAddress, readPeopleFile } from '../../people/people-file.ts';
import { addressesIn, commandFor, fileShape, type People, type SendInvocation } from './people.ts';
import { type Choices, invite } from './invite.ts';
import { meaningOf, roleChoices, roleOf, wordOf } from '../../people/roles.ts';

type Organization = AnswerOf<typeof orgs.view>;

interface Answers {
  people: People;
  /** The file that the people come from. */
  file?: string;
}

/** Asks for the people, their role and whether they sign in through SSO. Sends nothing before the last answer. */
export async function inviteByWizard(invocation: SendInvocation): Promise<void> {
  const { flags, io } = invocation;
  const prompt = await openPrompt(invocation);
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const organization = await client.call(orgs.view, { params: { orgId } });
  const answers = await whom(prompt, client, orgId);
  const word = flags.role ?? (await asWhat(prompt, organization));
  const withSso = flags.sso ?? (await isWithSso(invocation, prompt, client, organization, answers.people));
  const { updateRoles, result } = flags;
  const choices: Choices = {
    role: word === '' ? undefined : roleOf(word),
    sso: withSso || undefined,
    updateRoles,
    result,
  };
  await summarize(invocation, organization, answers.people, word, withSso);
  await confirmQuestion(invocation, `Send the invites?${await permanentText({ endpoint: invites.send })}`, true);
  const command = commandFor(invocation, {
    addresses: answers.file === undefined ? answers.people.rows.map(({ name }) => name) : [],
    from: answers.file,
    role: word || undefined,
    sso: withSso,
    org: orgId,
  });
  await io.note('');
  await invite(invocation, orgId, answers.people, choices, command);
}

async function whom(prompt: Prompt, client: Client, orgId: string): Promise<Answers> {
  const source = await prompt.select({
    message: 'Who do you want to invite?',
    choices: [
      { value: 'typed', title: 'Type or paste addresses' },
      { value: 'file', title: 'Read a CSV file', note: 'with the columns email, role, sso' },
    ],
    start: 'typed',
  });
  return source === 'file' ? fromFile(prompt) : { people: await typed(prompt, client, orgId) };
}

async function fromFile(prompt: Prompt): Promise<Answers> {
  const file = await prompt.input({
    message: 'Path of the file:',
    check: (path) => {
      if (!existsSync(path)) return `There is no file ${path}.`;
      try {
        readPeopleFile(fileText(path), path, fileShape);
        return undefined;
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        return `${error.message} ${error.hint ?? ''}`;
      }
    },
  });
  return { people: readPeopleFile(fileText(file), file, fileShape), file };
}

/** Reads addresses from the terminal, and reports on each immediately. */
async function typed(prompt: Prompt, client: Client, orgId: string): Promise<People> {
  const people = new Map<string, string>();
  const take = async (line: string) => {
    const emails = addressesIn(line);
    const members = await findMembersNamed(client, orgId, emails.filter(isAddress));
    return emails.map((email) => {
      const key = keyOf(email);
      const member = members.get(key);
      if (!isAddress(email)) return `! ${email} is not an email address and was skipped`;
      if (people.has(key)) return `= ${email} is already in the list`;
      if (member) return `= ${email} is already a member (${wordOf(member.role)}) and was skipped`;
      people.set(key, email);
      return `+ ${email}`;
    });
  };
  await prompt.lines({ message: 'Email addresses, one or more per line; an empty line ends the list:', take });
  while (people.size === 0)
    await prompt.lines({ message: 'No addresses to invite yet. Enter more, or press Ctrl-C:', take });
  return { rows: [...people.values()].map((name) => ({ name })), rejected: [] };
}

/** A role; empty for the organization's default. */
function asWhat(prompt: Prompt, { defaultRole }: Organization): Promise<string> {
  const word = defaultRole === undefined ? 'guest' : wordOf(defaultRole);
  return prompt.select({
    message: 'What may they do?',
    choices: [{ value: '', title: `the organization's default (${word})`, note: meaningOf(word) }, ...roleChoices],
    start: '',
  });
}

/** Asks only if the organization has an SSO provider. */
async function isWithSso(
  { io }: Invocation,
  prompt: Prompt,
  client: Client,
  { id, emailDomains }: Organization,
  { rows }: People,
): Promise<boolean> {
  const { items } = await client.call(sso.logins, { params: { orgId: id } });
  if (items.length === 0) return false;
  const answer = await prompt.confirm({
    message: `Will they sign in through SSO (${items.map(({ label }) => label).join(', ')})?`,
    start: false,
  });
  const domains = new Set(emailDomains.map(keyOf));
  const outside = rows
    .map(({ name }) => name)
    .filter((email) => !domains.has(keyOf(email.slice(email.lastIndexOf('@') + 1))));
  if (answer && outside.length > 0) {
    await io.note(
      `These addresses will be refused, because they are not in the organization's email domains (${emailDomains.join(', ') || 'none'}): ${outside.join(', ')}`,
    );
  }
  return answer;
}

async function summarize(
  { io }: Invocation,
  { title }: Organization,
  { rows, rejected }: People,
  word: string,
  withSso: boolean,
): Promise<void> {
  const withRole = rows.filter(({ role }) => role !== undefined).length;
  await io.err.write('\n');
  const lines = [
    `Organization:  ${title}`,
    `People:        ${rows.length}`,
    ...(rejected.length > 0 ? [`Skipped:       ${rejected.length}, listed at the end`] : []),
    `Role:          ${word === '' ? "the organization's default" : word}${withRole > 0 ? `; ${withRole} with their own` : ''}`,
    `SSO:           ${withSso ? 'yes' : 'no'}`,
  ];
  const { visible } = await import('../../cli/output/index.ts');
  for (const line of lines) await io.err.write(`${visible(line)}\n`);
}
