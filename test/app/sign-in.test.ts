import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantToken } from '../../src/server/organizations/bootstrap.ts';
import { type AppService, openApp } from '../support/app.ts';

let service: AppService;
beforeAll(async () => {
  service = await openApp();
});
afterAll(() => service.close());

const nowText = () => new Date(service.clock.now).toISOString();

async function tokenOf(user: string): Promise<{ token: string; id: string }> {
  const token = `docsctl_${Math.random().toString(36).slice(2)}`;
  const id = await service.instance.store.write((db) => grantToken(db, { token, user, label: 'test', now: nowText() }));
  return { token, id };
}

describe('one-time links', () => {
  test('a link signs in once, and leads to the page without an entry in the history', async () => {
    const browser = service.browser();
    const link = await service.linkFor(service.admin, `/o/${service.org}`);

    const first = await browser.get(link);
    expect(first).toMatchObject({ status: 200, html: expect.stringContaining(`content="0; url=/o/${service.org}"`) });
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^docsctl-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    expect((await browser.get(`/o/${service.org}`)).status).toBe(200);

    const other = service.browser();
    const second = await other.get(link);
    expect(second).toMatchObject({ status: 403, html: expect.stringContaining('was used before') });
    expect(other.cookie).toBeUndefined();
  });

  test('of two browsers with the same link at the same time, one is signed in', async () => {
    const link = await service.linkFor(service.admin);
    const both = await Promise.all([service.browser().get(link), service.browser().get(link)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  test('a link ends after a minute', async () => {
    const link = await service.linkFor(service.admin);
    service.clock.advance(60_000);
    expect((await service.browser().get(link)).status).toBe(403);
  });

  test('the code is stored as its hash, and the link leads nowhere else', async () => {
    const link = await service.linkFor(service.admin, '//evil.example/');
    const code = new URLSearchParams(link.split('?')[1]).get('code');
    const rows = await service.instance.store.read((db) => db.selectFrom('session').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(code);
    expect((await service.browser().get(link)).html).toContain('url=/"');
  });

  test('only somebody with a token gets a link, and only with a hash', async () => {
    const path = '/_instance/sign-in-links';
    const hash = '0'.repeat(64);
    const without = await fetch(`${service.url}${path}?hash=${hash}`, { method: 'POST' });
    expect(without.status).toBe(401);
    const { token } = await tokenOf(service.admin);
    const headers = { authorization: `Bearer ${token}` };
    const bad = await fetch(`${service.url}${path}?hash=code`, { method: 'POST', headers });
    expect(bad.status).toBe(400);
    const good = await fetch(`${service.url}${path}?hash=${hash}`, { method: 'POST', headers });
    expect(good.status).toBe(204);
  });
});

describe('sessions', () => {
  test('a session ends after 12 hours', async () => {
    const browser = await service.signedIn(service.admin);
    service.clock.advance(12 * 3_600_000 - 1);
    expect((await browser.get(`/o/${service.org}`)).status).toBe(200);
    service.clock.advance(1);
    expect((await browser.get(`/o/${service.org}`)).status).toBe(401);
  });

  test('a session ends when its token is revoked', async () => {
    const { token, id } = await tokenOf(service.admin);
    const browser = service.browser();
    await browser.submit(await browser.get('/sign-in'), '/sign-in', { token });
    expect((await browser.get(`/o/${service.org}`)).status).toBe(200);
    await service.instance.store.write((db) =>
      db.updateTable('token').set({ revoked_at: nowText() }).where('id', '=', id).execute(),
    );
    expect((await browser.get(`/o/${service.org}`)).status).toBe(401);
  });

  test('signing out ends it for copies of the cookie, too', async () => {
    const browser = await service.signedIn(service.admin);
    const { cookie } = browser;
    const gone = await browser.submit(await browser.get('/sign-out'), '/sign-out');
    expect(gone.status).toBe(303);
    expect(browser.cookie).toBeUndefined();
    browser.cookie = cookie;
    expect((await browser.get(`/o/${service.org}`)).status).toBe(401);
  });

  test('a cookie that somebody else set is not taken over', async () => {
    const browser = service.browser();
    const { port } = new URL(service.url);
    const fixed = `docsctl-${port}=${'x'.repeat(43)}`;
    browser.cookie = fixed;
    await browser.get(await service.linkFor(service.admin));
    expect(browser.cookie).not.toBe(fixed);
  });
});

describe('without a session', () => {
  test('the page names the command, and does not tell what exists', async () => {
    const [real, invented] = await Promise.all(
      [service.org, 'nothing'].map((org) => service.browser().get(`/o/${org}/s/x'y/cr/3`)),
    );
    expect(real).toMatchObject({ status: 401, html: expect.stringContaining('docsctl open cr 3 --space') });
    const plain = (html = '') => html.replaceAll(service.org, 'nothing');
    expect(plain(real?.html)).toBe(plain(invented?.html));
    expect(real?.html).toContain('&#39;x&#39;\\&#39;&#39;y&#39;');
  });

  test('a link on another site gets the page with the strict cookie in a second request', async () => {
    const first = await service.browser().get(`/o/${service.org}`, { 'sec-fetch-site': 'cross-site' });
    expect(first).toMatchObject({ status: 200, html: expect.stringContaining(`url=/o/${service.org}"`) });
    const second = await service.browser().get(`/o/${service.org}`, { 'sec-fetch-site': 'same-origin' });
    expect(second.status).toBe(401);
  });

  test('an address that cannot be decoded is not found', async () => {
    const browser = await service.signedIn(service.admin);
    expect((await browser.get('/o/%E0%A4%A')).status).toBe(404);
    expect((await browser.get('/o/a%00b')).status).toBe(404);
  });
});

describe('the form', () => {
  test('a wrong token is refused, and after ten attempts all are', async () => {
    const own = await openApp();
    try {
      const browser = own.browser();
      const form = await browser.get('/sign-in');
      for (let attempt = 0; attempt < 10; attempt++) {
        const refused = await browser.submit(form, '/sign-in', { token: `wrong-${attempt}` });
        expect(refused).toMatchObject({ status: 403, html: expect.stringContaining('unknown, expired or revoked') });
        expect(refused.html).not.toContain(`wrong-${attempt}`);
      }
      const token = 'docsctl_right';
      const now = new Date(own.clock.now).toISOString();
      await own.instance.store.write((db) => grantToken(db, { token, user: own.admin, label: 'test', now }));
      const limited = await browser.submit(form, '/sign-in', { token });
      expect(limited).toMatchObject({ status: 429, html: expect.stringContaining('too many attempts') });
      expect(limited.headers.get('retry-after')).toBe('300');
      own.clock.advance(300_000);
      expect(await browser.submit(form, '/sign-in', { token })).toMatchObject({ status: 303 });
    } finally {
      await own.close();
    }
  });

  test('a form of another site is refused', async () => {
    const { token } = await tokenOf(service.admin);
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: service.url, 'sec-fetch-site': 'cross-site' },
      {},
    ];
    for (const headers of foreign) {
      const browser = service.browser();
      expect((await browser.post('/sign-in', { token }, headers)).status).toBe(403);
      expect(browser.cookie).toBeUndefined();
    }
  });

  test('only forms are accepted, up to a size', async () => {
    const json = await fetch(`${service.url}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: '{}',
    });
    expect(json.status).toBe(415);
    const browser = service.browser();
    expect((await browser.post('/sign-in', { token: 'x'.repeat(70_000) })).status).toBe(413);
  });
});

test('pages are not cached, not framed, and leak no address', async () => {
  const browser = await service.signedIn(service.admin);
  const { headers } = await browser.get(`/o/${service.org}`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
});

test('behind an https proxy, the cookie is only for https and only for the whole host', async () => {
  const own = await openApp();
  try {
    own.instance.base = 'https://docs.example';
    const { headers } = await own.browser().get(await own.linkFor(own.admin));
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-docsctl=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; .*Secure$/);
  } finally {
    await own.close();
  }
});
