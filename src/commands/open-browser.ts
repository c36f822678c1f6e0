import { nearest } from '../cli/derive.ts';
import { exit } from '../cli/exit.ts';
import { CommandError, UsageError } from '../cli/failure.ts';
import { argument, type Invocation, print, scopeOf } from '../cli/invocation.ts';
import { visible } from '../cli/output/index.ts';
import type { Endpoint } from '../contract/endpoint.ts';

type Scope = 'org' | 'space' | 'site';

interface Resource {
  /** The path parameter of the id. */
  param: string;
  /** Where the id comes from when it is not given. */
  scope?: Scope;
  load(isOfRequest: boolean): Promise<Endpoint>;
}

const resources: Record<string, Resource> = {
  org: { param: 'orgId', scope: 'org', load: async () => (await import('../contract/orgs.ts')).orgs.view },
  space: { param: 'spaceId', scope: 'space', load: async () => (await import('../contract/spaces.ts')).spaces.view },
  site: { param: 'siteId', scope: 'site', load: async () => (await import('../contract/sites.ts')).sites.view },
  collection: {
    param: 'collectionId',
    load: async () => (await import('../contract/collections.ts')).collections.view,
  },
  cr: {
    param: 'changeRequestId',
    load: async () => (await import('../contract/changeRequests.ts')).changeRequests.view,
  },
  page: {
    param: 'pageId',
    load: async (isOfRequest) =>
      isOfRequest
        ? (await import('../contract/changeRequestContent.ts')).changeRequestContent.page
        : (await import('../contract/content.ts')).content.page,
  },
  openapi: { param: 'specSlug', load: async () => (await import('../contract/openapi.ts')).openapi.view },
};
const otherNames: Record<string, string> = { organization: 'org', 'change-request': 'cr' };

/** Opens the address of an object, or prints it. */
export async function openObject(invocation: Invocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const url = await addressOf(invocation);
  if (globals.dryRun) return io.note(`Would open ${url}.`);
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined)
    return print(invocation, { url });
  if (flags.print) return io.out.write(`${io.screen.terminal ? visible(url) : url}\n`);
  const reason = await reasonNotOpened(url, process.env);
  if (reason !== undefined)
    throw new CommandError(`No browser could be started: ${reason}.`, { hint: `Open it yourself: ${url}` });
  await io.note(`Opened ${url}`);
}

/** Starters that cannot do it end soon; others may run as long as the browser does. */
const patienceMs = 1000;

/** Starts the browser. @returns why that was not possible */
async function reasonNotOpened(url: string, env: Record<string, string | undefined>): Promise<string | undefined> {
  if (!hasDisplay(env)) return 'there is no display here (DISPLAY, WAYLAND_DISPLAY or BROWSER)';
  const { default: open } = await import('open');
  try {
    const started = await open(url);
    const status = await new Promise<number | null>((resolve) => {
      // Where the starter is waited for anyway.
      if (started.exitCode !== null) return resolve(started.exitCode);
      const timer = setTimeout(() => resolve(null), patienceMs);
      started.once('exit', (code) => {
        clearTimeout(timer);
        resolve(code);
      });
    });
    return status ? `${started.spawnfile} ended with status ${status}` : undefined;
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' && path !== undefined ? `${path} is not installed` : message;
  }
}

/** On Linux a browser needs one, or a variable that names a browser which does not. Windows below WSL has its own. */
const hasDisplay = (env: Record<string, string | undefined>) =>
  process.platform !== 'linux' ||
  ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name]));

async function addressOf(invocation: Invocation): Promise<string> {
  const { flags } = invocation;
  const name = argument(invocation, 'resource');
  const resource = resourceNamed(name);
  const endpoint = await resource.load(flags.cr !== undefined);
  const params = await paramsFor(invocation, resource, endpoint);
  const client = await invocation.client();
  const object = (await client.call(endpoint, { params } as never)) as { urls?: { app?: string; published?: string } };
  const url = flags.published ? object.urls?.published : (object.urls?.app ?? object.urls?.published);
  if (url === undefined) {
    throw new CommandError(`This ${name} ${flags.published ? 'is not published' : 'has no address of its own'}.`, {
      exitCode: exit.notFound,
      ...(flags.published ? { hint: 'Publish a site that shows it with "docsctl sites publish".' } : {}),
    });
  }
  // The address comes from the service: a browser must not be made to run it.
  if (/^https?:\/\//i.test(url)) return url;
  throw new CommandError(`The service gave an address that is neither http nor https: ${url}`);
}

function resourceNamed(word: string): Resource {
  const singular = word.toLowerCase().replace(/s$/, '');
  const found = resources[otherNames[singular] ?? singular] ?? resources[word];
  if (found) return found;
  const near = nearest(singular, Object.keys(resources));
  throw new UsageError(
    `There is no resource "${word}" that could be opened.`,
    near ? `Did you mean "${near}"?` : `There are: ${Object.keys(resources).join(', ')}.`,
  );
}

async function paramsFor(
  invocation: Invocation,
  { param, scope }: Resource,
  { path }: Endpoint,
): Promise<Record<string, string>> {
  const { args, flags } = invocation;
  const params: Record<string, string> = {};
  const scopes: Record<string, Scope> = { orgId: 'org', spaceId: 'space' };
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    if (name === param) {
      params[name] =
        typeof args.id === 'string' || !scope ? argument(invocation, 'id') : await scopeOf(invocation, scope);
    } else if (name === 'changeRequestId') params[name] = flags.cr;
    else params[name!] = await scopeOf(invocation, scopes[name!]!);
  }
  return params;
}
