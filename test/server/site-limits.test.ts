import fc from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { type TestInstance, testInstance } from '../support/instance.ts';
import { rejection } from '../support/reject.ts';
import { makeSectionedSite, makeSite, makeSpace } from '../support/sites.ts';

/** A site with one of everything, and the addresses of it. */
async function everything() {
  const service = await testInstance();
  const { call, orgPath } = service;
  const { path, sections } = await makeSectionedSite(service, ['One', 'Two']);
  const [siteSpace] = (await call('GET', `${path}/site-spaces`)).body.items;
  const group = (await call('POST', `${path}/section-groups`, { title: 'Group' })).body;
  const link = (await call('POST', `${path}/share-links`, { name: 'Press' })).body;
  const space = await makeSpace(service);
  const comments = `/v1/spaces/${space}/comments`;
  const comment = (await call('POST', comments, { body: { markdown: 'x' } })).body;
  const customization = (await call('GET', `${path}/customization`)).body;
  return {
    service,
    space,
    customization,
    sites: `${orgPath}/sites`,
    site: path,
    sections: `${path}/sections`,
    section: `${path}/sections/${sections[0]}`,
    groups: `${path}/section-groups`,
    group: `${path}/section-groups/${group.id}`,
    siteSpace: `${path}/site-spaces/${siteSpace.id}`,
    links: `${path}/share-links`,
    link: `${path}/share-links/${link.id}`,
    settings: `${path}/customization`,
    comments,
    comment: `${comments}/${comment.id}`,
    replies: `${comments}/${comment.id}/replies`,
  };
}
type Everything = Awaited<ReturnType<typeof everything>>;
type Address = Exclude<keyof Everything, 'service' | 'space' | 'customization'>;

interface Limited {
  method: string;
  address: Address;
  body: (text: string, all: Everything) => object;
  field: string;
  min?: number;
  max: number;
}

const limit = (
  call: `${string} ${Address}`,
  field: string,
  [min, max]: [number | undefined, number],
  body?: Limited['body'],
): Limited => {
  const [method, address] = call.split(' ') as [string, Address];
  const defaultBody = (text: string) => ({ [field.slice(1)]: text });
  return { method, address, field, body: body ?? defaultBody, max, ...(min === undefined ? {} : { min }) };
};

const inSettings =
  (make: (text: string, customization: any) => object): Limited['body'] =>
  (text, { customization }) => ({ ...customization, ...make(text, customization) });

const limits: Limited[] = [
  limit('POST sites', '/title', [2, 128]),
  limit('PATCH site', '/title', [2, 128]),
  limit('PATCH site', '/basename', [1, 100]),
  limit('POST sections', '/title', [2, 64], (title, { space }) => ({ spaceId: space, title })),
  limit('POST sections', '/icon', [undefined, 50], (icon, { space }) => ({ spaceId: space, icon })),
  limit('PATCH section', '/title', [2, 128]),
  limit('PATCH section', '/description', [undefined, 256]),
  limit('PATCH section', '/path', [1, 100]),
  limit('PATCH section', '/condition', [1, 1024]),
  limit('PATCH section', '/icon', [undefined, 50]),
  limit('POST groups', '/title', [1, 100]),
  limit('POST groups', '/icon', [undefined, 50], (icon) => ({ title: 'G', icon })),
  limit('PATCH group', '/title', [1, 100]),
  limit('PATCH group', '/icon', [undefined, 50]),
  limit('PATCH siteSpace', '/path', [1, 100]),
  limit('PATCH siteSpace', '/condition', [1, 1024]),
  limit('POST links', '/name', [undefined, 50]),
  limit('PATCH link', '/name', [undefined, 50]),
  limit(
    'PUT settings',
    '/title',
    [2, 128],
    inSettings((title) => ({ title })),
  ),
  limit(
    'PUT settings',
    '/announcement/message',
    [2, 128],
    inSettings((message) => ({ announcement: { enabled: true, message, style: 'info' } })),
  ),
  limit(
    'PUT settings',
    '/footer/copyright',
    [undefined, 300],
    inSettings((copyright) => ({ footer: { groups: [], copyright } })),
  ),
  limit(
    'PUT settings',
    '/footer/groups/0/links/0/title',
    [undefined, 64],
    inSettings((title) => ({ footer: { groups: [{ title: '', links: [{ title, to: null }] }] } })),
  ),
  limit(
    'PUT settings',
    '/header/links/0/links/0/title',
    [undefined, 64],
    inSettings((title) => ({ header: { links: [{ title: '', to: null, links: [{ title, to: null }] }] } })),
  ),
  limit('POST comments', '/body/markdown', [1, 10_000], (markdown) => ({ body: { markdown } })),
  limit('PUT comment', '/body/markdown', [1, 10_000], (markdown) => ({ body: { markdown } })),
  limit('POST replies', '/body/markdown', [1, 10_000], (markdown) => ({ body: { markdown } })),
];

