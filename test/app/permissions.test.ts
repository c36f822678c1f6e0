import { afterAll, beforeAll, expect, test } from 'vitest';
import { roles } from '../../src/contract/access.ts';
import { type AppService, type Browser, formsIn, openApp } from '../support/app.ts';

/** Every page as every role, compared with what the API answers to the same user. */

let service: AppService;
/** A page of the application, and what it shows in the API. */
let pages: [page: string, api: string][];
let people: { name: string; id: string; browser: Browser }[];
let locked: string;

beforeAll(async () => {
  service = await openApp();
  const { call, orgPath, org } = service;
  const made = async (path: string, body: unknown) => (await call('POST', path, body)).body;
  const collection = await made(`${orgPath}/collections`, { title: 'Guides' });
  const space = await made(`${orgPath}/spaces`, { title: 'Manual', parent: collection.id });
  const secret = await made(`${orgPath}/spaces`, { title: 'Secret' });
  locked = secret.id;
  for (const { id } of [space, secret]) {
    await call('POST', `/v1/spaces/${id}/content`, {
      changes: [{ operation: 'insert_page', title: 'Start', document: { markdown: 'Text\n' } }],
    });
    await call('POST', `/v1/spaces/${id}/change-requests`, { subject: 'Change' });
    await call('POST', `/v1/spaces/${id}/change-requests/1/comments`, { body: { markdown: 'Why?' } });
    await call('PATCH', `/v1/spaces/${id}/change-requests/1`, { status: 'open' });
  }
  const site = await made(`${orgPath}/sites`, { title: 'Docs', spaces: [space.id, secret.id] });
  const text = JSON.stringify({ openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths: {} });
  await call('PUT', `${orgPath}/openapi/pets`, { source: { text } });
  const { lastVersion } = (await call('GET', `${orgPath}/openapi/pets`)).body;
  const guest = await service.user({ role: null, name: 'Guest' });
  await service.grant(guest, { space: space.id }, 'comment');
  const stranger = await service.user({ name: 'Stranger' });
  const disabled = await service.user({ role: 'admin', disabled: true });
  people = await Promise.all(
    [
      ...(await Promise.all(roles.map(async (role) => [role, await service.user({ role })] as const))),
      ['guest', guest] as const,
      ['stranger', stranger] as const,
      ['disabled', disabled] as const,
    ].map(async ([name, id]) => ({ name, id, browser: await service.signedIn(id) })),
  );
  const at = `/o/${org}`;
  const inSpace = ({ id }: { id: string; revision: string }, revision: string): [string, string][] => [
    [`${at}/s/${id}`, `/v1/spaces/${id}`],
    [`${at}/s/${id}/start`, `/v1/spaces/${id}/content/path/start`],
    [`${at}/s/${id}/~requests`, `/v1/spaces/${id}/change-requests`],
    [`${at}/s/${id}/~comments`, `/v1/spaces/${id}/comments`],
    [`${at}/s/${id}/~revisions`, `/v1/spaces/${id}/revisions/${revision}`],
    [`${at}/s/${id}/r/${revision}`, `/v1/spaces/${id}/revisions/${revision}`],
    [`${at}/s/${id}/r/${revision}/start`, `/v1/spaces/${id}/revisions/${revision}/path/start`],
    [`${at}/s/${id}/cr/1`, `/v1/spaces/${id}/change-requests/1`],
    [`${at}/s/${id}/cr/1/start`, `/v1/spaces/${id}/change-requests/1/content/path/start`],
    [`${at}/s/${id}/cr/1/~comments`, `/v1/spaces/${id}/change-requests/1/comments`],
  ];
  const revisionOf = async ({ id }: { id: string }) => (await call('GET', `/v1/spaces/${id}`)).body.revision;
  pages = [
    [at, orgPath],
    [`${at}/c/${collection.id}`, `/v1/collections/${collection.id}`],
    ...inSpace(space, await revisionOf(space)),
    ...inSpace(secret, await revisionOf(secret)),
    [`${at}/sites`, `${orgPath}/sites`],
    [`${at}/sites/${site.id}`, `${orgPath}/sites/${site.id}`],
    [`${at}/openapi`, `${orgPath}/openapi`],
    [`${at}/openapi/pets`, `${orgPath}/openapi/pets`],
    [`${at}/openapi/pets/~versions`, `${orgPath}/openapi/pets/versions`],
    [`${at}/openapi/pets/~${lastVersion}`, `${orgPath}/openapi/pets/versions/${lastVersion}`],
    [
      `${at}/openapi/pets/~diff?old=${lastVersion}&new=${lastVersion}`,
      `${orgPath}/openapi/pets/versions/${lastVersion}`,
    ],
    [`${at}/people`, `${orgPath}/members`],
    [`${at}/people/${guest}`, `${orgPath}/members/${guest}`],
    [`${at}/search?q=text`, `${orgPath}/search?query=text`],
  ];
});
afterAll(async () => {
  await service.close();
  expect(service.errors).toEqual([]);
});

