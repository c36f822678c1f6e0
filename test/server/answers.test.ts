import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { spaces } from '../../src/contract/spaces.ts';
import { issuesIn } from '../support/answers.ts';
import { testInstance } from '../support/instance.ts';

test('an answer that lacks a member, has one too many, or null for an absent one, is not valid', async () => {
  const { call, orgPath } = await testInstance();
  const { body: space } = await call('POST', `${orgPath}/spaces`, {});
  const issues = (value: unknown) => issuesIn(spaces.view.answer!(), value);

  expect(issues(space)).toEqual([]);
  expect(issues({ ...space, revision: undefined })).toEqual(['/revision is required']);
  expect(issues({ ...space, secret: 1 })).toEqual([' has unknown members: secret']);
  expect(issues({ ...space, urls: { ...space.urls, more: '' } })).toEqual(['/urls has unknown members: more']);
  expect(issues({ ...space, createdAt: '2026-03-01T08:00:00Z' })[0]).toMatch(/createdAt must match/);
  expect(issues({ ...space, parent: null })).toEqual(['/parent must be a string']);
});

test('in a union and in a list, too', () => {
  const either = z.array(z.union([z.object({ role: z.string() }), z.object({ level: z.string() })]));

  expect(issuesIn(either, [{ level: 'read' }, { role: 'read' }])).toEqual([]);
  expect(issuesIn(either, [{ level: 'read', role: 'read' }])).not.toEqual([]);
});
