import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { pathWith } from '../../src/contract/endpoint.ts';
import { checkValue } from '../../src/contract/validation-issues.ts';
import { type Field, fieldOf } from '../../src/contract/fields.ts';
import { allEndpoints } from '../../src/describe/openapi-document.ts';
import { testInstance } from '../support/instance.ts';
import { buildWorld } from '../support/world.ts';
import { isLong } from '../support/long-form.ts';

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
      const number = Number(/has (\d+) errors?:/.exec(error.message)?.[1]);
      const listed = error.details?.length ?? 0;
      if (number > 100) cut++;
      const isRight = number > 100 ? listed === 100 && error.message.endsWith(' The first 100 are listed.') : true;
      if (error.details && !(isRight && (number > 100 || listed === number)))
        wrong.push(`${name} ${body.slice(0, 80)}: ${listed} of ${error.message}`);
    }
  }

  expect(cut).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test('very many faults are counted', async () => {
  const { call, orgPath } = await testInstance();
  const { body: team } = await call('PUT', `${orgPath}/teams`, { title: 'Writers' });
  const { body: space } = await call('POST', `${orgPath}/spaces`, {});
  const { body: site } = await call('POST', `${orgPath}/sites`, { title: 'Docs' });
  const count = isLong ? 200_000 : 20_000;

  for (const [method, path, body] of [
    ['PUT', `${orgPath}/teams/${team.id}/members`, `{"memberships":{${members(count, '{}')}}}`],
    ['PUT', `${orgPath}/teams/${team.id}/members`, `{"add":[${times(count, '{}')}]}`],
    ['PUT', `${orgPath}/teams/${team.id}/members`, `{"add":[${times(count, '""')}]}`],
    ['PATCH', `/v1/spaces/${space.id}/custom-fields`, `{"values":{${members(count, '{}')}}}`],
    ['PUT', `${orgPath}/sites/${site.id}/customization`, `{"footer":{"groups":[${times(count, '""')}]}}`],
  ] as const) {
    const { status, error } = await call(method, path, body);

    expect([path, status, error.details?.length]).toEqual([path, 400, 100]);
    expect(Number(/has (\d+) errors:/.exec(error.message)![1])).toBeGreaterThanOrEqual(count);
    expect(error.message.length).toBeLessThan(1000);
  }
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
    dropped: 0,
  });
});