test('each page answers each user as the API does', async () => {
  const wrong: string[] = [];
  const seen = new Set<number>();
  for (const { name, id, browser } of people) {
    for (const [page, api] of pages) {
      const [{ status }, { status: expected }] = [await browser.get(page), await service.as(id)('GET', api)];
      seen.add(status);
      if (status !== expected) wrong.push(`${name} ${page}: ${status} instead of ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
  expect([...seen].toSorted()).toEqual([200, 403, 404]);
});

test('search finds objects by their names, and only those that one can see', async () => {
  const found = async (who: string, query: string) => {
    const { browser } = people.find(({ name }) => name === who)!;
    return (await browser.get(`${pages[0]![0]}/search?q=${query}`)).html;
  };

  expect(await found('admin', 'secret')).toContain(`/s/${locked}">Secret</a>`);
  expect(await found('guest', 'secret')).not.toContain(locked);
  const all = await found('admin', 'change');
  expect(all.match(/\/cr\/1">Change<\/a>/g)).toHaveLength(2);
  expect((await found('guest', 'change')).match(/\/cr\/1">Change<\/a>/g)).toHaveLength(1);
  expect(await found('admin', 'pets')).toContain('/openapi/pets">pets</a>');
  expect(await found('guest', 'pets')).not.toContain('/openapi/pets');
  expect(await found('read', 'guides')).toContain('>Guides</a>');
});

test('without a session, no page answers', async () => {
  const browser = service.browser();
  for (const [page] of pages) expect((await browser.get(page)).status).toBe(401);
});

test('each form that a page offers is one that the API accepts from this user', async () => {
  const offered = new Map<string, Set<string>>();
  for (const { name, id, browser } of people) {
    for (const [page] of pages) {
      const { html } = await browser.get(page);
      for (const { action } of formsIn(html).filter((each) => each.action.includes('~'))) {
        const kind = action.split('~')[1]?.split('/')[0] ?? '';
        if (kind === 'diff') continue;
        offered.set(kind, (offered.get(kind) ?? new Set()).add(name));
        const { permissions } = (await service.as(id)('GET', `/v1/spaces/${action.split('/')[4]}`)).body;
        expect([name, action, kind === 'merge' ? permissions.merge : permissions.comment]).toEqual([
          name,
          action,
          true,
        ]);
      }
    }
  }
  expect([...(offered.get('merge') ?? [])].toSorted()).toEqual(['admin', 'create', 'review']);
  expect(offered.get('comment')).toContain('guest');
  expect(offered.get('comment')).not.toContain('read');
});

test('a guest sees nothing of a space without a grant', async () => {
  const guest = people.find(({ name }) => name === 'guest')!;
  for (const [page] of pages) {
    const { html } = await guest.browser.get(page);
    expect([page, html.includes('Secret')]).toEqual([page, page.includes(`sites/`)]);
    expect([page, html.includes(`/s/${locked}"`)]).toEqual([page, false]);
  }
});
