import { expect, test } from 'vitest';
import { type Answer, testInstance } from '../support/instance.ts';
import { makeSectionedSite, makeSpace } from '../support/sites.ts';

/** The addresses of one object of each kind. */
async function paths() {
  const service = await testInstance();
  const { orgPath } = service;
  const { path: site } = await makeSectionedSite(service, ['Guide']);
  const space = `/v1/spaces/${await makeSpace(service)}`;
  const listed = async (kind: string) =>
    `${site}/${kind}/${(await service.call('GET', `${site}/${kind}`)).body.items[0].id}`;
  return {
    ...service,
    org: orgPath,
    space,
    spaces: `${orgPath}/spaces`,
    site,
    section: await listed('sections'),
    siteSpace: await listed('site-spaces'),
    fields: `${orgPath}/custom-fields`,
    specs: `${orgPath}/openapi`,
    invites: `${orgPath}/invites`,
  };
}

const issueOf = ({ status, error }: Answer) =>
  `${status} ${error?.details?.map(({ path, message }) => `${path} ${message}`)}`;

const part = 'must be one part of an address: without spaces, slashes, ?, # and %, and not . or ..';
const parts = 'must be a path: without spaces, ?, # and %, with single slashes, and no part . or ..';
const name = 'must be lower-case letters, digits, _ and -';
const slug = 'must be lower-case letters, digits and single dashes between them';
const label = 'must be lower-case letters, digits and dashes, with a letter or digit first and last';
const proxy = 'must be a host and a path without https://, such as example.com/docs';

test.for([
  ['PATCH', 'site', { basename: 'bad name!' }, `/basename ${part}`],
  ['PATCH', 'site', { basename: '..' }, `/basename ${part}`],
  ['PATCH', 'section', { path: 'a b/c' }, `/path ${parts}`],
  ['PATCH', 'section', { path: 'a/../b' }, `/path ${parts}`],
  ['PATCH', 'site', { basename: 'a/b' }, `/basename ${part}`],
  ['PATCH', 'siteSpace', { path: 'a/' }, `/path ${parts}`],
  ['PATCH', 'siteSpace', { path: 'a?b' }, `/path ${parts}`],
  ['PATCH', 'space', { emoji: 'nonsense' }, '/emoji must be an emoji, and no other text'],
  ['PATCH', 'space', { emoji: '7' }, '/emoji must be an emoji, and no other text'],
  ['PATCH', 'space', { emoji: '' }, '/emoji must be an emoji, and no other text'],
  ['POST', 'spaces', { emoji: '📘 x' }, '/emoji must be an emoji, and no other text'],
  ['PATCH', 'site', { proxy: 'https://lumen.example/docs' }, `/proxy ${proxy}`],
  ['PATCH', 'org', { hostname: 'Lumen Docs' }, `/hostname ${label}`],
  ['PATCH', 'org', { emailDomains: ['lumen'] }, '/emailDomains/0 must be a domain, such as lumen.example'],
  ['POST', 'fields', { name: 'Stage 1', type: 'text' }, `/name ${name}`],
  ['POST', 'specs', { slug: 'Pump--Control', source: { text: 'x' } }, `/slug ${slug}`],
  ['POST', 'invites', { emails: ['ada@lumen'] }, '/emails/0 must be an email address'],
] as const)('%s of a %s with %j is refused in words', async ([method, object, body, issue]) => {
  const service = await paths();

  expect(issueOf(await service.call(method, service[object], body))).toBe(`400 ${issue}`);
});

test.for([
  ['site', { basename: 'Handbuch_2.0~ü' }],
  ['section', { path: 'v1.2/all' }],
  ['siteSpace', { path: '日本語' }],
  ...['📘', '🗑️', '🗑', '☎', '🇩🇪', '1️⃣', '👩🏽‍🚀', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🧑‍🧲', '📘📗'].map((emoji) => ['space', { emoji }] as const),
  ['org', { emailDomains: ['lumen.example', 'bücher.example', 'localhost'] }],
] as const)('a %s may have %j', async ([object, body]) => {
  const service = await paths();

  const { status, body: changed } = await service.call('PATCH', service[object], body);

  expect(status).toBe(200);
  expect(changed).toMatchObject(body);
});

test('the first administrator is invited like anybody else', async () => {
  const { call, orgPath, admin } = await testInstance();

  const { status, body } = await call('POST', `${orgPath}/invites`, { emails: ['admin@localhost', 'grace@localhost'] });

  expect(status).toBe(200);
  expect(body).toMatchObject({ invited: 1, failedSSOEmails: [] });
  expect(body.users[0]).toBe(admin);
});

test('titles and names of icons have no form but their length', async () => {
  const { call, orgPath, section } = await paths();

  const space = await call('POST', `${orgPath}/spaces`, { title: ' <b> / ? ' });
  const changed = await call('PATCH', section, { icon: 'Any icon, 50' });

  expect([space.status, changed.status]).toEqual([201, 200]);
});
