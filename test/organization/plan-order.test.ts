import { describe, expect, test } from 'vitest';
import { phases, type Step } from '../../src/organization/plan/change.ts';
import { hashesOf } from '../../src/organization/state/hashes.ts';
import { emptyState, setObject } from '../../src/organization/state/state.ts';
import { type Files, planned, requestsOf } from '../support/planned.ts';

// The order of the requests of a plan, and the places of spaces and collections that they lead to.

/** The changes in words: `move b (collection: null -> docs)`. */
const changesOf = (plan: ReturnType<typeof planned>) =>
  plan.changes.map(({ action, name, fields }) => {
    const [first] = fields;
    return action === 'move' ? `move ${name} (${first?.field}: ${String(first?.after)})` : `${action} ${name}`;
  });

const phaseOf = ({ phase }: Step) => phases[phase];

const space = (title: string, more = '') => `title: ${title}\n${more}`;

test('creations come before moves, and deletions last', () => {
  const plan = planned(
    { 'spaces/old/space.yaml': space('Old'), 'collections.yaml': 'order: [old]\n' },
    {
      'spaces/a/space.yaml': space('A', 'collection: docs\ndefaultLevel: read\n'),
      'collections.yaml': 'order: [docs]\ncollections:\n  - name: docs\n    title: Docs\n    order: [a]\n',
    },
    { prune: true },
  );

  const order = plan.steps.toSorted((one, other) => one.phase - other.phase).map(phaseOf);
  expect(order.indexOf('collections')).toBeLessThan(order.indexOf('spaces'));
  expect(order.indexOf('spaces')).toBeLessThan(order.indexOf('spaceSettings'));
  expect(order.at(-1)).toBe('deleteSpaces');
});

test('as few as possible are moved, after the one before or before the next that stays', () => {
  const spaces = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`spaces/${name}/space.yaml`, space(name)]));
  const plan = planned(
    { ...spaces, 'collections.yaml': 'order: [a, b, c, d]\n' },
    { ...spaces, 'collections.yaml': 'order: [d, a, b, c]\n' },
  );
  const other = planned(
    { ...spaces, 'collections.yaml': 'order: [a, b, c, d]\n' },
    { ...spaces, 'collections.yaml': 'order: [a, c, b, d]\n' },
  );

  expect(changesOf(plan)).toEqual(['move d (order: first)']);
  expect(plan.steps[0]?.body).toEqual({
    parent: null,
    position: { before: { type: 'space', space: '{space/a}' } },
  });
  expect(changesOf(other)).toHaveLength(1);
});

test('a collection moves with what is in it, also an empty one', () => {
  const tree = (parent: string, empty: string) =>
    [
      'order: [one, two]',
      'collections:',
      '  - name: one',
      '    title: One',
      `    order: [${parent === 'one' ? 'full' : ''}]`,
      ...(parent === 'one' || empty === 'one' ? ['    collections:'] : []),
      ...(parent === 'one' ? ['      - { name: full, title: Full, order: [s] }'] : []),
      ...(empty === 'one' ? ['      - { name: empty, title: Empty }'] : []),
      '  - name: two',
      '    title: Two',
      `    order: [t${parent === 'two' ? ', full' : ''}]`,
      ...(parent === 'two' || empty === 'two' ? ['    collections:'] : []),
      ...(parent === 'two' ? ['      - { name: full, title: Full, order: [s] }'] : []),
      ...(empty === 'two' ? ['      - { name: empty, title: Empty }'] : []),
      '',
    ].join('\n');
  const spaces = {
    'spaces/s/space.yaml': space('S', 'collection: full\n'),
    'spaces/t/space.yaml': space('T', 'collection: two\n'),
  };
  const plan = planned(
    { ...spaces, 'collections.yaml': tree('one', 'one') },
    { ...spaces, 'collections.yaml': tree('two', 'two') },
  );

  expect(changesOf(plan).toSorted()).toEqual(['move empty (collection: two)', 'move full (collection: two)']);
  expect(plan.steps.map(({ endpoint }) => endpoint)).toEqual(['collections.move', 'collections.move']);
});

