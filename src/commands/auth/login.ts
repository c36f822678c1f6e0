import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { UsageError, failureOf, unauthenticated } from '../../cli/program/failure.ts';
import { openPrompt } from '../../cli/prompt/open-prompt.ts';
import { pickOptional } from '../../cli/prompt/pick-optional.ts';
import type { Choice, Prompt } from '../../cli/prompt/prompt.ts';
import { type Profile, updateConfig } from '../../cli/settings/config.ts';
import { credentialsFile, keepToken } from '../../cli/settings/credentials.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import type { Client } from '../../client/client.ts';
import type { Page } from '../../client/pages.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { orgs } from '../../contract/orgs.ts';
import { spaces } from '../../contract/spaces.ts';
import { users } from '../../contract/users.ts';
import { messageOf } from '../../shared/error-text.ts';
import { addressMissing, checkProfileName, isUnencrypted, normalizedAddress } from '../shared/profile-address.ts';
import type { LoginInvocation } from './options.ts';

type User = AnswerOf<typeof users.current>;

const localInstance = 'http://127.0.0.1:4000';
const maxAttempts = 3;

/** Signs in. Saves nothing until the service has accepted the token and all questions are answered. */
export async function login(invocation: LoginInvocation): Promise<void> {
  const { flags, globals, io, session } = invocation;
  if (!io.interactive && !flags.withToken) {
    throw new UsageError(
      'Without a terminal, the token must come from standard input.',
      'For example: docsctl auth login --with-token --url https://... < token.txt. Or set DOCSCTL_TOKEN and DOCSCTL_URL.',
    );
  }
  if (globals.profile !== undefined) checkProfileName(globals.profile);
  const prompt = io.interactive ? await openPrompt(invocation) : undefined;
  const url = await addressFor(invocation, prompt);
  const name = globals.profile ?? nameFor(url, session.config.profiles);
  if (globals.dryRun) return io.note(`Would sign in to ${url} and save the token in the profile "${name}".`);
  if (isUnencrypted(url)) await io.note(`The connection to ${url} is not encrypted: others can read the token.`);
  const { client, token, user } = await signIn(invocation, prompt, url);
  try {
    const current = session.config.profiles[name];
    const defaults = await chooseDefaults({ client, prompt }, flags, current?.url === url ? current : undefined);
    const credential =
      token === undefined ? undefined : await keepToken(name, token, { secureOnly: flags.secureOnly === true });
    await saveProfile(name, url, defaults);
    if (credential?.why !== undefined)
      await io.note(
        `No keyring is available (${credential.why}), so the token was saved in ${credentialsFile()} with mode 0600.`,
      );
    if (session.env.DOCSCTL_URL)
      await io.note('While DOCSCTL_URL is set, DOCSCTL_URL and DOCSCTL_TOKEN take precedence over this profile.');
    await print(invocation, {
      profile: name,
      url,
      user: user.displayName,
      email: user.email,
      organization: defaults.org?.title,
      space: defaults.space?.title,
      token: credential?.place ?? 'not needed',
    });
  } finally {
    await client.close();
  }
}

/** Saves the profile and makes it the current one. Keeps its site if the address is the same. */
function saveProfile(name: string, url: string, { org, space }: Defaults): Promise<void> {
  return updateConfig((config) => {
    const before = config.profiles[name];
    config.profiles[name] = {
      url,
      ...(org ? { org: org.value } : {}),
      ...(space ? { space: space.value } : {}),
      ...(before?.url === url && before.site ? { site: before.site } : {}),
      ...(before?.url === url && before.database ? { database: before.database } : {}),
    };
    config.current = name;
  });
}

async function addressFor({ flags, globals, session }: LoginInvocation, prompt: Prompt | undefined): Promise<string> {
  const { current = '', profiles } = session.config;
  const before = profiles[globals.profile ?? current]?.url;
  if (globals.url !== undefined) return normalizedAddress(globals.url);
  if (prompt && !flags.withToken) {
    return normalizedAddress(
      await prompt.input({
        message: 'Address of the service:',
        start: before ?? localInstance,
        check: problemWithAddress,
      }),
    );
  }
  if (before !== undefined) return before;
  throw addressMissing();
}

