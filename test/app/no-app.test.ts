import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Home, makeHome, removeHome, serve, type Served } from '../support/cli.ts';

let home: Home;
let served: Served;
beforeAll(async () => {
  home = await makeHome();
  served = await serve(home, '--no-app');
});
afterAll(async () => {
  await served.stop();
  await removeHome(home);
});

test('serve --no-app has no pages and no links, and open gives the plain address', async () => {
  const address = `${served.url}/o/${served.organization}`;
  const page = await fetch(address, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('This local instance has no application.');
  expect((await fetch(`${served.url}/sign-in`, { headers: { accept: 'text/html' } })).status).toBe(404);
  const headers = { authorization: `Bearer ${served.token}` };
  const link = `${served.url}/_instance/sign-in-links?hash=${'0'.repeat(64)}`;
  expect((await fetch(link, { method: 'POST', headers })).status).toBe(404);
  const { stderr } = await home.docsctl('open', 'org', served.organization);
  expect(stderr).toContain(`hint: Open it yourself: ${address}\n`);
});
