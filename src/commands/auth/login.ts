import type { Client } from '../../client/client.ts';
import { type Profile, updateConfig } from '../../cli/settings/config.ts';
import { credentialsFile, forgetToken, keepToken, placeOfToken } from '../../cli/settings/credentials.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { fileText, type Invocation, print } from '../../cli/command/invocation.ts';
import { pickOptional } from '../../cli/prompt/pick-optional.ts';
import { openPrompt } from '../../cli/prompt/open-prompt.ts';
import type { Choice, Prompt } from '../../cli/prompt/prompt.ts';
import { profileNamed } from '../../cli/settings/profile.ts';
import { embeddedFile } from '../../cli/settings/session.ts';
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts';
import { orgs } from '../../contract/orgs.ts';
import { spaces } from '../../contract/spaces.ts';
import { users } from '../../contract/users.ts';
import { checkProfileName, normalized } from '../profiles/address.ts';

type User = AnswerOf<typeof users.current>;

const localInstance = 'http://127.0.0.1:4000';
const attempts = 3;
const unset = 'name it each time, or set it later with "docsctl config set"';

/** Signs in: nothing is kept before the service has accepted the token and every question is answered. */
export async function login(invocation: Invocation): Promise<void> {
  const { flags, globals, io, session } = invocation;
  if (!io.interactive && !flags.withToken) {
    throw new UsageError(
      'Nobody can be asked for a token here.',
      'Give it on standard input: docsctl auth login --with-token --url https://... < token.txt. Or set DOCSCTL_TOKEN and DOCSCTL_URL.',
    );
  }
  if (globals.profile !== undefined) checkProfileName(globals.profile);
  const prompt = io.interactive ? await openPrompt(invocation) : undefined;
  const url = await addressFor(invocation, prompt);
  const name = globals.profile ?? nameFor(url, session.config.profiles);
  if (globals.dryRun) return io.note(`Would sign in to ${url} and keep the token in the profile "${name}".`);
  if (isPlainHttp(url)) await io.note(`${url} is not encrypted: the token can be read on its way there.`);
  const { client, token, user } = await signedIn(invocation, prompt, url);
  try {
    const defaults = await defaultsFor(invocation, prompt, client, name, url);
    const kept =
      token === undefined ? undefined : await keepToken(name, token, { secureOnly: flags.secureOnly === true });
    await updateConfig((config) => {
      config.profiles[name] = {
        url,
        ...(defaults.org ? { org: defaults.org.value } : {}),
        ...(defaults.space ? { space: defaults.space.value } : {}),
        ...(config.profiles[name]?.url === url && config.profiles[name].site
          ? { site: config.profiles[name].site }
          : {}),
      };
      config.current = name;
    });
    if (kept?.why !== undefined)
      await io.note(`There is no keyring here (${kept.why}): the token is in ${credentialsFile()}, with mode 0600.`);
    if (process.env.DOCSCTL_URL)
      await io.note('DOCSCTL_URL and DOCSCTL_TOKEN go before this profile as long as DOCSCTL_URL is set.');
    await print(invocation, {
      profile: name,
      url,
      user: user.displayName,
      email: user.email,
      organization: defaults.org?.title,
      space: defaults.space?.title,
      token: kept?.place ?? 'not needed',
    });
  } finally {
    await client.close();
  }
}

async function addressFor(invocation: Invocation, prompt: Prompt | undefined): Promise<string> {
  const { globals, session } = invocation;
  const { current = '', profiles } = session.config;
  const before = profiles[globals.profile ?? current]?.url;
  if (globals.url !== undefined) return normalized(globals.url);
  if (prompt && !invocation.flags.withToken) {
    return normalized(
      await prompt.input({
        message: 'Address of the service:',
        start: before ?? localInstance,
        check: (text) => faultOf(() => normalized(text)),
      }),
    );
  }
  if (before !== undefined) return before;
  throw new UsageError('Which service? No address is given.', 'Give --url https://...');
}

function faultOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const isPlainHttp = (url: string) =>
  url.startsWith('http:') && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

/** The profile that has this address already, else a free name: "default", or the host. */
function nameFor(url: string, profiles: Record<string, Profile>): string {
  const known = Object.keys(profiles).find((name) => profiles[name]!.url === url);
  if (known !== undefined) return known;
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
  /** Undefined where none is needed. */
  token: string | undefined;
  user: User;
}

