import { signInPath } from '../contract/instance.ts';
import { assetPath, signOutPath } from './addresses.ts';
import type { App } from './app.ts';
import type { AppPort, AppRequest, AppResponse } from './port.ts';

/** The application. Its code is loaded for the first request. */
export class LazyApp {
  readonly #openPort: () => Promise<AppPort>;
  #app: Promise<App> | undefined;

  constructor(openPort: () => Promise<AppPort>) {
    this.#openPort = openPort;
  }

  /** Whether a request is for the application. Programs that ask for other addresses get the answers of the API. */
  has({ path, headers }: Pick<AppRequest, 'path' | 'headers'>): boolean {
    if (path === '/') return /\btext\/html\b/.test(String(headers['accept'] ?? ''));
    return path.startsWith('/o/') || path.startsWith(assetPath) || path === signInPath || path === signOutPath;
  }

  async answer(request: AppRequest): Promise<AppResponse> {
    return (await (this.#app ??= this.#open())).answer(request);
  }

  async #open(): Promise<App> {
    const [{ App: Application }, port] = await Promise.all([import('./app.ts'), this.#openPort()]);
    return new Application(port);
  }
}
