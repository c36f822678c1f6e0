import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LazyApp } from '../../src/app/lazy-app.ts';
import { appLinkPath, signInPath } from '../../src/contract/instance.ts';
import { seedDemo } from '../../src/server/demo/demo.ts';
import { listen } from '../../src/server/http/listen.ts';
import { Sessions } from '../../src/server/http/sign-in.ts';
import { openInstance } from '../../src/server/open-instance.ts';
import { getAdministrator } from '../../src/server/organizations/bootstrap.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { capture } from './capture.ts';

// Part of `npm run screenshots`: pages of the application, with the demo data, for docs/application.md.
const folder = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

interface Shot {
  name: string;
  path: string;
  width: number;
  colorScheme: 'light' | 'dark';
}

const now = Date.parse('2026-11-02T09:42:00Z');
const instance = await openInstance({ file: ':memory:', now: () => now, log: { error: console.error } });
const port = { instance, sessions: new Sessions(instance), onError: console.error };
const app = new LazyApp(async () => port);
const listening = await listen(instance, { host: '127.0.0.1', port: 0, app });
instance.base = listening.url;
const browser = await openBrowser();
try {
  await seedDemo(instance);
  const { user, organization } = await instance.store.read(getAdministrator);
  const home = `/o/${organization}`;
  const request = `${home}/s/handbook0001/cr/1`;
  const shots: Shot[] = [
    { name: 'app-organization', path: home, width: 1280, colorScheme: 'light' },
    { name: 'app-request', path: request, width: 1280, colorScheme: 'light' },
    { name: 'app-request-small', path: request, width: 390, colorScheme: 'dark' },
    { name: 'app-people', path: `${home}/people`, width: 1280, colorScheme: 'dark' },
  ];
  for (const shot of shots) await draw(user, shot);
} finally {
  await browser.close();
  await listening.stop();
  await instance.close();
}

async function draw(user: string, { name, path, width, colorScheme }: Shot): Promise<void> {
  const code = randomBytes(16).toString('hex');
  const query = new URLSearchParams({ hash: createHash('sha256').update(code).digest('hex') });
  await instance.handle({ method: 'POST', path: appLinkPath, query, headers: {}, as: user });
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' });
  await page.goto(`${listening.url}${signInPath}?${new URLSearchParams({ code, to: path })}`);
  await page.waitForURL(listening.url + path);
  await page.waitForLoadState('load');
  writeFileSync(join(folder, `${name}.webp`), await capture(page, 75));
  await page.context().close();
}
