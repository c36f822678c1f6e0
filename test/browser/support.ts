import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { listen } from '../../src/server/http/listen.ts';
import { openBrowser } from '../support/browser.ts';
import { openTestInstance, type TestInstance } from '../support/instance.ts';
import { makeDemoSite } from './demo-site.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A browser, and a server with the site of `demo-site.ts`. */
export interface Served extends Omit<TestInstance, 'instance'> {
  /** Address of the first page of the site. */
  home: string;
  site: string;
  /** A page in a new session of the browser. */
  open(path?: string, options?: BrowserContextOptions): Promise<Opened>;
  close(): Promise<void>;
}

interface Opened extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** What the page must not do: errors in the console, violations of the security policy, requests to other hosts. */
  faults: string[];
}

export async function serveDemoSite(): Promise<Served> {
  const service = await openTestInstance();
  const { instance } = service;
  const listening = await listen(instance, { host: '127.0.0.1', port: 0 });
  instance.base = listening.url;
  const { site, root } = await makeDemoSite(service.call, service.orgPath);
  const browser = await openBrowser();
  const home = listening.url + root;
  return {
    ...service,
    home,
    site,
    open: (path = '', options = {}) => openPage(browser, new URL(path, home), options),
    async close() {
      await browser.close();
      await listening.stop();
      await service.close();
    },
  };
}

async function openPage(browser: Browser, address: URL, options: BrowserContextOptions): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== address.origin) faults.push(`request to ${url.origin}`);
  });
  await page.goto(address.href, { waitUntil: 'load' });
  return { page, context, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** What axe finds on the page, a line for each rule: `color-contrast: .hint a, .tag`. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // The policy of the page forbids other scripts; those of the browser's own protocol are not bound by it.
  await page.evaluate(await (await import('node:fs/promises')).readFile(axe, 'utf8'));
  // On a busy machine, colours may still change from those of another mode.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished)).then(() => {})`,
  );
  const results: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[] = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return results.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