function problemWithAddress(text: string): string | undefined {
  try {
    normalizedAddress(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The profile with this address, or else a free name: "default", or the host. */
export function nameFor(url: string, profiles: Record<string, Profile>): string {
  const [existing] = Object.entries(profiles).find(([, profile]) => profile.url === url) ?? [];
  if (existing !== undefined) return existing;
  if (!profiles.default) return 'default';
  const host = url.startsWith('embedded:')
    ? 'local'
    : new URL(url).hostname.replace(/[^\p{L}\p{N}._-]/gu, '') || 'service';
  for (let number = 1; ; number++) {
    const name = number === 1 ? host : `${host}-${number}`;
    if (!profiles[name]) return name;
  }
}

interface SignedIn {
  client: Client;
  /** Undefined for a local instance. */
  token: string | undefined;
  user: User;
}

/** Returns a client after the service has accepted its token. @throws CommandError (status 3) if it refuses */
async function signIn(invocation: LoginInvocation, prompt: Prompt | undefined, url: string): Promise<SignedIn> {
  if (embeddedFile(url) !== undefined) return connect(invocation, url, undefined);
  for (let attempt = 1; ; attempt++) {
    const token = prompt ? await askToken(prompt, url) : tokenFromInput(invocation);
    try {
      return await connect(invocation, url, token);
    } catch (error) {
      if (failureOf(error).status !== 401) throw error;
      const message = `The service at ${url} refused the token.`;
      if (!prompt || attempt === maxAttempts) {
        throw unauthenticated(
          `${message} Nothing was saved.`,
          'Copy the whole token again. It may also have expired or been revoked.',
        );
      }
      await invocation.io.err.write(`${message} Copy the whole token again.\n`);
    }
  }
}

async function connect({ session }: Invocation, url: string, token: string | undefined): Promise<SignedIn> {
  const client = await session.clientFor(url, token);
  try {
    return { client, token, user: await client.call(users.current, {}) };
  } catch (error) {
    await client.close();
    throw error;
  }
}

const askToken = (prompt: Prompt, url: string): Promise<string> =>
  prompt.secret({
    message: `Token for ${url}:`,
    check(text) {
      if (text === '') return 'Paste the token.';
      return /[^\x21-\x7e]/.test(text) ? 'A token has no spaces or line breaks.' : undefined;
    },
  });

function tokenFromInput({ flags }: LoginInvocation): string {
  const token = flags.withToken ? fileText('-', '--with-token').trim() : '';
  if (token !== '') return token;
  throw new UsageError('No token on standard input.', 'For example: docsctl auth login --with-token < token.txt');
}

interface Defaults {
  org: Choice<string> | undefined;
  space: Choice<string> | undefined;
}

interface Source {
  client: Client;
  /** Undefined without a terminal. */
  prompt: Prompt | undefined;
  /** The ID in a flag. */
  flag: string | undefined;
  /** The previous default. */
  before: string | undefined;
}

/** Chooses the default organization and space of a profile: from flags, the previous defaults, or a prompt. */
async function chooseDefaults(
  { client, prompt }: Pick<Source, 'client' | 'prompt'>,
  flags: { org?: string | undefined; space?: string | undefined },
  before: Profile | undefined,
): Promise<Defaults> {
  const org = await chooseOrganization({ client, prompt, flag: flags.org, before: before?.org });
  const space = await chooseSpace({ client, prompt, flag: flags.space, before: before?.space }, org);
  return { org, space };
}

async function chooseOrganization(source: Source): Promise<Choice<string> | undefined> {
  const { client, prompt } = source;
  const org = await existing(source, (orgId) => client.call(orgs.view, { params: { orgId } }));
  if (org) return org;
  const { items, count } = await client.call(orgs.list, { query: { limit: 1 } });
  const [first] = items;
  if (count === 1 && first) return choiceOf(first);
  if (count === 0 || !prompt) return undefined;
  return pickOptional(prompt, 'Default organization:', noDefault, choices(client.pages(orgs.list, {}, page)));
}

async function chooseSpace(source: Source, org: Choice<string> | undefined): Promise<Choice<string> | undefined> {
  const { client, prompt } = source;
  const space = await existing(source, (spaceId) => client.call(spaces.view, { params: { spaceId } }));
  if (space) return space;
  if (!prompt || !org) return undefined;
  const params = { orgId: org.value };
  const { count } = await client.call(spaces.list, { params, query: { limit: 1 } });
  if (count === 0) return undefined;
  return pickOptional(prompt, 'Default space:', noDefault, choices(client.pages(spaces.list, { params }, page)));
}

const noDefault = 'pass it to each command, or set it later with "docsctl config set"';
const page = { pageSize: 50 };

interface Titled {
  id: string;
  title: string;
}

const choiceOf = ({ id, title }: Titled): Choice<string> => ({ value: id, title });

async function* choices(pages: AsyncIterable<Page<Titled>>) {
  for await (const { items } of pages) yield items.map(choiceOf);
}

/** The object in a flag, or the previous default if it still exists. */
async function existing(
  { flag, before }: Source,
  view: (id: string) => Promise<Titled>,
): Promise<Choice<string> | undefined> {
  const id = flag ?? before;
  if (id === undefined) return undefined;
  try {
    return choiceOf(await view(id));
  } catch (error) {
    const { status } = failureOf(error);
    if (flag !== undefined || (status !== 403 && status !== 404)) throw error;
    return undefined;
  }
}