describe.each(limits)(
  '$method $address: $field, $min to $max characters',
  ({ method, address, body, field, min = 0, max }) => {
    test('is accepted at the limit and refused beyond it, counted in characters', async () => {
      const all = await everything();
      const { call } = all.service;
      const send = async (length: number, character: string) =>
        call(method, all[address], body(character.repeat(length), all));

      for (const [length, character] of [
        [max, 'x'],
        [max, '👍'],
        [min, 'y'],
        [min, '🙏'],
      ] as const) {
        expect([length, character, (await send(length, character)).status < 300]).toEqual([length, character, true]);
      }
      expect(rejection(await send(max + 1, 'x'))).toEqual([400, 'validation', `${field} maxLength`]);
      if (min > 0) expect(rejection(await send(min - 1, 'x'))).toEqual([400, 'validation', `${field} minLength`]);
    });
  },
);

test('null is accepted where it clears a value, and refused elsewhere', async () => {
  const all = await everything();
  const { call } = all.service;
  const patch = async (address: Address, field: string) =>
    (await call('PATCH', all[address], { [field]: null })).status === 200 ? field : `not ${field}`;

  expect(await Promise.all(['proxy', 'title', 'basename', 'visibility'].map((field) => patch('site', field)))).toEqual([
    'proxy',
    'not title',
    'not basename',
    'not visibility',
  ]);
  expect(
    await Promise.all(
      ['condition', 'icon', 'description', 'title', 'path', 'defaultSiteSpace'].map((field) => patch('section', field)),
    ),
  ).toEqual(['condition', 'icon', 'description', 'not title', 'not path', 'not defaultSiteSpace']);
  expect(await Promise.all(['icon', 'title'].map((field) => patch('group', field)))).toEqual(['icon', 'not title']);
  expect(await Promise.all(['condition', 'path'].map((field) => patch('siteSpace', field)))).toEqual([
    'condition',
    'not path',
  ]);
  expect(await Promise.all(['name', 'active'].map((field) => patch('link', field)))).toEqual([
    'not name',
    'not active',
  ]);
});

test('a proxy is a host with a path prefix of at most 512 characters', async () => {
  const all = await everything();
  const { call } = all.service;
  const put = async (proxy: string) => rejection(await call('PATCH', all.site, { proxy }));
  const long = `lumen.example/${'x'.repeat(498)}`;

  expect(await put(long)).toEqual([200, undefined]);
  expect(await put(`${long}x`)).toEqual([400, 'validation', '/proxy maxLength']);
  for (const bad of ['lumen.example', 'https://lumen.example/docs', 'lumen/docs', 'lumen.example/docs/', '']) {
    expect([bad, ...(await put(bad))]).toEqual([bad, 400, 'validation', '/proxy pattern']);
  }
});

test('lists accept a limit from 0 to 1000', async () => {
  const all = await everything();
  const { call } = all.service;
  for (const address of ['sites', 'sections', 'groups', 'links', 'comments', 'replies'] as const) {
    const none = await call('GET', `${all[address]}?limit=0`);
    expect([address, none.body.items, none.body.next]).toEqual([address, [], undefined]);
    expect((await call('GET', `${all[address]}?limit=1000`)).status).toBe(200);
    for (const bad of ['1001', '-1', '1.5', 'many']) {
      const refused = rejection(await call('GET', `${all[address]}?limit=${bad}`));
      expect([address, bad, refused.slice(0, 2)]).toEqual([address, bad, [400, 'validation']]);
      expect(refused[2]).toMatch(/^limit /);
    }
    expect(rejection(await call('GET', `${all[address]}?page=nonsense`))).toEqual([400, 'bad-page-token']);
  }
});

test('unknown members of a body and unknown query parameters are ignored', async () => {
  const all = await everything();
  const { call } = all.service;

  expect((await call('PATCH', `${all.site}?color=red`, { color: 'red' })).body).toEqual(
    (await call('GET', all.site)).body,
  );
});

