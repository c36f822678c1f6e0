import { HttpError } from '../client/errors/http-error.ts';
import { signInPath } from '../contract/instance.ts';
import { tryDecode } from '../shared/decode.ts';
import { findAsset } from '../site/site-around.ts';
import { html } from '../site/html.ts';
import { assetPath, signOutPath } from './addresses.ts';
import { formToken, isForeignForm, isFormToken, sessionOf } from './cookies.ts';
import { draw, type Frame } from './frame.ts';
import { clientOf } from './instance-client.ts';
import type { AppPort, AppRequest, AppResponse } from './port.ts';
import { htmlResponse } from './responses.ts';
import { Contents } from './contents.ts';
import { answerForm, answerPage } from './routes.ts';
import { SignIn } from './sign-in.ts';
import { NoPage, type Visit } from './visit.ts';

/** The application: pages of the service for people who are signed in. */
export class App {
  readonly #port: AppPort;
  readonly #contents = new Contents();

  constructor(port: AppPort) {
    this.#port = port;
  }

  async answer(request: AppRequest): Promise<AppResponse> {
    const response = await this.#answer(request).catch((error: unknown) => this.#failed(error));
    return { ...response, route: routeOf(request.path) };
  }

  async #answer(request: AppRequest): Promise<AppResponse> {
    const { method, path } = request;
    if (path.startsWith(assetPath)) return assetResponse(path.slice(assetPath.length));
    if (method !== 'GET' && method !== 'POST') return this.#message(405, 'Only GET and POST are allowed here.');
    const signIn = new SignIn(this.#port, this.#root);
    const form = new URLSearchParams(method === 'POST' ? textOf(request.body) : '');
    if (path === signInPath) return method === 'GET' ? signIn.show(request) : signIn.send(request, form);
    const session = sessionOf(this.#port.instance, request);
    const user = session === undefined ? undefined : await this.#port.sessions.userOf(session);
    if (session === undefined || user === undefined) return signIn.signedOut(request);
    const visit = this.#visit(request, { session, user });
    if (method === 'GET') return answerPage(visit, this.#contents);
    const isForeign =
      isForeignForm(this.#port.instance, request) || !isFormToken(session, path, form.get('token') ?? '');
    if (isForeign)
      return this.#message(
        403,
        'This form is outdated or came from another site. Go back, reload the page and try again.',
      );
    return path === signOutPath ? signIn.end(session) : answerForm(visit, form);
  }

  #visit(request: AppRequest, { session, user }: { session: string; user: string }): Visit {
    const { instance } = this.#port;
    const parts = request.path
      .replace(/(?<=.)\/$/, '')
      .split('/')
      .slice(1)
      .map(tryDecode);
    if (!parts.every((part) => part !== undefined && !part.includes('\0'))) throw new NoPage();
    return {
      client: clientOf(instance, user),
      instance,
      user,
      root: this.#root,
      parts: parts.filter((part) => part !== undefined),
      query: request.query,
      isForBrowser: /\btext\/html\b/.test(String(request.headers['accept'] ?? '')),
      tokenFor: (action) => formToken(session, action),
    };
  }

  get #root(): string {
    return new URL(this.#port.instance.base).pathname.replace(/\/$/, '');
  }

  /** A page for what the API refuses, with its words. */
  #failed(error: unknown): AppResponse {
    if (error instanceof NoPage) return this.#message(404, 'Check the address. Nothing is here, or you cannot see it.');
    if (error instanceof HttpError) {
      if (error.status === 404) return this.#message(404, 'Check the address. Nothing is here, or you cannot see it.');
      if (error.status < 500) return this.#message(error.status, error.message);
    }
    this.#port.onError(error);
    return this.#message(500, 'The page could not be shown. The log of the service has the reason.');
  }

  #message(status: number, message: string): AppResponse {
    const frame: Frame = { root: this.#root, title: 'docsctl', home: `${this.#root}/` };
    const title = titles[status] ?? 'That did not work';
    const home = html`<p><a class="button button-primary" href="${this.#root}/">Go to the first page</a></p>`;
    return draw(frame, {
      title,
      status,
      html: html`<p>${message}</p>
        ${home}`,
    });
  }
}

const titles: Record<number, string> = { 403: 'Not allowed', 404: 'Page not found' };

/** Without what is different in every address, for metrics. */
const routeOf = (path: string): string =>
  path.startsWith('/o/') ? '/o/*' : path.startsWith(assetPath) ? `${assetPath}*` : path;

const textOf = (body: AppRequest['body'] = ''): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

function assetResponse(name: string): AppResponse {
  const asset = findAsset(name);
  if (!asset) return htmlResponse('', 404);
  return {
    status: 200,
    headers: {
      'content-type': asset.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': asset.policy ?? "default-src 'none'",
    },
    body: asset.bytes,
  };
}
