import { createHash, randomBytes } from 'node:crypto';
import { LazyApp } from '../../src/app/lazy-app.ts';
import { listen } from '../../src/server/http/listen.ts';
import { Sessions } from '../../src/server/http/sign-in.ts';
import type { InstanceOptions } from '../../src/server/open-instance.ts';
import { openTestInstance, type TestInstance } from './instance.ts';

/** An answer to a browser. */
export interface Seen {
  status: number;
  headers: Headers;
  html: string;
}

/** A browser without scripts: it keeps cookies, and sends forms with the token in them. */
export interface Browser {
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
  /** Sends the form with this action on the page, with its hidden fields. */
  submit(page: Seen, action: string, fields?: Record<string, string>): Promise<Seen>;
  post(
    path: string,
    fields: Record<string, string> | [string, string][],
    headers?: Record<string, string>,
  ): Promise<Seen>;
  cookie: string | undefined;
}

export interface AppService extends TestInstance {
  url: string;
  /** Errors that the application did not expect. */
  errors: unknown[];
  browser(): Browser;
  /** A browser that is signed in as this user. */
  signedIn(user: string): Promise<Browser>;
  /** The path of a one-time link. */
  linkFor(user: string, to?: string): Promise<string>;
  close(): Promise<void>;
}

/** A service with the application, over HTTP. */
export async function openApp(options: Partial<InstanceOptions> = {}): Promise<AppService> {
  const service = await openTestInstance(options);
  const { instance } = service;
  const errors: unknown[] = [];
  const port = { instance, sessions: new Sessions(instance), onError: (error: unknown) => void errors.push(error) };
  const app = new LazyApp(async () => port);
  const listening = await listen(instance, { host: '127.0.0.1', port: 0, app });
  instance.base = listening.url;
  const { url } = listening;
  const linkFor = async (user: string, to = '/'): Promise<string> => {
    const code = randomBytes(16).toString('hex');
    const query = new URLSearchParams({ hash: createHash('sha256').update(code).digest('hex') });
    const { status } = await instance.handle({
      method: 'POST',
      path: '/_instance/sign-in-links',
      query,
      headers: {},
      as: user,
    });
    if (status !== 204) throw new Error(`No link: ${status}.`);
    return `/sign-in?${new URLSearchParams({ code, to })}`;
  };
  return {
    ...service,
    url,
    errors,
    linkFor,
    browser: () => browserAt(url),
    async signedIn(user) {
      const browser = browserAt(url);
      await browser.get(await linkFor(user));
      return browser;
    },
    async close() {
      await listening.stop();
      await service.close();
    },
  };
}

function browserAt(url: string): Browser {
  const send = async (path: string, init: RequestInit): Promise<Seen> => {
    const headers = { accept: 'text/html', ...(browser.cookie && { cookie: browser.cookie }), ...init.headers };
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) browser.cookie = cookie.includes('Max-Age=0') ? undefined : cookie.split(';')[0];
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const browser: Browser = {
    cookie: undefined,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields, headers = { origin: url }) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    submit(page, action, fields = {}) {
      const form = formsIn(page.html).find((each) => each.action === action);
      if (!form) throw new Error(`The page has no form to ${action}: ${formsIn(page.html).map((each) => each.action)}`);
      const own = form.hidden.filter(([name]) => !Object.hasOwn(fields, name));
      return browser.post(action, [...own, ...Object.entries(fields)]);
    },
  };
  return browser;
}

/** The forms of a page, with their hidden fields. */
export function formsIn(html: string): { action: string; hidden: [name: string, value: string][] }[] {
  return [...html.matchAll(/<form [^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', content = '']) => ({
      action,
      hidden: [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    }),
  );
}
