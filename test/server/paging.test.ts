import { expect, test } from 'vitest';
import { pathWith } from '../../src/contract/endpoint.ts';
import { allEndpoints } from '../../src/server/http/openapi-document.ts';
import { encodeToken, type Key } from '../../src/server/engine/paging.ts';
import { testInstance } from '../support/instance.ts';
import { buildWorld } from '../support/world.ts';

const isTextAndText = /^x x$/;
/** What keys are made of in the other lists. */
const keyTypes: Record<string, RegExp> = {
  'changeRequestContent.fileBacklinks': /^x$/,
  'changeRequestContent.links': /^x 1$/,
  'changeRequestContent.pageBacklinks': /^x$/,
  'changeRequestContent.pageLinks': /^x 1$/,
  'changeRequests.list': /^1$/,
  'collections.list': /^1 x( 1 x)*$/,
  'collections.spaces': /^1 x$/,
  'content.fileBacklinks': /^x$/,
  'content.links': /^x 1$/,
  'content.pageBacklinks': /^x$/,
  'content.pageLinks': /^x 1$/,
  'members.spaces': /^1 x$/,
  'openapi.list': /^x$/,
  'search.organization': /^1 1 x( 1 x)*$/,
  'search.space': /^1 x$/,
  'sectionGroups.list': /^1 x$/,
  'siteSections.list': /^1 x$/,
  'siteSpaces.list': /^1 (x|null) 1 x$/,
  'spaces.list': /^1 x( 1 x)*$/,
};

const parts: Key = ['x', 1, null];
const longer = (keys: Key[]) => keys.flatMap((key) => parts.map((part) => [...key, part]));
const keys: Key[] = [
  [],
  ...longer([[]]),
  ...longer(longer([[]])),
  ...longer(longer(longer([[]]))),
  ['x', 'x', 'x', 'x'],
  [1, 'x', 1, 'x'],
  [1, null, 1, 'x'],
  [1, 'x', null, 'x'],
  [1, 'x', 1, 'x', 1],
  [1, 1, 'x', 1, 'x'],
];

test('a page token whose key the list cannot have given is refused on every list', async () => {
  const service = await testInstance();
  const world = await buildWorld(service, service.call, service.org, 'lists');
  const lists = (await allEndpoints()).filter(({ paged }) => paged);
  const wrong: string[] = [];

  for (const { name, path: template } of lists) {
    const params: Record<string, string> = { ...world };
    if (template.includes('/change-requests/')) params.commentId = world.requestCommentId;
    const path = pathWith(template, params);
    const filters: [string, string][] = name.startsWith('search.') ? [['query', 'words']] : [];
    const query = new URLSearchParams(filters);
    for (const key of keys) {
      query.set('page', encodeToken(JSON.stringify([path, filters]), key));
      const { status, error } = await service.call('GET', `${path}?${query}`);
      const answer = status === 400 ? error.reason : status;
      const fits = (keyTypes[name] ?? isTextAndText).test(key.map(String).join(' '));
      if (answer !== (fits ? 200 : 'bad-page-token')) wrong.push(`${name} ${JSON.stringify(key)}: ${answer}`);
    }
  }

  expect(lists.length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});

test('a page token of another list, of other filters, or with its key changed on the way is refused', async () => {
  const { call, orgPath } = await testInstance();
  for (const title of ['A', 'B', 'C']) await call('PUT', `${orgPath}/teams`, { title });
  const { page } = (await call('GET', `${orgPath}/teams?limit=1`)).body.next;
  const [scope, ...key] = JSON.parse(Buffer.from(page, 'base64url').toString());
  const token = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
  const ask = async (path: string) => {
    const { status, error } = await call('GET', path);
    return error ? `${status} ${error.reason}` : String(status);
  };

  expect(await ask(`${orgPath}/teams?limit=1&page=${page}`)).toBe('200');
  for (const path of [
    `${orgPath}/members?page=${page}`,
    `${orgPath}/teams?title=A&page=${page}`,
    `${orgPath}/teams?page=${token(scope)}`,
    `${orgPath}/teams?limit=0&page=${token(scope)}`,
    `${orgPath}/teams?page=${token(scope, ...key, 'more')}`,
    `${orgPath}/teams?page=${token(scope, { x: 1 }, key[1])}`,
    `${orgPath}/teams?page=${token(scope, 1, 2)}`,
    `${orgPath}/teams?page=x`,
  ])
    expect([path, await ask(path)]).toEqual([path, '400 bad-page-token']);
});
