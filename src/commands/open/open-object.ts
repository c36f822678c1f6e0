import { paramNames } from '../../contract/path.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { argument, print, scopeOf } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { valueAt } from '../../shared/value-at.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { groupOf, loadGroup } from '../../contract/groups.ts';
import { objectNamedBy, type ObjectKind, objects, type ScopeName, viewPathOf } from '../../contract/objects.ts';
import { appLinkPath, appPath, instanceHeader, signInPath } from '../../contract/instance.ts';
import { users } from '../../contract/users.ts';
import type { Client } from '../../client/client.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { nearest } from '../../shared/suggest.ts';
import { openInBrowser } from '../shared/browser.ts';

type OpenInvocation = Invocation<
  { resource?: string | undefined; id?: string | undefined },
  { published?: boolean | undefined; print?: boolean | undefined }
>;

type Kind = ObjectKind & { open: NonNullable<ObjectKind['open']> };

/** The kinds of objects that can be opened, by path parameter. */
const kinds: readonly (readonly [param: string, Kind])[] = Object.entries(objects).flatMap(([param, kind]) =>
  'open' in kind ? [[param, kind] as const] : [],
);
const words = kinds.flatMap(([, { open }]) => open.words.slice(0, 1));

/** Opens the address of an object, or prints it. */
export async function openObject(invocation: OpenInvocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const url = await addressOf(invocation);
  if (globals.dryRun) return io.note(`Would open ${url}.`);
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined)
    return print(invocation, { url });
  if (flags.print) return io.out.write(`${io.screen.terminal ? visible(url) : url}\n`);
  const signedIn = flags.published ? url : ((await signInLink(await invocation.client(), url)) ?? url);
  const reason = await openInBrowser(signedIn, process.env);
  if (reason !== undefined) {
    const note = signedIn === url ? '' : ' (within a minute; it signs you in, once)';
    throw new CommandError(`No browser could be started: ${reason}.`, { hint: `Open it yourself${note}: ${signedIn}` });
  }
  await io.note(`Opened ${url}`);
}

/** A link that signs the browser in, once. @returns undefined if the service is not an instance with the application */
async function signInLink(client: Client, url: string): Promise<string | undefined> {
  const { origin, pathname } = new URL(url);
  const start = pathname.indexOf('/o/');
  const to = pathname.slice(start);
  if (start < 0 || !appPath.test(to) || !(await isInstance(client))) return undefined;
  const { hash, randomBytes } = await import('node:crypto');
  const code = randomBytes(32).toString('base64url');
  const query = { hash: hash('sha256', code) };
  const answer = await client.request('POST', appLinkPath, { query, unrecorded: true }).catch(undefinedIfMissing);
  return answer && `${origin}${pathname.slice(0, start)}${signInPath}?${new URLSearchParams({ code, to })}`;
}

/** Other services get no request that they do not know. */
async function isInstance(client: Client): Promise<boolean> {
  let version: string | undefined;
  await client.call(users.current, { onHeaders: (headers) => (version = headers[instanceHeader]) });
  return version !== undefined;
}

async function addressOf(invocation: OpenInvocation): Promise<string> {
  const { flags } = invocation;
  const { resource = 'org' } = invocation.args;
  const [param, kind] = kindNamed(resource);
  const { open, scope } = kind;
  const path = (flags.cr === undefined ? undefined : open.inChangeRequest) ?? viewPathOf(param, kind);
  const endpoint = await endpointAt(path);
  const params = await paramsFor(invocation, { param, scope }, endpoint);
  const client = await invocation.client();
  const object = await client.call(endpoint, { params, query: {}, body: undefined });
  const published = valueAt(object, 'urls.published');
  const url = flags.published ? published : (valueAt(object, 'urls.app') ?? published);
  if (typeof url !== 'string') {
    throw new CommandError(`This ${resource} ${flags.published ? 'is not published' : 'has no address'}.`, {
      exitCode: exit.notFound,
      ...(flags.published ? { hint: 'Publish a site that shows it with "docsctl sites publish".' } : {}),
    });
  }
  // The service could return an address that makes the browser run a program.
  if (/^https?:\/\/[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/iu.test(url) && URL.canParse(url)) return url;
  const problem = /^https?:\/\//i.test(url) ? 'cannot be opened' : 'is neither http nor https';
  throw new CommandError(`The service returned an address that ${problem}: ${visible(url)}`);
}

/** The endpoint that returns the object with this path. */
async function endpointAt(path: string): Promise<Endpoint> {
  const group = groupOf(path.split('/').slice(2));
  const endpoints = group ? Object.values(await loadGroup(group)) : [];
  const endpoint = endpoints.find((each) => each.method === 'GET' && each.path === path);
  if (endpoint) return endpoint;
  throw new Error(`No endpoint answers GET ${path}.`);
}

function kindNamed(word: string): readonly [param: string, Kind] {
  const singular = word.toLowerCase().replace(/s$/, '');
  const kind = kinds.find(([, { open }]) => open.words.includes(singular) || open.words.includes(word));
  if (kind) return kind;
  const near = nearest(singular, words);
  throw new UsageError(
    `"${word}" is not a resource that can be opened.`,
    near ? `Did you mean "${near}"?` : `There are: ${words.join(', ')}.`,
  );
}

async function paramsFor(
  invocation: OpenInvocation,
  { param, scope }: { param: string; scope: ScopeName | undefined },
  { path }: Endpoint,
): Promise<Record<string, string>> {
  const { args, flags } = invocation;
  const params: Record<string, string> = {};
  for (const name of paramNames(path)) {
    const holder = objectNamedBy(name)?.scope;
    if (name === param) {
      const isFromContext = args.id === undefined && scope !== undefined;
      params[name] = isFromContext ? await scopeOf(invocation, scope) : argument(invocation, 'id');
    } else if (name === 'changeRequestId' && flags.cr !== undefined) params[name] = flags.cr;
    else if (holder) params[name] = await scopeOf(invocation, holder);
  }
  return params;
}
