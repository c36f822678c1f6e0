import { expect, test } from 'vitest';
import { planOrganization } from '../../src/organization/plan/make-plan.ts';
import { phases, type Step } from '../../src/organization/plan/change.ts';
import { readFiles } from '../../src/organization/files/read-files.ts';
import { Baseline } from '../../src/organization/state/baseline.ts';
import { noIds } from '../../src/organization/parts.ts';

// The order of the requests of a plan, and the places of spaces and collections that they lead to.

type Files = Record<string, string>;

function planned(before: Files, after: Files, { prune = false, contents = [] as string[], folders = ['spaces'] } = {}) {
  const read = (files: Files) =>
    readFiles(new Map(Object.entries(files)), { folders: new Set(folders), variable: () => undefined });
  const [current, desired] = [read(before), read(after)];
  expect([...current.problems, ...desired.problems]).toEqual([]);
  return planOrganization({
    orgId: 'org',
    current: current.organization,
    desired: desired.organization,
    ids: noIds(),
    memberIds: new Map(),
    otherIds: new Map(),
    unreadSpecs: [],
    places: desired.places,
    prune,
    contents: new Set(contents),
    baseline: new Baseline({}),
  });
}

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