test('without the file of the tree, spaces keep their places and new ones are created where they belong', () => {
  const plan = planned(
    { 'spaces/a/space.yaml': space('A') },
    { 'spaces/a/space.yaml': space('A'), 'spaces/b/space.yaml': space('B') },
  );
  const tree = (order: string) => `order: [${order}]\n`;
  const onlyTree = planned(
    {
      'spaces/a/space.yaml': space('A', 'collection: null\n'),
      'spaces/b/space.yaml': space('B', 'collection: null\n'),
      'collections.yaml': tree('a, b'),
    },
    { 'collections.yaml': tree('b, a') },
    { folders: [] },
  );
  const none = planned({}, { 'collections.yaml': tree('') }, { folders: [] });

  expect(changesOf(plan)).toEqual(['create b']);
  expect(changesOf(onlyTree)).toEqual(['move b (order: first)']);
  expect(none.changes).toEqual([]);
});

test('a space whose content is in the folder is not deleted, and its visibility cannot be set', () => {
  const kept = planned({ 'spaces/a/space.yaml': space('A') }, {}, { prune: true, contents: ['a'] });
  const plan = planned(
    { 'spaces/a/space.yaml': space('A', 'visibility: private\n') },
    { 'spaces/a/space.yaml': space('A', 'visibility: public\ncustomFields: { owner: null }\n') },
  );

  expect(kept.changes).toEqual([]);
  expect(plan.problems.map(({ message }) => message)).toEqual([
    'the visibility is determined by the sites that contain the space; it is private',
  ]);
});

test('a new tree is created with its settings, parents first', () => {
  const plan = planned(
    {},
    {
      'collections.yaml': [
        'order: [docs, plain]',
        'collections:',
        '  - { name: docs, title: Docs, order: [inner], collections: [{ name: inner, defaultLevel: read, order: [a] }] }',
        '  - name: plain',
        '',
      ].join('\n'),
      'spaces/a/space.yaml': 'title: A\ncollection: inner\ndefaultLevel: read\ncustomFields: { owner: Ada }\n',
      'spaces/b/space.yaml': space('B', 'collection: null\nvisibility: public\n'),
    },
  );

  expect(plan.problems).toEqual([]);
  expect(plan.changes.map(({ kind, action, name, file }) => [kind, action, name, file])).toEqual([
    ['collection', 'create', 'docs', 'collections.yaml'],
    ['collection', 'create', 'inner', 'collections.yaml'],
    ['collection', 'create', 'plain', 'collections.yaml'],
    ['space', 'create', 'a', 'spaces/a/space.yaml'],
    ['space', 'create', 'b', 'spaces/b/space.yaml'],
  ]);
  expect(requestsOf(plan)).toEqual([
    'collections.create org {"title":"Docs"}',
    'collections.create org {"title":"inner","parent":"{collection/docs}"}',
    'collections.create org {"title":"plain"}',
    'collections.edit {collection/inner} {"defaultLevel":"read"}',
    'spaces.create org {"title":"A","parent":"{collection/inner}"}',
    'spaces.create org {"title":"B"}',
    'spaces.edit {space/a} {"defaultLevel":"read"}',
    'fields.setValues {space/a} {"values":{"owner":{"value":"Ada"}}}',
  ]);
  expect(plan.steps.flatMap(({ makes = {} }) => Object.entries(makes))).toEqual([
    ['collection/docs', 'id'],
    ['collection/inner', 'id'],
    ['collection/plain', 'id'],
    ['space/a', 'id'],
    ['space/b', 'id'],
  ]);
});

