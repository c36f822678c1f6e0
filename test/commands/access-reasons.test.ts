import { expect, test } from 'vitest';
import { type Member, reasonFor, type Space } from '../../src/organization/access.ts';
import type { Collection } from '../../src/organization/collections-above.ts';

const user = { object: 'user' as const, id: 'u1', displayName: 'Ada', email: 'ada@x.example', urls: { location: '' } };
const memberOf = (role: Member['role'], teams = 0): Member => ({
  id: 'u1',
  user,
  role,
  disabled: false,
  teams,
  spaces: 1,
});
const spaceIn = (parent?: string): Space => ({
  id: 's1',
  title: 'Guide',
  defaultLevel: 'read',
  createdAt: '2026-01-01T00:00:00.000Z',
  ...(parent === undefined ? {} : { parent }),
});
const collections = new Map<string, Collection>([
  ['c1', { id: 'c1', title: 'Inner', defaultLevel: null, parent: 'c2' }],
  ['c2', { id: 'c2', title: 'Outer', defaultLevel: 'edit' }],
  ['loop', { id: 'loop', title: 'Loop', defaultLevel: 'read', parent: 'loop' }],
  ['hidden', { id: 'hidden', title: 'Below', defaultLevel: null, parent: 'unseen' }],
]);

test.each([
  [
    'the role and the default level, where both give it',
    memberOf('read'),
    spaceIn(),
    'read',
    'role read; default level of the space',
  ],
  ['a collection further above', memberOf('read'), spaceIn('c1'), 'edit', 'default level of the collection "Outer"'],
  ['a grant, where nothing else gives it', memberOf('read'), spaceIn(), 'admin', 'granted'],
  ['a grant or a team, where there are teams', memberOf('read', 2), spaceIn(), 'admin', 'granted or by a team'],
  ['that a guest got it', memberOf(null), spaceIn('c1'), 'read', 'granted to a guest'],
  [
    'that a collection could not be seen',
    memberOf('read'),
    spaceIn('hidden'),
    'edit',
    'granted or default level of a collection that you cannot see',
  ],
  ['nothing, where the service shows less than the role gives', memberOf('edit'), spaceIn(), 'read', 'unknown'],
  ['and ends where collections are in each other', memberOf('comment'), spaceIn('loop'), 'comment', 'role comment'],
] as const)('the reason names %s', (_, member, space, level, reason) => {
  expect(reasonFor(member, space, level, collections)).toBe(reason);
});
