import { describe, expect, test } from 'vitest';
import { type TestInstance, testInstance } from '../support/instance.ts';
import { insertPage, updatePage } from '../support/page-writes.ts';
import { rejection } from '../support/reject.ts';
import { makeSpace } from '../support/sites.ts';

const pump = '# Install the pump\n\nClose the [valve](valve.md) first.\n\nThen open it.\n';
const ids = (answer: { body: any }) => answer.body.items.map((item: any) => item.id);
const text = (markdown: string) => ({ body: { markdown } });

/** Both families obey the same rules: `path` is where the comments are, `content` what they are about. */
const families = [
  ['a space', async (_: TestInstance, space: string) => `/v1/spaces/${space}`],
  [
    'a change request',
    async ({ call }: TestInstance, space: string) => {
      const made = await call('POST', `/v1/spaces/${space}/change-requests`, { subject: 'Change' });
      return `/v1/spaces/${space}/change-requests/${made.body.id}`;
    },
  ],
] as const;

describe.each(families)('comments of %s', (_, contentOf) => {
  async function commented() {
    const service = await testInstance();
    const space = await makeSpace(service);
    const content = await contentOf(service, space);
    const path = `${content}/comments`;
    const open = async () => (await service.call('GET', content)).body.comments;
    return { ...service, service, space, content, path, open };
  }

  test('one is posted, shown, listed and counted', async () => {
    const { call, admin, space, content, path, open } = await commented();
    const { body: about } = await call('GET', content);

    const posted = await call('POST', path, text('Which valve is *meant*?'));

    expect(posted.status).toBe(200);
    const { id } = posted.body;
    const request = content.includes('change-requests') ? { changeRequest: content.split('/').at(-1) } : {};
    expect(posted.body).toMatchObject({
      object: 'comment',
      postedBy: { id: admin },
      postedAt: '2026-03-01T08:00:00.000Z',
      reactions: [],
      replies: 0,
      body: { markdown: 'Which valve is *meant*?' },
      urls: { location: `http://localhost:4000${path}/${id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
      status: 'open',
    });
    expect(posted.body.target).toEqual({ ...request, space, revision: about.revision });
    expect((await call('GET', `${path}/${id}`)).body).toEqual(posted.body);
    expect((await call('GET', path)).body).toEqual({ count: 1, items: [posted.body] });
    expect(await open()).toBe(1);
  });

  test('resolving and reopening set the time and the user, and change the counts', async () => {
    const { call, as, user, path, open, clock } = await commented();
    const { id } = (await call('POST', path, text('One'))).body;
    const other = await user({ role: 'comment' });
    clock.advance(1000);

    const resolved = await as(other)('PUT', `${path}/${id}`, { resolved: true });
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      resolvedAt: '2026-03-01T08:00:01.000Z',
      resolvedBy: { id: other },
    });
    expect(await open()).toBe(0);
    clock.advance(1000);
    expect((await call('PUT', `${path}/${id}`, { resolved: true })).body).toMatchObject({ resolvedBy: { id: other } });

    const reopened = (await call('PUT', `${path}/${id}`, { resolved: false })).body;
    expect(reopened).toMatchObject({ status: 'open' });
    expect('resolvedAt' in reopened || 'resolvedBy' in reopened).toBe(false);
    expect(await open()).toBe(1);
    await call('PUT', `${path}/${id}`, { resolved: true });
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(205);
    expect(await open()).toBe(0);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(404);
  });

  test('the list is filtered by state, sorted either way, and paged', async () => {
    const { call, path, clock } = await commented();
    const all: string[] = [];
    for (const markdown of ['One', 'Two', 'Three']) {
      all.push((await call('POST', path, text(markdown))).body.id);
      clock.advance(1000);
    }
    await call('PUT', `${path}/${all[1]}`, { resolved: true });
    const list = (query: string) => call('GET', `${path}?${query}`);

    expect(ids(await list(''))).toEqual(all.toReversed());
    expect(ids(await list('order=asc'))).toEqual(all);
    expect(ids(await list('status=open'))).toEqual([all[2], all[0]]);
    expect((await list('status=resolved')).body).toMatchObject({ count: 1, items: [{ id: all[1] }] });
    expect((await list('targetPage=nothing')).body).toEqual({ count: 0, items: [] });
    const first = await list('limit=1&order=asc');
    await call('DELETE', `${path}/${all[0]}`);
    const second = await list(`limit=1&order=asc&page=${first.body.next.page}`);
    expect([ids(second), second.body.count]).toEqual([[all[1]], 2]);
    expect(ids(await list(`limit=1&order=asc&page=${second.body.next.page}`))).toEqual([all[2]]);
    expect(rejection(await list('status=merged'))).toEqual([400, 'validation', 'status enum']);
  });

  test('a changed text sets the time of the edit, the same text does not', async () => {
    const { call, path, clock } = await commented();
    const { body: posted } = await call('POST', path, text('Before'));
    clock.advance(1000);

    expect((await call('PUT', `${path}/${posted.id}`, {})).body).toEqual(posted);
    expect((await call('PUT', `${path}/${posted.id}`, text('Before'))).body).toEqual(posted);
    const edited = await call('PUT', `${path}/${posted.id}`, text('After'));
    expect(edited.body).toEqual({ ...posted, ...text('After'), editedAt: '2026-03-01T08:00:01.000Z' });
  });

  test('reactions belong to the caller, can be repeated, and removal wins', async () => {
    const { call, as, user, admin, path, clock } = await commented();
    const { id } = (await call('POST', path, text('One'))).body;
    const other = await user({ role: 'comment' });
    const react = (who: string, added: string[], removed: string[] = []) =>
      as(who)('PUT', `${path}/${id}`, { addedReactions: added, removedReactions: removed });

    await react(admin, ['👍', '👍', '❤️']);
    clock.advance(1000);
    await react(other, ['👍', '🎉'], ['🎉', '❤️']);
    const { reactions } = (await react(admin, ['👍'])).body;
    expect(reactions.map((r: any) => [r.emoji, r.count, r.users.map((u: any) => [u.user.id, u.reactedAt])])).toEqual([
      ['❤️', 1, [[admin, '2026-03-01T08:00:00.000Z']]],
      [
        '👍',
        2,
        [
          [admin, '2026-03-01T08:00:00.000Z'],
          [other, '2026-03-01T08:00:01.000Z'],
        ],
      ],
    ]);
    await react(admin, [], ['👍', '❤️']);
    expect((await react(other, [], ['👍'])).body.reactions).toEqual([]);
    expect(rejection(await react(admin, ['yes', '👍👍', '']))).toEqual([
      400,
      'validation',
      '/addedReactions/0 format',
      '/addedReactions/1 format',
      '/addedReactions/2 format',
    ]);
  });

  test('replies are posted, listed oldest first, changed and deleted, and counted', async () => {
    const { call, path, admin, clock } = await commented();
    const { id } = (await call('POST', path, text('One'))).body;
    const replies = `${path}/${id}/replies`;

    const first = await call('POST', replies, text('The **inlet** valve.'));
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      object: 'comment-reply',
      postedBy: { id: admin },
      body: { markdown: 'The **inlet** valve.' },
      urls: { location: `http://localhost:4000${replies}/${first.body.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
      reactions: [],
    });
    clock.advance(1000);
    const second = (await call('POST', replies, text('Thanks'))).body;
    expect((await call('GET', `${path}/${id}`)).body.replies).toBe(2);
    const page = await call('GET', `${replies}?limit=1`);
    expect(page.body).toMatchObject({ count: 2, items: [first.body] });
    expect(ids(await call('GET', `${replies}?page=${page.body.next.page}`))).toEqual([second.id]);
    expect((await call('GET', `${replies}/${second.id}`)).body).toEqual(second);

    const changed = await call('PUT', `${replies}/${second.id}`, { ...text('Thank you'), addedReactions: ['🙏'] });
    expect(changed.body).toMatchObject({
      ...text('Thank you'),
      editedAt: '2026-03-01T08:00:01.000Z',
      reactions: [{ emoji: '🙏', count: 1 }],
    });
    expect((await call('DELETE', `${replies}/${second.id}`)).status).toBe(205);
    expect((await call('GET', `${replies}/${second.id}`)).status).toBe(404);
    expect((await call('GET', `${path}/${id}`)).body.replies).toBe(1);

    const elsewhere = (await call('POST', path, text('Two'))).body.id;
    expect((await call('GET', `${path}/${elsewhere}/replies/${first.body.id}`)).status).toBe(404);
  });

  test('bodies are sent as Markdown or as a tree, and returned as either', async () => {
    const { call, path } = await commented();
    const document = {
      object: 'document',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          data: {},
          nodes: [
            {
              object: 'text',
              leaves: [
                { object: 'leaf', text: 'The ', marks: [] },
                { object: 'leaf', text: 'inlet', marks: [{ object: 'mark', type: 'bold' }] },
              ],
            },
          ],
        },
      ],
    };

    const posted = await call('POST', path, { body: { document } });
    expect(posted.body.body).toEqual({ markdown: 'The **inlet**\n' });
    const one = `${path}/${posted.body.id}`;
    for (const address of [one, path]) {
      const { body } = await call('GET', `${address}?format=document`);
      expect((body.items?.[0] ?? body).body).toEqual({ document });
    }
    const reply = await call('POST', `${one}/replies?format=document`, text('The **inlet**'));
    expect(reply.body.body.document.nodes).toEqual(document.nodes);
    expect((await call('GET', `${one}/replies/${reply.body.id}?format=markdown`)).body.body).toEqual({
      markdown: 'The **inlet**',
    });
    expect((await call('GET', `${one}/replies?format=document`)).body.items[0].body).toEqual(reply.body.body);
  });

  test('a body that is both, neither, blank, too long or an invalid tree is refused', async () => {
    const { call, path } = await commented();
    const post = async (body: unknown) => rejection(await call('POST', path, { body }));
    const long = (length: number) => ({
      document: {
        object: 'document',
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            data: {},
            nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'x'.repeat(length), marks: [] }] }],
          },
        ],
      },
    });

    expect(await post({})).toEqual([400, 'validation', '/body required']);
    expect(await post({ markdown: 'a', document: {} })).toEqual([400, 'validation', '/body conflict']);
    expect(await post({ markdown: ' \n\t' })).toEqual([400, 'validation', '/body/markdown minLength']);
    expect(await post({ markdown: 'x'.repeat(10_001) })).toEqual([400, 'validation', '/body/markdown maxLength']);
    expect(await post({ document: { object: 'document', nodes: [] } })).toEqual([
      400,
      'validation',
      '/body/document minLength',
    ]);
    expect(await post(long(10_001))).toEqual([400, 'validation', '/body/document maxLength']);
    expect((await post({ document: { object: 'text' } })).slice(0, 3)).toEqual([
      400,
      'validation',
      '/body/document/object type',
    ]);
    expect(await post(undefined)).toEqual([400, 'validation', '/body required']);
    expect((await call('GET', path)).body.count).toBe(0);
    expect((await call('POST', path, { body: { markdown: '👍'.repeat(10_000) } })).status).toBe(200);
    expect((await call('POST', path, { body: long(9_999) })).status).toBe(200);
  });

  test('the page and the block of a comment stay as they were, and are outdated once the page changes', async () => {
    const { service, call, content, path } = await commented();
    const page = await insertPage(service, content, 'Install the pump', pump, { emoji: '🔧' });
    const { body: pageNow } = await call('GET', `${content}/content/page/${page}`);
    const { revision } = (await call('GET', content)).body;
    const { blocksOf } = await import('../../src/content/markdown/markdown.ts');
    const node = blocksOf(pump)[1]!.id;

    const posted = await call('POST', path, { page, node, ...text('Which valve?') });

    expect(posted.body.target).toMatchObject({
      node: { id: node, preview: 'Close the valve first.' },
      page: {
        id: page,
        title: pageNow.title,
        emoji: '🔧',
        createdAt: pageNow.createdAt,
        updatedAt: pageNow.updatedAt,
        path: pageNow.path,
        outdated: false,
      },
      revision,
    });
    const onPage = async () => (await call('GET', `${path}?targetPage=${page}`)).body;
    await call('POST', path, text('Elsewhere'));
    expect(await onPage()).toEqual({ count: 1, items: [posted.body] });

    await insertPage(service, content, 'Another', 'Text');
    expect((await onPage()).items[0].target.page.outdated).toBe(false);
    await updatePage(service, content, page, { document: { markdown: `${pump}\nMore.\n` } });
    expect((await onPage()).items[0].target).toEqual({
      ...posted.body.target,
      page: { ...posted.body.target.page, outdated: true },
    });
  });

  test('a page or block that does not exist, or a block without a page, is refused', async () => {
    const { service, call, content, path } = await commented();
    const page = await insertPage(service, content, 'Install the pump', pump);

    expect(rejection(await call('POST', path, { page: 'nothing', ...text('x') }))).toEqual([
      400,
      'validation',
      '/page reference',
    ]);
    expect(rejection(await call('POST', path, { page, node: 'nothing', ...text('x') }))).toEqual([
      400,
      'validation',
      '/node reference',
    ]);
    expect(rejection(await call('POST', path, { node: 'nothing', ...text('x') }))).toEqual([
      400,
      'validation',
      '/page required',
    ]);
  });

  test('permissions', async () => {
    const { as, user, admin, path } = await commented();
    const [reader, commenter, other, editor] = [
      as(await user({ role: 'read' })),
      as(await user({ role: 'comment' })),
      as(await user({ role: 'comment' })),
      as(await user({ role: 'create' })),
    ];
    const { id, permissions } = (await commenter('POST', path, text('Mine'))).body;
    const one = `${path}/${id}`;
    const reply = `${one}/replies/${(await commenter('POST', `${one}/replies`, text('Mine too'))).body.id}`;
    const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
    /** The permission that a refused call names. */
    const lacking = async (answer: Promise<{ status: number; body: any }>) => {
      const { status, body } = await answer;
      return [status, /"\w+" on the \w+/.exec(body.error.message)?.[0]];
    };

    expect(permissions).toEqual({ view: true, edit: true, reply: true, delete: true });
    for (const address of [one, reply]) {
      expect((await reader('GET', address)).body.permissions).toEqual({
        view: true,
        edit: false,
        reply: false,
        delete: false,
      });
      expect((await as(admin)('GET', address)).body.permissions).toMatchObject({ edit: false, delete: true });
      expect(await lacking(reader('PUT', address, { addedReactions: ['👍'] }))).toEqual([
        403,
        '"comment" on the space',
      ]);
      expect(await statusOf(other('PUT', address, { addedReactions: ['👍'] }))).toBe(200);
      expect(await lacking(as(admin)('PUT', address, text('Not mine')))).toEqual([
        403,
        expect.stringMatching(/^"edit" on the (?:comment|reply)$/),
      ]);
      // Whether it is allowed is told before what is wrong with it.
      expect(await statusOf(other('PUT', address, { body: {} }))).toBe(403);
      expect(await statusOf(reader('PUT', address, {}))).toBe(200);
      expect(await statusOf(editor('DELETE', address))).toBe(403);
      expect(await statusOf(reader('DELETE', address))).toBe(403);
    }
    expect(await statusOf(reader('POST', path, text('No')))).toBe(403);
    expect(await statusOf(reader('POST', `${one}/replies`, text('No')))).toBe(403);
    expect(await statusOf(reader('PUT', one, { resolved: true }))).toBe(403);
    expect(await statusOf(commenter('DELETE', reply))).toBe(205);
    expect(await statusOf(as(admin)('DELETE', one))).toBe(205);
  });

  test('deleting a comment deletes its replies and all reactions', async () => {
    const { call, instance, path } = await commented();
    const { id } = (await call('POST', path, text('One'))).body;
    await call('PUT', `${path}/${id}`, { addedReactions: ['👍'] });
    const reply = (await call('POST', `${path}/${id}/replies`, text('Two'))).body.id;
    await call('PUT', `${path}/${id}/replies/${reply}`, { addedReactions: ['👍'] });

    await call('DELETE', `${path}/${id}`);

    expect((await call('GET', `${path}/${id}/replies`)).status).toBe(404);
    const left = await instance.store.read((db) => db.get('select count(*) as "left" from reaction'));
    expect(left).toEqual({ left: 0 });
  });
});

test('the families do not show each other’s comments', async () => {
  const service = await testInstance();
  const { call } = service;
  const space = await makeSpace(service);
  const path = `/v1/spaces/${space}`;
  const request = await families[1][1](service, space);
  const main = (await call('POST', `${path}/comments`, text('Main'))).body.id;
  const ours = (await call('POST', `${request}/comments`, text('Ours'))).body.id;

  expect(ids(await call('GET', `${path}/comments`))).toEqual([main]);
  expect(ids(await call('GET', `${request}/comments`))).toEqual([ours]);
  expect((await call('GET', `${path}/comments/${ours}`)).status).toBe(404);
  expect((await call('GET', `${request}/comments/${main}`)).status).toBe(404);
  expect((await call('GET', `${path}/change-requests/1/comments/${ours}`)).status).toBe(200);
  expect((await call('GET', path)).body.comments).toBe(1);
  const other = await makeSpace(service);
  expect((await call('GET', `/v1/spaces/${other}/comments/${main}`)).status).toBe(404);
});