test('only what differs is changed', () => {
  const tree = (one: string) => `order: [a, b]\ncollections:\n  - { name: one${one} }\n  - { name: two, title: Two }\n`;
  const plan = planned(
    {
      'collections.yaml': tree(', title: One'),
      'spaces/a/space.yaml': space('A', 'customFields: { owner: Ada, team: X }\n'),
      'spaces/b/space.yaml': space('B'),
    },
    {
      'collections.yaml': tree(', title: First, defaultLevel: read'),
      'spaces/a/space.yaml': space('Z', 'customFields: { owner: Bob, team: X }\n'),
      'spaces/b/space.yaml': space('B'),
    },
  );

  expect(changesOf(plan)).toEqual(['update one', 'update a']);
  expect(requestsOf(plan)).toEqual([
    'collections.edit {collection/one} {"title":"First","defaultLevel":"read"}',
    'spaces.edit {space/a} {"title":"Z"}',
    'fields.setValues {space/a} {"values":{"owner":{"value":"Bob"}}}',
  ]);
});

test('what is in a collection is deleted before it', () => {
  const plan = planned(
    {
      'collections.yaml': 'collections:\n  - { name: outer, collections: [{ name: inner }] }\n',
      'spaces/a/space.yaml': space('A', 'collection: inner\n'),
    },
    { 'collections.yaml': 'order: []\n' },
    { prune: true },
  );

  expect(requestsOf(plan)).toEqual([
    'spaces.delete {space/a}',
    'collections.delete {collection/inner}',
    'collections.delete {collection/outer}',
  ]);
});

