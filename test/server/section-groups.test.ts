import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';
import { rejection } from '../support/reject.ts';
import { makeSectionedSite } from '../support/sites.ts';

async function grouped() {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['A0', 'B0', 'C0', 'D0']);
  const [a, b, c, d] = sections as [string, string, string, string];
  return {
    ...service,
    service,
    path,
    ids: { a, b, c, d },
    group: async (title: string, members: string[] = []): Promise<string> =>
      (await call('POST', `${path}/section-groups`, { title, sections: members })).body.id,
    /** Sections in their flat order. */
    flat: async () => (await call('GET', `${path}/sections`)).body.items.map((item: any) => item.title[0]).join(''),
    /** The nested structure: `G(bc)a`. */
    tree: async () =>
      (await call('GET', `${path}/structure`)).body.structure
        .map((item: any) =>
          item.object === 'site-section'
            ? item.title[0]
            : `${item.title}(${item.sections.map((section: any) => section.title[0]).join('')})`,
        )
        .join(''),
    move: (id: string, position?: object) =>
      call('POST', `${path}/section-groups/${id}/move`, position && { position }),
    moveSection: (id: string, which: string, beside: string) =>
      call('POST', `${path}/sections/${id}/move`, {
        position: { [which]: { type: 'site-section', siteSection: beside } },
      }),
  };
}

test('a new group is where the first of its sections was, followed by its sections in their order', async () => {
  const { call, path, ids, tree, flat } = await grouped();

  const made = await call('POST', `${path}/section-groups`, {
    title: 'Learn',
    icon: 'cap',
    sections: [ids.c, ids.b, ids.c],
  });

  expect(made.status).toBe(201);
  expect(made.headers.location).toBe(`http://localhost:4000${path}/section-groups/${made.body.id}`);
  expect(made.body).toMatchObject({ object: 'site-section-group', title: 'Learn', icon: 'cap' });
  expect(made.body.sections.map((section: any) => [section.id, section.sectionGroup])).toEqual([
    [ids.c, made.body.id],
    [ids.b, made.body.id],
  ]);
  expect(await tree()).toBe('ALearn(CB)D');
  expect(await flat()).toBe('ACBD');
  expect((await call('GET', `${path}/section-groups`)).body).toMatchObject({ count: 1, items: [made.body] });
});

test('a group can be empty and is at the end then', async () => {
  const { group, tree } = await grouped();

  await group('G');

  expect(await tree()).toBe('ABCDG()');
});

test('a section is in one group at most: adding it to another moves it', async () => {
  const { call, path, ids, group, tree, flat } = await grouped();
  const one = await group('G', [ids.a, ids.b]);
  const two = await group('H', [ids.d]);
  expect(await tree()).toBe('G(AB)CH(D)');

  const added = await call('POST', `${path}/section-groups/${two}/sections`, { sectionId: ids.a });

  expect(added.status).toBe(201);
  expect(added.headers.location).toBe(`http://localhost:4000${path}/section-groups/${two}`);
  expect(added.body.sections.map((section: any) => section.id)).toEqual([ids.d, ids.a]);
  expect(await tree()).toBe('G(B)CH(DA)');
  expect(await flat()).toBe('BCDA');
  expect((await call('POST', `${path}/section-groups/${two}/sections`, { sectionId: ids.a })).status).toBe(201);
  expect(await tree()).toBe('G(B)CH(DA)');
  const stolen = await call('POST', `${path}/section-groups`, { title: 'I', sections: [ids.b] });
  expect(stolen.body.sections).toHaveLength(1);
  expect(await tree()).toBe('G()I(B)CH(DA)');
  expect((await call('GET', `${path}/section-groups`)).body.items.map((item: any) => item.id)).toEqual([
    one,
    stolen.body.id,
    two,
  ]);
});

test('a group made of sections in the middle of another comes after that one', async () => {
  const { ids, group, tree, flat } = await grouped();
  await group('G', [ids.a, ids.b, ids.c]);

  await group('H', [ids.b]);

  expect([await tree(), await flat()]).toEqual(['G(AC)H(B)D', 'ACBD']);
});

test('a section that is removed comes directly after the group', async () => {
  const { call, path, ids, group, tree, flat } = await grouped();
  const id = await group('G', [ids.a, ids.b, ids.c]);
  const remove = (section: string) => call('DELETE', `${path}/section-groups/${id}/sections/${section}`);

  expect((await remove(ids.a)).status).toBe(205);

  expect(await tree()).toBe('G(BC)AD');
  expect(await flat()).toBe('BCAD');
  expect((await remove(ids.a)).status).toBe(404);
  expect((await remove(ids.d)).status).toBe(404);
});

