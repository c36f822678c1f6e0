import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { findSecret } from '../../src/server/engine/secrets.ts';
import { type TestInstance, testInstance } from '../support/instance.ts';
import { insertPage } from '../support/page-writes.ts';
import { makeSite } from '../support/sites.ts';

/** A published site for visitors who have signed in, with a page. */
async function makeVisitorSite(service: TestInstance, visibility = 'visitor-auth') {
  const made = await makeSite(service, ['Guide'], { visibility });
  await service.call('POST', `${made.path}/publish`);
  const text = '{% if visitor.claims.unsigned.plan == "team" %}For teams.{% endif %}';
  await insertPage(service, `/v1/spaces/${made.spaces[0]}`, 'Intro', text);
  return made;
}

/** What an address of the site answers a reader with these cookies. */
function browse({ instance, org }: TestInstance, address: string, cookie = '') {
  const { pathname, searchParams } = new URL(address, `http://localhost:4000/published/${org}/docs/`);
  const headers = { accept: 'text/html', cookie };
  return instance.handle({ method: 'GET', path: pathname, query: searchParams, headers });
}

const tokenFor = async ({ call, orgPath }: TestInstance): Promise<string> =>
  (await call('POST', `${orgPath}/ping`)).body.serviceVisitorClaims;

/** The address with a token in its query. */
const withToken = (token: string) => `intro?${new URLSearchParams({ jwt_token: token })}`;

test('a visitor token has exactly three base64url parts', async () => {
  const service = await testInstance();
  await makeVisitorSite(service);
  const token = await tokenFor(service);
  const [head = '', body = '', signature = ''] = token.split('.');
  const wrong = [
    `${token}.\n`,
    `${token}.`,
    `${token}.x`,
    `${token}\r\nset-cookie: a=b`,
    `${token}; path=/`,
    `${token}=`,
    `${head}.${body}.${signature} `,
    `${head}.${body}.\n${signature}`,
    `${head}.${body}.${signature}\u{1F600}`,
    `${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64').replace(/=*$/, '==')}`,
    `${head}.${body}`,
    '..',
    '',
  ];

  for (const text of wrong) expect([text, (await browse(service, withToken(text))).status]).toEqual([text, 401]);

  const signedIn = await browse(service, withToken(token));
  expect(signedIn.status).toBe(303);
  expect(signedIn.headers['set-cookie']).toMatch(
    new RegExp(`^docs-visitor-\\w+=${token}; Path=/published/${service.org}/docs/; HttpOnly; SameSite=Lax$`),
  );
  const [cookie] = signedIn.headers['set-cookie']!.split(';');
  expect((await browse(service, 'intro', cookie)).status).toBe(200);
});

test('the cookies of a visitor are sent over https only where the service has such an address', async () => {
  const service = await testInstance({ base: 'https://docs.example' });
  await makeVisitorSite(service);

  const signedIn = await browse(service, withToken(await tokenFor(service)));

  expect(signedIn.headers['set-cookie']).toMatch(/; Secure$/);
  await service.call(
    'PATCH',
    `${service.orgPath}/sites/${(await service.call('GET', `${service.orgPath}/sites`)).body.items[0].id}`,
    { visibility: 'public' },
  );
  expect((await browse(service, 'intro?visitor.plan=team')).headers['set-cookie']).toMatch(/; Secure$/);
});

test('a visitor token ends at a time', async () => {
  const service = await testInstance();
  await makeVisitorSite(service);
  await tokenFor(service);
  const secret = (await service.instance.store.read((db) => findSecret(db, 'visitor')))!;
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const statusWith = async (exp: string) => {
    const unsigned = `${encode('{"alg":"HS256"}')}.${encode(`{"org":"${service.org}","exp":${exp}}`)}`;
    const signature = createHmac('sha256', secret).update(unsigned).digest('base64url');
    return (await browse(service, withToken(`${unsigned}.${signature}`))).status;
  };
  const seconds = service.clock.now / 1000;

  expect(await statusWith(`${seconds + 60}`)).toBe(303);
  for (const exp of ['1e999', '1e308', '-1e999', 'null', '"9e9"', 'true', `${seconds}`, `${seconds - 1}`])
    expect([exp, await statusWith(exp)]).toEqual([exp, 401]);
});

test('whatever a visitor says about itself, pages are shown', async () => {
  const service = await testInstance();
  const { id } = await makeVisitorSite(service, 'public');
  const name = `docs-unsigned-${id}`;
  const nested = (levels: number, open: string, close: string) =>
    encodeURIComponent(open.repeat(levels) + '1' + close.repeat(levels));
  const cookies = [
    nested(7_800, '[', ']'),
    nested(3_000, '{"a":', '}'),
    nested(100_000, '[', ']'),
    encodeURIComponent('{"a":"\\ud83d"}'),
    encodeURIComponent('{"__proto__":{"plan":"team"}}'),
    encodeURIComponent('{"plan":["team"]}'),
    encodeURIComponent('{"plan":{"toString":1}}'),
    '%E0%A4%A',
    '%00',
  ];
  for (const cookie of [...cookies, ...cookies.map((text) => `%7B%22x%22%3A${text}%7D`)]) {
    for (const address of ['intro', '~search?q=teams', 'intro.md', 'llms-full.txt', 'intro/rss.xml', 'nothing']) {
      const { status, body } = await browse(service, address, `${name}=${cookie}`);
      expect([address, cookie.slice(0, 40), status < 500]).toEqual([address, cookie.slice(0, 40), true]);
      expect(String(body)).not.toContain('For teams.');
    }
    expect((await browse(service, 'intro?visitor.lang=en', `${name}=${cookie}`)).status).toBe(303);
  }

  const many = new URLSearchParams();
  for (let index = 0; index < 300; index++) many.append(`visitor.${index}`, '\u{1F600}"'.repeat(index % 7));
  const { headers } = await browse(service, `intro?visitor.plan=team&${many}`);
  const [cookie = ''] = headers['set-cookie']!.split(';');
  // Browsers do not keep longer ones.
  expect(cookie.length).toBeLessThan(4_096);
  expect(String((await browse(service, 'intro', cookie)).body)).toContain('For teams.');
});

test('an address cut in the middle of a character shows the page', async () => {
  const service = await testInstance();
  await makeVisitorSite(service, 'public');
  const cut = encodeURIComponent('\u{1F600}').slice(0, -3);

  const queries = [`visitor.a=${cut}`, `visitor.${cut}=1`, 'visitor.a=%F0%9F', 'visitor.a=%'];
  // However long the claims are, one of these ends in a character.
  for (const name of ['c', 'cc', 'ccc']) {
    const long = encodeURIComponent('\u{1F600}'.repeat(490));
    queries.push(`visitor.a=${long}&visitor.b=${long}&visitor.${name}=${long}`);
  }
  for (const query of queries) {
    const answer = await browse(service, `intro?${query}`);
    expect([query, answer.status]).toEqual([query, 303]);
    const [cookie] = answer.headers['set-cookie']!.split(';');
    expect((await browse(service, 'intro', cookie)).status).toBe(200);
  }
});