describe('places', () => {
  const spacesIn = (places: Record<string, string | null | undefined>) =>
    Object.fromEntries(
      Object.entries(places).map(([name, place]) => [
        `spaces/${name}/space.yaml`,
        space(name, place === undefined ? '' : `collection: ${place}\n`),
      ]),
    );
  const treeFile = (order: string, ...collections: string[]) => ({
    'collections.yaml': `order: [${order}]\ncollections: [${collections.join(', ')}]\n`,
  });
  const [one, two] = ['{ name: one, order: [a, b] }', '{ name: two, order: [c] }'];
  const spaces = { a: 'one', b: 'one', c: 'two' };

  test('collections with spaces change their order, those without keep their place', () => {
    const full = planned(
      { ...spacesIn(spaces), ...treeFile('one, two', one, two) },
      { ...spacesIn(spaces), ...treeFile('two, one', one, two) },
    );
    const [outer, other] = ['outer', 'other'].map((name) => `{ name: ${name}, collections: [{ name: in-${name} }] }`);
    const empty = planned(treeFile('outer, other', outer!, other!), treeFile('other, outer', outer!, other!));
    const deep = ['{ name: one, collections: [{ name: in, order: [a, b] }] }', two];
    const nested = { a: 'in', b: 'in', c: 'two' };
    const below = planned(
      { ...spacesIn(nested), ...treeFile('one, two', ...deep) },
      { ...spacesIn(nested), ...treeFile('two, one', ...deep) },
    );

    expect(changesOf(full)).toEqual(['move two (order: first)']);
    expect(requestsOf(full)).toEqual([
      'collections.move {collection/two} {"parent":null,"position":{"before":{"type":"collection","collection":"{collection/one}"}}}',
    ]);
    expect(changesOf(empty)).toEqual([]);
    expect(changesOf(below)).toEqual(['move two (order: first)']);
  });

  test('a collection that got its first space is moved to its place', () => {
    const before = { ...spacesIn({ a: null, b: null }), ...treeFile('a, b, new', '{ name: new }') };
    const after = {
      ...spacesIn({ a: null, b: null, s: 'new' }),
      ...treeFile('a, b, new', '{ name: new, order: [s] }'),
    };

    expect(changesOf(planned(before, after))).toEqual(['create s', 'move new (order: after b)']);
  });

  test('a space changes its collection, its place, or both, and one without a collection in its file stays', () => {
    const before = { ...spacesIn(spaces), ...treeFile('one, two', one, two) };
    const moved = planned(before, {
      ...spacesIn({ a: 'two', b: 'one', c: 'two' }),
      ...treeFile('one, two', '{ name: one, order: [b] }', '{ name: two, order: [a, c] }'),
    });
    const sorted = planned(before, {
      ...spacesIn({ a: 'one', b: undefined, c: undefined }),
      ...treeFile('one, two', '{ name: one, order: [b, a] }', two),
    });
    const top = planned(before, {
      ...spacesIn({ a: null, b: 'one', c: 'two' }),
      ...treeFile('one, two, a', '{ name: one, order: [b] }', two),
    });

    expect(moved.changes).toMatchObject([
      {
        kind: 'space',
        name: 'a',
        action: 'move',
        file: 'spaces/a/space.yaml',
        fields: [{ field: 'collection', before: 'one', after: 'two' }],
      },
    ]);
    expect(requestsOf(moved)).toEqual([
      'spaces.move {space/a} {"parent":"{collection/two}","position":{"before":{"type":"space","space":"{space/c}"}}}',
    ]);
    expect(sorted.changes).toMatchObject([{ name: 'b', file: 'collections.yaml', fields: [{ field: 'order' }] }]);
    expect(changesOf(top)).toEqual(['move a (collection: null)']);
  });

  test('new spaces are moved to their places, and those that the order does not mention follow it as they are', () => {
    const made = planned(
      { ...spacesIn({ a: null, b: null }), ...treeFile('a, b') },
      { ...spacesIn({ a: null, b: null, n: null }), ...treeFile('a, n, b') },
    );
    const partly = planned(
      { ...spacesIn({ a: null, b: null, c: null }), ...treeFile('c, a, b') },
      { ...spacesIn({ a: null, b: null, c: null }), ...treeFile('b') },
    );

    expect(changesOf(made)).toEqual(['create n', 'move n (order: after a)']);
    expect(changesOf(partly)).toEqual(['move b (order: first)']);
  });

  test('a collection of spaces that the files do not mention has a place, also without the files of spaces', () => {
    const before = { ...spacesIn({ a: 'one', z: null }), ...treeFile('one, z', '{ name: one, order: [a] }') };
    const unnamed = planned(before, { ...spacesIn({ z: null }), ...treeFile('z, one', '{ name: one }') });
    const [a, z] = [spacesIn({ a: null, z: null }), treeFile('a, z', '{ name: one }')];
    const pruned = planned({ ...a, ...z }, treeFile('z, a', '{ name: one }'), { prune: true, folders: [] });
    const elsewhere = planned({ ...a, ...z }, treeFile('z', '{ name: one, order: [a] }'), { folders: [] });

    expect(changesOf(unnamed)).toEqual(['move z (order: first)']);
    expect(changesOf(pruned)).toEqual(['move z (order: first)']);
    expect(changesOf(elsewhere)).toEqual(['move z (order: first)']);
  });

  test('what was moved in the app is marked, if the file that has the place is as it was', () => {
    const file = (name: string) => new Map([[name, 'hash']]);
    const unchanged = (name: string) => ({ files: file(name), hashes: file(name) });
    const before = { ...spacesIn(spaces), ...treeFile('one, two', one, two) };
    const order = { ...spacesIn(spaces), ...treeFile('two, one', one, two) };
    const moved = {
      ...spacesIn({ ...spaces, a: 'two' }),
      ...treeFile('one, two', '{ name: one, order: [b] }', '{ name: two, order: [c, a] }'),
    };
    const isDrift = (after: Files, name: string) => planned(before, after, unchanged(name)).changes[0]?.isDrift;

    expect(isDrift(order, 'collections.yaml')).toBe(true);
    expect(isDrift(order, 'spaces/a/space.yaml')).toBeFalsy();
    expect(isDrift(moved, 'spaces/a/space.yaml')).toBe(true);
    expect(isDrift(moved, 'collections.yaml')).toBeFalsy();
    const state = emptyState();
    setObject(state, 'collection', 'one', {
      id: 'one',
      base: hashesOf('collection', { order: ['b', 'a'] }, new Map()),
    });
    setObject(state, 'space', 'a', { id: 'a', base: hashesOf('space', { collection: 'one' }, new Map()) });
    const sorted = { ...spacesIn(spaces), ...treeFile('one, two', '{ name: one, order: [b, a] }', two) };
    expect(planned(before, sorted, { state }).changes[0]?.isDrift).toBe(true);
    expect(planned(before, moved, { state }).changes[0]?.isDrift).toBeFalsy();
  });
});