// ---- moves

const runOptions = { numRuns: 12, seed: 20260301 };
const count = 5;
const anyMove = fc.record({
  item: fc.nat(count - 1),
  to: fc.oneof(
    fc.constant(undefined),
    fc.record({ which: fc.constantFrom('before' as const, 'after' as const), neighbour: fc.nat(count - 1) }),
  ),
});
type Move = typeof anyMove extends fc.Arbitrary<infer T> ? T : never;

/** What a move makes of an order. */
function moved<T>(order: T[], item: T, to: { which: 'before' | 'after'; neighbour: T } | undefined): T[] {
  const rest = order.filter((each) => each !== item);
  const index = to ? rest.indexOf(to.neighbour) + Number(to.which === 'after') : rest.length;
  return rest.toSpliced(index, 0, item);
}

const titles = Array.from({ length: count }, (_, index) => `Item ${index}`);

/** Runs moves against the service and a list beside it. */
async function checkMoves(
  service: TestInstance,
  path: string,
  moves: Move[],
  pointer: (id: string) => object,
): Promise<void> {
  const { call } = service;
  const list = async () => (await call('GET', path)).body.items.map((item: any) => item.id) as string[];
  let order = await list();
  const ids = order;
  for (const { item, to } of moves) {
    const [id, neighbour] = [ids[item]!, to && ids[to.neighbour]!];
    const position = to ? { [to.which]: pointer(neighbour!) } : {};
    const { status } = await call('POST', `${path}/${id}/move`, { position });
    expect(status).toBe(neighbour === id ? 400 : 200);
    if (status === 200) order = moved(order, id, to && { which: to.which, neighbour: neighbour! });
    expect(await list()).toEqual(order);
  }
}

test('any moves of site spaces keep each of them once, at the requested place', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyMove, { minLength: 1, maxLength: 12 }), async (moves) => {
      const service = await testInstance();
      const { path } = await makeSite(service, titles);
      await checkMoves(service, `${path}/site-spaces`, moves, (siteSpace) => ({ type: 'site-space', siteSpace }));
    }),
    runOptions,
  ));

test('any moves of sections keep each of them once, at the requested place', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyMove, { minLength: 1, maxLength: 12 }), async (moves) => {
      const service = await testInstance();
      const { path } = await makeSectionedSite(service, titles);
      await checkMoves(service, `${path}/sections`, moves, (siteSection) => ({ type: 'site-section', siteSection }));
    }),
    runOptions,
  ));

const anyGrouping = fc.oneof(
  fc.record({ kind: fc.constant('group' as const), members: fc.uniqueArray(fc.nat(count - 1), { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('join' as const), item: fc.nat(count - 1), group: fc.nat(2) }),
  fc.record({ kind: fc.constant('leave' as const), item: fc.nat(count - 1) }),
  fc.record({ kind: fc.constant('free' as const), group: fc.nat(2) }),
  fc.record({ kind: fc.constant('move' as const), move: anyMove }),
  fc.record({
    kind: fc.constant('moveGroup' as const),
    group: fc.nat(2),
    which: fc.constantFrom('before' as const, 'after' as const),
    beside: fc.oneof(
      fc.record({ section: fc.nat(count - 1) }),
      fc.record({ group: fc.nat(2) }),
      fc.constant(undefined),
    ),
  }),
);
type Grouping = typeof anyGrouping extends fc.Arbitrary<infer T> ? T : never;

test('after any changes of groups and moves, each section and group is there once, at the requested place', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyGrouping, { minLength: 1, maxLength: 14 }), async (steps) => {
      const service = await testInstance();
      const { path, sections } = await makeSectionedSite(service, titles);
      for (const step of steps) await regroup(service, path, sections, step);
    }),
    runOptions,
  ));

interface SiteStructure {
  /** Sections in their flat order. */
  flat: string[];
  /** Sections and groups on the top level. */
  top: string[];
  groups: Map<string, string[]>;
}

