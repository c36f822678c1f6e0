import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { pathWith } from '../../src/contract/endpoint.ts';
import { checkValue } from '../../src/contract/validation-issues.ts';
import { type Field, fieldOf } from '../../src/contract/fields.ts';
import { allEndpoints } from '../../src/server/http/openapi-document.ts';
import { testInstance } from '../support/instance.ts';
import { buildWorld } from '../support/world.ts';

const times = (count: number, item: string) => Array.from({ length: count }, () => item).join();
const members = (count: number, value: string) =>
  Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join();

/** Bodies in which one list, or object with free names, holds 150 items that are wrong. */
function bodiesOf(field: Field, around = (json: string) => json): string[] {
  const items = ['{}', '""'];
  switch (field.kind) {
    case 'array':
      return [
        ...items.map((item) => around(`[${times(150, item)}]`)),
        ...bodiesOf(field.item!, (json) => around(`[${json}]`)),
      ];
    case 'record':
      return items.map((item) => around(`{${members(150, item)}}`));
    case 'object':
      return Object.entries(field.members ?? {}).flatMap(([name, member]) =>
        bodiesOf(member, (json) => around(`{"${name}":${json}}`)),
      );
    case 'union':
      return field.branches!.flatMap((branch) => bodiesOf(branch, around));
    default:
      return [];
  }
}

test('a list of findings ends after 100 with their number, whatever the endpoint', async () => {
  const service = await testInstance();
  const world = await buildWorld(service, service.call, service.org, 'findings');
  const wrong: string[] = [];
  let cut = 0;

  for (const { name, method, path, body: schema } of await allEndpoints()) {
    if (!schema || method === 'GET') continue;
    const params: Record<string, string> = { ...world };
    if (path.includes('/change-requests/')) params.commentId = world.requestCommentId;
    for (const body of bodiesOf(fieldOf(schema()))) {
      const { status, error } = await service.call(method, pathWith(path, params), body);
      if (status < 400) continue;
      const [, more, number] = /has (more than )?(\d+) errors?:/.exec(error.message) ?? [];
      const listed = error.details?.length ?? 0;
      const isCut = more !== undefined || Number(number) > 100;
      if (isCut) cut++;
      const isRight = isCut
        ? listed === 100 && error.message.endsWith(' The first 100 are listed.')
        : listed === Number(number);
      if (error.details && !isRight) wrong.push(`${name} ${body.slice(0, 80)}: ${listed} of ${error.message}`);
    }
  }

  expect(cut).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test('the check ends after 100 errors', async () => {
  const { call, orgPath } = await testInstance();
  const { body: team } = await call('PUT', `${orgPath}/teams`, { title: 'Writers' });
  const { body: space } = await call('POST', `${orgPath}/spaces`, {});
  const { body: site } = await call('POST', `${orgPath}/sites`, { title: 'Docs' });

  for (const [method, path, body] of [
    ['PUT', `${orgPath}/teams/${team.id}/members`, `{"memberships":{${members(1_000, '{}')}}}`],
    ['PUT', `${orgPath}/teams/${team.id}/members`, `{"add":[${times(1_000, '{}')}]}`],
    ['PATCH', `/v1/spaces/${space.id}/custom-fields`, `{"values":{${members(1_000, '{}')}}}`],
    ['PUT', `${orgPath}/sites/${site.id}/customization`, `{"footer":{"groups":[${times(1_000, '""')}]}}`],
  ] as const) {
    const { status, error } = await call(method, path, body);

    expect([path, status, error.details?.length]).toEqual([path, 400, 100]);
    expect(error.message).toMatch(/ has more than \d+ errors: .*; and others\. The first 100 are listed\.$/);
    expect(error.message.length).toBeLessThan(1000);
  }
});

test('a list that is too long is one error, whatever is in it', async () => {
  const { call, orgPath } = await testInstance();
  const { body: team } = await call('PUT', `${orgPath}/teams`, { title: 'Writers' });
  const path = `${orgPath}/teams/${team.id}/members`;
  const body = `{"add":[${times(1_001, '{}')}],"memberships":{${members(1_001, '{}')}},"remove":[${times(1_000, '""')}]}`;

  const { status, error } = await call('PUT', path, body);

  expect([status, error.message]).toEqual([
    400,
    'The request body has 2 errors: /add must have at most 1000 items; /memberships must have at most 1000 members.',
  ]);
  const long = await call('PUT', path, `{"memberships":{"${'a'.repeat(1_000_000)}":{}}}`);
  expect(long.error.details).toEqual([
    { in: 'body', path: '/memberships', rule: 'maxLength', message: 'must have names of at most 256 characters' },
  ]);
  const many = await call('PUT', path, `{"add":[${times(60_000, '""')}]}`);
  expect([many.status, many.error.message]).toEqual([413, 'The body has more than 50000 values: send less at once.']);
});

test('issues of an alternative that was not meant do not hide others', () => {
  const schema = z.object({
    either: z.union([z.array(z.string()), z.array(z.number())]),
    numbers: z.array(z.number()),
  });
  const either = Array.from({ length: 200 }, (_, index) => index);

  expect(checkValue(schema, { either, numbers: [1] })).toEqual({ success: true, data: { either, numbers: [1] } });
  expect(checkValue(schema, { either, numbers: ['x'] })).toMatchObject({
    success: false,
    issues: [{ path: ['numbers', 0] }],
    isCut: false,
  });
});