/** A client whose token the service has accepted. @throws CommandError (status 3) where it does not */
async function signedIn(invocation: Invocation, prompt: Prompt | undefined, url: string): Promise<SignedIn> {
  if (embeddedFile(url) !== undefined) return connect(invocation, url, undefined);
  for (let attempt = 1; ; attempt++) {
    const token = await tokenFor(invocation, prompt, url);
    try {
      return await connect(invocation, url, token);
    } catch (error) {
      if ((error as { status?: number }).status !== 401) throw error;
      const refused = `The service at ${url} refused the token.`;
      if (!prompt || attempt === attempts) {
        throw new CommandError(`${refused} Nothing was kept.`, {
          exitCode: exit.unauthenticated,
          hint: 'Copy it again, whole. It may also have expired or been revoked.',
        });
      }
      await invocation.io.err.write(`${refused} Copy it again, whole.\n`);
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

async function tokenFor({ flags }: Invocation, prompt: Prompt | undefined, url: string): Promise<string> {
  if (prompt)
    return prompt.secret({
      message: `Token for ${url}:`,
      check: (text) =>
        text === ''
          ? 'Paste the token.'
          : /[^\x21-\x7e]/.test(text)
            ? 'A token has no spaces or line breaks.'
            : undefined,
    });
  const token = flags.withToken ? fileText('-', '--with-token').trim() : '';
  if (token !== '') return token;
  throw new UsageError(
    'There is no token on standard input.',
    'Write it there: docsctl auth login --with-token < token.txt',
  );
}

interface Defaults {
  org?: Choice<string> | undefined;
  space?: Choice<string> | undefined;
}

/** The organization and space that are meant where none is named. */
async function defaultsFor(
  invocation: Invocation,
  prompt: Prompt | undefined,
  client: Client,
  name: string,
  url: string,
): Promise<Defaults> {
  const { flags, session } = invocation;
  const known = session.config.profiles[name];
  const before = known?.url === url ? known : undefined;
  const org = await orgFor(flags.org ?? before?.org, flags.org !== undefined, prompt, client);
  const space = await spaceFor(flags.space ?? before?.space, flags.space !== undefined, prompt, client, org);
  return { org, space };
}

const titled = (item: { id: string; title: string }): Choice<string> => ({ value: item.id, title: item.title });

async function orgFor(id: string | undefined, isAsked: boolean, prompt: Prompt | undefined, client: Client) {
  if (id !== undefined) {
    const found = await seen(isAsked, () => client.call(orgs.view, { params: { orgId: id } }));
    if (found) return titled(found);
  }
  const { items, count } = await client.call(orgs.list, { query: { limit: 1 } });
  if (count === 1) return titled(items[0]!);
  if (count === 0 || !prompt) return undefined;
  return pickOptional(prompt, 'Default organization:', unset, pagesOf(client, orgs.list, {}));
}

async function spaceFor(
  id: string | undefined,
  isAsked: boolean,
  prompt: Prompt | undefined,
  client: Client,
  org: Choice<string> | undefined,
) {
  if (id !== undefined) {
    const found = await seen(isAsked, () => client.call(spaces.view, { params: { spaceId: id } }));
    if (found) return titled(found);
  }
  if (!prompt || !org) return undefined;
  const params = { orgId: org.value };
  const { count } = await client.call(spaces.list, { params, query: { limit: 1 } });
  return count === 0 ? undefined : pickOptional(prompt, 'Default space:', unset, pagesOf(client, spaces.list, params));
}

/** A default of before that is not there any more is forgotten; one that was asked for must be there. */
async function seen<T>(isAsked: boolean, view: () => Promise<T>): Promise<T | undefined> {
  try {
    return await view();
  } catch (error) {
    if (isAsked || ![403, 404].includes((error as { status?: number }).status ?? 0)) throw error;
    return undefined;
  }
}

async function* pagesOf(client: Client, endpoint: Endpoint, params: Record<string, string>) {
  for await (const { items } of client.pages(endpoint, { params } as never, { pageSize: 50 }))
    yield (items as { id: string; title: string }[]).map(titled);
}

/** Forgets tokens wherever they lie. */
export async function logout(invocation: Invocation): Promise<void> {
  const { flags, globals, io, session } = invocation;
  const names = flags.all ? Object.keys(session.config.profiles) : [await profileInUse(invocation)];
  for (const name of names) {
    if (globals.dryRun) {
      await io.note(`Would forget the token of the profile "${name}" (${placeOfToken(name) ?? 'there is none'}).`);
      continue;
    }
    const wasThere = await forgetToken(name);
    await io.note(
      wasThere
        ? `The token of the profile "${name}" is forgotten here. It stays valid until the service revokes it.`
        : `There was no token of the profile "${name}".`,
    );
  }
  if (process.env.DOCSCTL_TOKEN) await io.note('DOCSCTL_TOKEN is still set.');
}

async function profileInUse({ session }: Invocation): Promise<string> {
  const name = await session.profileInUse();
  if (name === undefined)
    throw new CommandError('No profile is in use.', {
      exitCode: exit.unauthenticated,
      hint: 'Name one with --profile.',
    });
  profileNamed(session.config.profiles, name.value, name.source);
  return name.value;
}

/** Prints the token in use, for other programs. */
export async function token(invocation: Invocation): Promise<void> {
  const { session, globals, io } = invocation;
  const found = await session.token();
  if (!found) {
    const address = await session.address();
    if (embeddedFile(address.value) === undefined) throw session.tokenMissing(address);
    throw new CommandError(`${address.value} is in this process and has no token.`, {
      exitCode: exit.unauthenticated,
      hint: 'None is needed there. For other programs, start "docsctl serve" and make one with "docsctl serve token create".',
    });
  }
  if (globals.output !== undefined || globals.jq !== undefined) return print(invocation, { token: found.value });
  await io.out.write(`${found.value}\n`);
}
