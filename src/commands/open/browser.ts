import { nearest } from '../../shared/suggest.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { argument, type Invocation, print, scopeOf } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { groupOf, loadGroup } from '../../contract/groups.ts';
import { objectNamedBy, type ObjectKind, objects } from '../../contract/objects.ts';
import type { ScopeName } from '../../cli/command/command.ts';

type Kind = ObjectKind & { open: NonNullable<ObjectKind['open']> };

/** What can be opened, with its path parameter. */
const kinds: readonly (readonly [param: string, Kind])[] = Object.entries(objects).flatMap(([param, kind]) =>
  'open' in kind ? [[param, kind] as const] : [],
);
const words = kinds.map(([, { open }]) => open.words[0]!);

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
const timeoutMs = 1000;

/** Starts the browser. @returns why that was not possible */
async function reasonNotOpened(url: string, env: Record<string, string | undefined>): Promise<string | undefined> {
  if (!hasDisplay(env)) return 'there is no display here (DISPLAY, WAYLAND_DISPLAY or BROWSER)';
  const { default: open } = await import('open');
  try {
    const started = await open(url);
    const status = await new Promise<number | null>((resolve) => {
      // Where the starter is waited for anyway.
      if (started.exitCode !== null) return resolve(started.exitCode);
      const timer = setTimeout(() => resolve(null), timeoutMs);
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
  const [param, { open, scope }] = kindNamed(name);
  const path = (flags.cr === undefined ? undefined : open.inChangeRequest) ?? open.view;
  const endpoint = await endpointAt(path);
  const params = await paramsFor(invocation, { param, scope }, endpoint);
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

/** The endpoint that shows one object, by its path. */
async function endpointAt(path: string): Promise<Endpoint> {
  const group = groupOf(path.split('/').slice(2));
  const found = group
    ? Object.values(await loadGroup(group)).find((endpoint) => endpoint.method === 'GET' && endpoint.path === path)
    : undefined;
  if (found) return found;
  throw new Error(`No endpoint answers GET ${path}.`);
}

function kindNamed(word: string): readonly [param: string, Kind] {
  const singular = word.toLowerCase().replace(/s$/, '');
  const found = kinds.find(([, { open }]) => open.words.includes(singular) || open.words.includes(word));
  if (found) return found;
  const near = nearest(singular, words);
  throw new UsageError(
    `There is no resource "${word}" that could be opened.`,
    near ? `Did you mean "${near}"?` : `There are: ${words.join(', ')}.`,
  );
}

async function paramsFor(
  invocation: Invocation,
  { param, scope }: { param: string; scope: ScopeName | undefined },
  { path }: Endpoint,
): Promise<Record<string, string>> {
  const { args, flags } = invocation;
  const params: Record<string, string> = {};
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    if (name === param) {
      params[name] =
        typeof args.id === 'string' || !scope ? argument(invocation, 'id') : await scopeOf(invocation, scope);
    } else if (name === 'changeRequestId') params[name] = flags.cr!;
    else {
      const holder = objectNamedBy(name!)?.scope;
      if (holder) params[name!] = await scopeOf(invocation, holder);
    }
  }
  return params;
}
