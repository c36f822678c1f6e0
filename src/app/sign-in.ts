import { appPath, signInPath } from '../contract/instance.ts';
import { decodeAddress } from '../shared/decode.ts';
import { html, type Html } from '../site/html.ts';
import { isForeignForm, sessionCookie } from './cookies.ts';
import { command, draw } from './frame.ts';
import type { AppPort, AppRequest, AppResponse } from './port.ts';
import { htmlResponse, redirect } from './responses.ts';

/** Signing in and out. These pages are for everybody. */
export class SignIn {
  readonly #port: AppPort;
  readonly #root: string;

  constructor(port: AppPort, root: string) {
    this.#port = port;
    this.#root = root;
  }

  /** Answers a one-time link, or shows the form. */
  async show(request: AppRequest): Promise<AppResponse> {
    const code = request.query.get('code');
    const to = this.#target(request.query.get('to'));
    if (code === null) return this.page({ to });
    const session = code === '' ? undefined : await this.#port.sessions.redeem(code);
    if (session === undefined) {
      return this.page({
        to,
        status: 403,
        problem: 'This link was used before, or has expired. Links work once, for a minute.',
      });
    }
    // A redirect would still belong to the program or page with the link, and get no strict cookie from the browser.
    return this.#forward(to, sessionCookie(this.#port.instance, session));
  }

  /** Signs in with the token of the form. */
  async send(request: AppRequest, form: URLSearchParams): Promise<AppResponse> {
    const to = this.#target(form.get('to'));
    if (isForeignForm(this.#port.instance, request))
      return this.page({ to, status: 403, problem: 'This form came from another site. Fill it in here.' });
    const result = await this.#port.sessions.signIn(form.get('token')?.trim() ?? '');
    if (result === undefined)
      return this.page({
        to,
        status: 403,
        problem: 'The token is unknown, expired or revoked. Ask an administrator for a new one.',
      });
    if ('session' in result) return redirect(this.#root + to, sessionCookie(this.#port.instance, result.session));
    const wait = Math.ceil(result.waitSeconds / 60);
    const problem = `There were too many attempts. Try again in ${wait} ${wait === 1 ? 'minute' : 'minutes'}.`;
    const response = this.page({ to, status: 429, problem });
    response.headers['retry-after'] = String(result.waitSeconds);
    return response;
  }

  async end(session: string): Promise<AppResponse> {
    await this.#port.sessions.end(session);
    return redirect(this.#root + signInPath, sessionCookie(this.#port.instance, undefined));
  }

  /** The page for requests without a session. It shows nothing that is not in the address. */
  signedOut(request: AppRequest): AppResponse {
    const search = request.query.size > 0 ? `?${request.query}` : '';
    const to = this.#target(request.path + search);
    const site = request.headers['sec-fetch-site'];
    // Browsers send no strict cookie with a link from another site, but with the same address from our own page.
    if (site === 'cross-site' && request.method === 'GET') return this.#forward(to);
    return this.page({ to, status: 401 });
  }

  page({ to, status = 200, problem }: { to: string; status?: number; problem?: string }): AppResponse {
    return draw(
      { root: this.#root, title: 'docsctl', home: `${this.#root}/` },
      {
        kind: 'gate',
        title: 'Sign in',
        status,
        html: html`${problem !== undefined && problemNote(problem)}
          <p>Run this where you use docsctl. It opens this page, signed in as you:</p>
          ${command('open', ...openWords(to))}
          <form class="app-form" method="post" action="${this.#root}${signInPath}">
            <input type="hidden" name="to" value="${to}" />
            <label
              >Or sign in with a token
              <input type="password" name="token" required autocomplete="off" spellcheck="false" />
            </label>
            <button class="button button-primary">Sign in</button>
          </form>`,
      },
    );
  }

  /** A path of the application; the first page for everything else. */
  #target(to: string | null): string {
    return to !== null && appPath.test(to) ? to : '/';
  }

  /** A page that leads on at once, without an entry in the history. Without an icon, browsers would request one. */
  #forward(to: string, headers: Record<string, string> = {}): AppResponse {
    const href = this.#root + to;
    const text = html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>docsctl</title>
          <link rel="icon" href="data:," />
          <meta http-equiv="refresh" content="0; url=${href}" />
        </head>
        <body>
          <p><a href="${href}">Continue</a></p>
        </body>
      </html>`;
    return htmlResponse(text.text, 200, { 'referrer-policy': 'no-referrer', ...headers });
  }
}

export const problemNote = (problem: string): Html =>
  html`<div class="app-problem" role="alert"><p>${problem}</p></div>`;

/** The arguments of `docsctl open` for an address. */
function openWords(to: string): string[] {
  const [path = ''] = to.split(/[?#]/, 1);
  const [org = '', kind, id = '', ...rest] = path
    .split('/')
    .slice(2)
    .map((part) => decodeAddress(part));
  if (kind === 'sites' && id !== '') return ['site', id];
  if (kind === 'openapi' && id !== '') return ['openapi', id];
  if (kind === 'c' && id !== '') return ['collection', id];
  if (kind === 's' && id !== '')
    return rest[0] === 'cr' && rest[1] !== undefined ? ['cr', rest[1], '--space', id] : ['space', id];
  return ['org', ...(org === '' ? [] : [org])];
}