async function readStructure({ call }: TestInstance, path: string, all: string[]): Promise<SiteStructure> {
  const flat = (await call('GET', `${path}/sections`)).body.items;
  const groups = new Map<string, string[]>(
    (await call('GET', `${path}/section-groups`)).body.items.map((group: any) => [
      group.id,
      group.sections.map((section: any) => section.id),
    ]),
  );
  const nested = (await call('GET', `${path}/structure`)).body.structure;
  const nestedIds = nested.flatMap((item: any) =>
    item.object === 'site-section' ? [item.id] : item.sections.map((section: any) => section.id),
  );
  // Each section once: in the list, in the structure, and in its group.
  expect(flat.map((section: any) => section.id).toSorted()).toEqual(all.toSorted());
  expect(nestedIds.toSorted()).toEqual(all.toSorted());
  for (const { id, sectionGroup } of flat) {
    const holders = [...groups].filter(([, members]) => members.includes(id)).map(([group]) => group);
    expect(holders).toEqual(sectionGroup === undefined ? [] : [sectionGroup]);
  }
  const top = nested.map((item: any) => item.id);
  expect(top.filter((id: string) => groups.has(id))).toEqual([...groups.keys()]);
  return { flat: flat.map((section: any) => section.id), top, groups };
}

async function regroup(service: TestInstance, path: string, sections: string[], step: Grouping): Promise<void> {
  const { call } = service;
  const before = await readStructure(service, path, sections);
  const groups = [...before.groups.keys()];
  const groupsPath = `${path}/section-groups`;
  switch (step.kind) {
    case 'group': {
      if (groups.length === 3) return;
      const members = step.members.map((index) => sections[index]!);
      const { body } = await call('POST', groupsPath, { title: 'G', sections: members });
      expect((await readStructure(service, path, sections)).groups.get(body.id)).toEqual(members);
      return;
    }
    case 'join': {
      const group = groups[step.group];
      if (group === undefined) return;
      const section = sections[step.item]!;
      await call('POST', `${groupsPath}/${group}/sections`, { sectionId: section });
      expect((await readStructure(service, path, sections)).groups.get(group)).toContain(section);
      return;
    }
    case 'leave': {
      const section = sections[step.item]!;
      const holder = groups.find((group) => before.groups.get(group)!.includes(section));
      if (holder === undefined) return;
      expect((await call('DELETE', `${groupsPath}/${holder}/sections/${section}`)).status).toBe(205);
      expect((await readStructure(service, path, sections)).groups.get(holder)).not.toContain(section);
      return;
    }
    case 'free': {
      const group = groups[step.group];
      if (group === undefined) return;
      await call('DELETE', `${groupsPath}/${group}`);
      expect((await readStructure(service, path, sections)).flat).toEqual(before.flat);
      return;
    }
    case 'move': {
      const { item, to } = step.move;
      const neighbour = to && sections[to.neighbour]!;
      if (neighbour === sections[item]) return;
      const position = to ? { [to.which]: { type: 'site-section', siteSection: neighbour } } : {};
      await call('POST', `${path}/sections/${sections[item]}/move`, { position });
      const after = await readStructure(service, path, sections);
      expect(after.flat).toEqual(moved(before.flat, sections[item]!, to && { which: to.which, neighbour: neighbour! }));
      expect(after.groups.size).toBe(before.groups.size);
      return;
    }
    case 'moveGroup':
      await moveGroup(service, path, sections, before, step);
  }
}

async function moveGroup(
  service: TestInstance,
  path: string,
  sections: string[],
  before: SiteStructure,
  { group: index, which, beside }: Extract<Grouping, { kind: 'moveGroup' }>,
): Promise<void> {
  const groups = [...before.groups.keys()];
  const group = groups[index];
  if (group === undefined) return;
  const members = before.groups.get(group)!;
  const neighbour =
    beside &&
    ('section' in beside
      ? { type: 'site-section', id: sections[beside.section]! }
      : groups[beside.group] && { type: 'site-section-group', id: groups[beside.group]! });
  const { status } = await service.call('POST', `${path}/section-groups/${group}/move`, {
    position: neighbour ? { [which]: neighbour } : {},
  });
  const isRefused = neighbour && (neighbour.id === group || members.includes(neighbour.id));
  expect(status).toBe(isRefused ? 400 : 200);
  const { flat, top, groups: groupsAfter } = await readStructure(service, path, sections);
  expect(groupsAfter.get(group)).toEqual(members);
  if (isRefused) return;
  // A group moves with its sections: they stand together.
  const start = flat.indexOf(members[0]!);
  if (members.length > 0) expect(flat.slice(start, start + members.length)).toEqual(members);
  if (!neighbour) expect(top.at(-1)).toBe(group);
  else if (top.includes(neighbour.id)) {
    expect(top.indexOf(group) - top.indexOf(neighbour.id)).toBe(which === 'before' ? -1 : 1);
  }
}