test('deleting a group leaves its sections where they are', async () => {
  const { call, path, ids, group, tree } = await grouped();
  const id = await group('G', [ids.b, ids.c]);

  expect((await call('DELETE', `${path}/section-groups/${id}`)).status).toBe(205);

  expect(await tree()).toBe('ABCD');
  const { items } = (await call('GET', `${path}/sections`)).body;
  expect(items.some((item: any) => 'sectionGroup' in item)).toBe(false);
  expect((await call('DELETE', `${path}/section-groups/${id}`)).status).toBe(404);
});

test('a group moves with its sections, next to sections and other groups', async () => {
  const { ids, group, tree, flat, move } = await grouped();
  const one = await group('G', [ids.a, ids.b]);
  const two = await group('H', [ids.d]);
  const section = (id: string) => ({ type: 'site-section', id });
  const other = (id: string) => ({ type: 'site-section-group', id });

  expect((await move(one)).body).toMatchObject({ id: one });
  expect([await tree(), await flat()]).toEqual(['CH(D)G(AB)', 'CDAB']);
  await move(one, { before: section(ids.c) });
  expect([await tree(), await flat()]).toEqual(['G(AB)CH(D)', 'ABCD']);
  await move(one, { after: other(two) });
  expect([await tree(), await flat()]).toEqual(['CH(D)G(AB)', 'CDAB']);
  await move(one, { before: other(two), after: section(ids.c) });
  expect([await tree(), await flat()]).toEqual(['CG(AB)H(D)', 'CABD']);
  await move(two, { before: section(ids.a) });
  expect([await tree(), await flat()]).toEqual(['CH(D)G(AB)', 'CDAB']);
  expect((await move(two, { after: section(ids.c) })).status).toBe(200);

  expect(rejection(await move(one, { after: section(ids.a) }))[2]).toBe('/position/after reference');
  expect(rejection(await move(one, { after: other(one) }))[2]).toBe('/position/after reference');
  expect(rejection(await move(one, { before: other(ids.c) }))[2]).toBe('/position/before reference');
  expect(rejection(await move(one, { after: section(ids.c), before: section(ids.c) }))[2]).toBe('/position conflict');
});

test('moving a section next to sections of a group neither adds it to the group nor removes it', async () => {
  const { call, path, ids, group, tree, flat, moveSection } = await grouped();
  await group('G', [ids.b, ids.c]);

  await moveSection(ids.d, 'before', ids.c);
  expect(await flat()).toBe('ABDC');
  expect(await tree()).toBe('AG(BC)D');
  await moveSection(ids.d, 'before', ids.b);
  expect([await flat(), await tree()]).toEqual(['ADBC', 'ADG(BC)']);
  await moveSection(ids.b, 'before', ids.a);
  expect([await flat(), await tree()]).toEqual(['BADC', 'ADG(BC)']);
  await moveSection(ids.c, 'before', ids.b);
  expect([await flat(), await tree()]).toEqual(['CBAD', 'ADG(CB)']);
  const between = await call('POST', `${path}/sections/${ids.d}/move`, {
    position: {
      after: { type: 'site-section', siteSection: ids.c },
      before: { type: 'site-section', siteSection: ids.b },
    },
  });
  expect([between.status, await flat()]).toEqual([200, 'CDBA']);
});

test('title and icon change, null clears the icon', async () => {
  const { call, path, group } = await grouped();
  const id = await group('G');

  const changed = await call('PATCH', `${path}/section-groups/${id}`, { title: 'Learn', icon: 'cap' });
  expect(changed.body).toEqual({ object: 'site-section-group', id, title: 'Learn', icon: 'cap', sections: [] });
  expect((await call('PATCH', `${path}/section-groups/${id}`, {})).body).toEqual(changed.body);
  expect((await call('PATCH', `${path}/section-groups/${id}`, { icon: null })).body.icon).toBeUndefined();
});

test('sections of another site and unknown sections are refused', async () => {
  const { service, call, path, ids, group } = await grouped();
  const other = await makeSectionedSite(service, ['X0']);
  const id = await group('G');

  const made = await call('POST', `${path}/section-groups`, { title: 'H', sections: [ids.a, other.sections[0]] });
  expect(rejection(made)).toEqual([400, 'validation', '/sections/1 reference']);
  const added = await call('POST', `${path}/section-groups/${id}/sections`, { sectionId: other.sections[0] });
  expect(rejection(added)).toEqual([400, 'validation', '/sectionId reference']);
  expect((await call('GET', `${path}/section-groups`)).body.count).toBe(1);
  expect((await call('DELETE', `${other.path}/section-groups/${id}`)).status).toBe(404);
});
