import fc from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { type ContentSpace, contentSpace, inSpace, outline } from '../support/content-space.ts';
import { isLong, runs } from '../support/long-form.ts';
import { connectionOf, onPostgres } from '../support/engine.ts';

const insert = (title: string, more: object = {}) => ({ operation: 'insert_page', title, document: {}, ...more });
const update = (page: string, more: object) => ({ operation: 'update_page', page, ...more });
const remove = (page: string) => ({ operation: 'delete_page', page });
const text = (markdown: string) => ({ document: { markdown } });

const lines = (...each: string[]) => each.map((line) => `${line}\n`).join('');

async function withPage() {
  const made = await contentSpace();
  const page = await made.insert('Pump', text(lines('one', 'two', 'three', 'four', 'five')));
  const cr = await made.request({ open: true });
  const merge = () => made.call('POST', `${cr}/merge`);
  const bringIn = () => made.call('POST', `${cr}/update`);
  return { ...made, page, cr, merge, bringIn };
}

/** What must not change where a merge ends in conflicts. */
async function everything({ call, path, content }: ContentSpace, cr: string) {
  const read = async (url: string) => (await call('GET', url)).body;
  return [await read(path), await read(content), await read(cr), await read(`${cr}/content`)];
}

describe('merging', () => {
  test('applies the changes of the request in a new revision of main content', async () => {
    const { call, path, content, change, page, cr, merge, markdown, insert: add, pages } = await withPage();
    await change([update(page, { title: 'New', ...text('New') })], cr);
    await add('Added', { into: page }, cr);
    const before = (await call('GET', path)).body.revision;
    const request = (await call('GET', cr)).body;
    const merged = await merge();

    expect(merged.body).toEqual({ revision: expect.any(String), result: 'merge' });
    expect(outline(await pages())).toEqual([['New', ['Added']]]);
    expect(await markdown(page)).toBe('New');
    const revision = (await call('GET', content)).body;
    expect(revision).toMatchObject({ id: merged.body.revision, type: 'merge', parents: [before, request.revision] });
    expect(revision.mergedFrom).toMatchObject({ id: request.id, status: 'merged', revisionMerged: revision.id });
    expect((await call('GET', cr)).body).toMatchObject({
      status: 'merged',
      revisionMerged: revision.id,
      outdated: false,
    });
    expect((await call('GET', path)).body).toMatchObject({ changeRequestsOpen: 0, changeRequests: 1 });
  });

  test('includes the files of the request', async () => {
    const { call, content, change, cr, merge } = await withPage();
    const { body } = await change(
      [{ operation: 'insert_files', files: [{ name: 'a.txt', base64: 'aGk=', contentType: 'text/plain' }] }],
      cr,
    );
    await merge();

    expect((await call('GET', `${content}/files`)).body.items).toEqual(body.insertedFiles);
  });

  test('an empty request merges into a revision that changes nothing', async () => {
    const { call, content, merge, cr, page, markdown } = await withPage();
    const before = (await call('GET', content)).body;
    const { body } = await merge();

    expect(body.result).toBe('merge');
    const after = (await call('GET', content)).body;
    expect([after.id, after.type, after.pages]).toEqual([body.revision, 'merge', before.pages]);
    expect((await call('GET', cr)).body.status).toBe('merged');
    expect(await markdown(page)).toContain('three');
  });

  test('an outdated request merges where the sides changed different things', async () => {
    const { call, change, page, cr, merge, insert: add, pages, markdown } = await withPage();
    const other = await add('Other', text('x'));
    await change([update(page, { emoji: '🔧', ...text(lines('ONE', 'two', 'three', 'four', 'five')) })]);
    await change(
      [update(page, { title: 'Pumps', ...text(lines('one', 'two', 'three', 'four', 'FIVE')) }), insert('Mine')],
      cr,
    );
    expect((await call('GET', cr)).body.outdated).toBe(true);
    const { body } = await merge();

    expect(body.result).toBe('merge');
    const [first, ...others] = await pages();
    // Both sides put a page at the end: nothing says which comes first.
    expect(outline(others).toSorted()).toEqual(['Mine', 'Other']);
    expect(first).toMatchObject({ title: 'Pumps', emoji: '🔧' });
    expect(await markdown(page)).toBe(lines('ONE', 'two', 'three', 'four', 'FIVE'));
    expect(await markdown(other)).toBe('x');
  });

  test('merged text is found and linked like any other', async () => {
    const { call, path, change, page, cr, merge } = await withPage();
    await change([update(page, text(lines('gasket', 'two', 'three', 'four', 'five')))]);
    await change([update(page, text(lines('one', 'two', 'three', 'four', '[washer](https://x.example)')))], cr);
    await merge();

    expect((await call('GET', `${path}/search?query=gasket+washer`)).body.count).toBe(1);
    expect((await call('GET', `${path}/links`)).body.count).toBe(1);
  });

  test('only an open request is merged, and once', async () => {
    const { call, request, cr, merge } = await withPage();
    const draft = await request();
    const archived = await request();
    await call('PATCH', archived, { status: 'archived' });
    await merge();

    for (const [requestPath, word] of [
      [draft, 'draft'],
      [archived, 'archived'],
      [cr, 'merged'],
    ]) {
      const { status, error } = await call('POST', `${requestPath}/merge`);
      expect([status, error.reason]).toEqual([409, 'invalid-state']);
      expect(error.message).toContain(word);
    }
  });

  test('merging needs review, updating needs edit', async () => {
    const { as, user, cr, call } = await withPage();
    const reader = as(await user({ role: 'comment' }));
    const editor = as(await user({ role: 'edit' }));
    const reviewer = as(await user({ role: 'review' }));

    expect((await reader('POST', `${cr}/update`)).status).toBe(403);
    expect((await editor('POST', `${cr}/update`)).status).toBe(200);
    expect((await editor('POST', `${cr}/merge`)).status).toBe(403);
    expect((await reviewer('POST', `${cr}/merge`)).status).toBe(200);
    expect((await call('POST', `${cr.replace(/\d+$/, '99')}/merge`)).status).toBe(404);
  });
});

describe('conflicts', () => {
  test('the same lines changed differently', async () => {
    const made = await withPage();
    const { change, page, cr, merge, bringIn, call } = made;
    await change([update(page, text(lines('one', 'two', 'MAIN', 'four', 'five')))]);
    await change([update(page, text(lines('one', 'two', 'REQUEST', 'four', 'five')))], cr);
    const before = await everything(made, cr);

    for (const attempt of [await merge(), await bringIn()]) {
      expect(attempt.status).toBe(200);
      expect(attempt.body).toEqual({
        revision: (await call('GET', cr)).body.revision,
        result: 'conflicts',
        conflicts: [
          {
            page,
            title: 'Pump',
            kind: 'content',
            hunks: [{ line: 3, base: 'three\n', main: 'MAIN\n', changeRequest: 'REQUEST\n' }],
          },
        ],
      });
    }
    expect(await everything(made, cr)).toEqual(before);
  });

  test('the same change on both sides is no conflict', async () => {
    const { change, page, cr, merge, markdown } = await withPage();
    for (const where of [undefined, cr]) await change([update(page, { title: 'Same', ...text('Same') })], where);

    expect((await merge()).body.result).toBe('merge');
    expect(await markdown(page)).toBe('Same');
  });

  test('the same member of a page changed differently', async () => {
    const made = await withPage();
    const { change, page, cr, merge } = made;
    await change([update(page, { title: 'Main', emoji: '🔧' })]);
    await change([update(page, { title: 'Mine', description: 'Mine' })], cr);
    const before = await everything(made, cr);
    const { body } = await merge();

    expect(body.conflicts).toEqual([
      {
        page,
        title: 'Main',
        kind: 'metadata',
        members: [{ member: 'title', base: 'Pump', main: 'Main', changeRequest: 'Mine' }],
      },
    ]);
    expect(await everything(made, cr)).toEqual(before);
  });

  test('a page moved to different parents', async () => {
    const { change, page, insert: add, request, call } = await withPage();
    const [a, b] = [await add('A'), await add('B')];
    const cr = await request({ open: true });
    await change([update(page, { into: a })]);
    await change([update(page, { into: b })], cr);
    const { body } = await call('POST', `${cr}/merge`);

    expect(body.conflicts).toMatchObject([
      { page, kind: 'metadata', members: [{ member: 'parent', base: null, main: a, changeRequest: b }] },
    ]);
  });

  test('two pages moved below each other', async () => {
    const { change, insert: add, request, call } = await contentSpace();
    const [a, b] = [await add('A'), await add('B')];
    const cr = await request({ open: true });
    await change([update(a, { into: b })]);
    await change([update(b, { into: a })], cr);
    const { body } = await call('POST', `${cr}/merge`);

    expect(body.result).toBe('conflicts');
    expect(body.conflicts.map((conflict: any) => conflict.page).toSorted()).toEqual([a, b].toSorted());
  });

  test('a page deleted on one side and changed on the other', async () => {
    for (const inMain of [true, false]) {
      const made = await withPage();
      const { change, page, cr, merge } = made;
      await change([remove(page)], inMain ? undefined : cr);
      await change([update(page, { emoji: '🔧' })], inMain ? cr : undefined);
      const before = await everything(made, cr);
      const { body } = await merge();

      expect(body.conflicts).toEqual([
        { page, title: 'Pump', kind: 'deleted', deletedIn: inMain ? 'main' : 'change-request' },
      ]);
      expect(await everything(made, cr)).toEqual(before);
    }
  });

  test('a page moved under a page that the other side deleted', async () => {
    for (const inMain of [true, false]) {
      const { change, page, cr, merge } = await withPage();
      await change([remove(page)], inMain ? undefined : cr);
      await change([insert('Below', { into: page })], inMain ? cr : undefined);

      expect((await merge()).body.conflicts).toMatchObject([
        { page, kind: 'deleted', deletedIn: inMain ? 'main' : 'change-request' },
      ]);
    }
  });

  test('a page deleted on both sides is no conflict', async () => {
    const { change, page, cr, merge, pages } = await withPage();
    for (const where of [undefined, cr]) await change([remove(page)], where);

    expect((await merge()).body.result).toBe('merge');
    expect(await pages()).toEqual([]);
  });

  test('resolved conflicts merge', async () => {
    const { call, change, page, cr, merge, bringIn, markdown } = await withPage();
    await change([update(page, text('Main'))]);
    await change([update(page, text('Mine'))], cr);
    expect((await merge()).body.result).toBe('conflicts');
    await change([update(page, text('Main'))], cr);
    expect((await bringIn()).body.result).toBe('update');
    await change([update(page, text('Both'))], cr);
    expect((await merge()).body.result).toBe('merge');
    expect(await markdown(page)).toBe('Both');
    expect((await call('GET', cr)).body.status).toBe('merged');
  });
});

test('a page of main content keeps its address when a request adds pages of the same name', async () => {
  const { call, path, insert: add, cr, merge, page } = await withPage();
  const intro = await add('Intro', { into: page });
  await add('Intro', { into: page }, cr);
  await add('Intro', { into: page }, cr);
  await merge();

  const idBySlug = async (slug: string) => (await call('GET', `${path}/content/path/pump/${slug}`)).body.id;
  expect(await idBySlug('intro')).toBe(intro);
  for (const slug of ['intro-2', 'intro-3']) expect(await idBySlug(slug)).toMatch(/^\w{12}$/);
});

test('a new address of a page is unique', async () => {
  const { call, path, insert: add, request } = await contentSpace();
  const second = await add('Intro', { slug: 'intro-2' });
  const cr = await request({ open: true });
  await add('Intro');
  await add('Intro', {}, cr);
  await call('POST', `${cr}/merge`);

  expect((await call('GET', `${path}/content/path/intro-2`)).body.id).toBe(second);
  expect((await call('GET', `${path}/content/path/intro-3`)).status).toBe(200);
});

describe('updating', () => {
  test('applies main content to a request and sets its new base', async () => {
    const { call, path, change, page, cr, bringIn, insert: add, pages, markdown } = await withPage();
    const initial = (await call('GET', cr)).body.revisionInitial;
    const fresh = await add('Fresh', text('x'));
    await change([update(page, text(lines('ONE', 'two', 'three', 'four', 'five')))]);
    await change([update(page, text(lines('one', 'two', 'three', 'four', 'FIVE')))], cr);
    const main = (await call('GET', path)).body.revision;
    const before = (await call('GET', cr)).body.revision;
    const { body } = await bringIn();

    expect(body).toEqual({ revision: expect.any(String), result: 'update' });
    const request = (await call('GET', cr)).body;
    expect(request).toMatchObject({
      revision: body.revision,
      revisionInitial: initial,
      revisionMergedAncestor: main,
      outdated: false,
      status: 'open',
    });
    const revision = (await call('GET', `${cr}/content`)).body;
    expect(revision).toMatchObject({ id: body.revision, type: 'update', parents: [before, main] });
    expect(outline(await pages(cr))).toEqual(['Pump', 'Fresh']);
    expect(await markdown(page, cr)).toBe(lines('ONE', 'two', 'three', 'four', 'FIVE'));
    expect(await markdown(fresh, cr)).toBe('x');
    expect(await markdown(page)).toBe(lines('ONE', 'two', 'three', 'four', 'five'));
  });

  test('without new content, or merged, it returns the present revision', async () => {
    const { call, cr, bringIn, merge, insert: add } = await withPage();
    const { revision } = (await call('GET', cr)).body;
    expect((await bringIn()).body).toEqual({ revision, result: 'update' });
    await merge();
    await add('Later');
    expect((await bringIn()).body).toEqual({ revision, result: 'update' });
    expect((await call('GET', cr)).body).toMatchObject({ revision, status: 'merged' });
  });

  test('an archived request is updated too', async () => {
    const { call, cr, bringIn, insert: add, pages } = await withPage();
    await call('PATCH', cr, { status: 'archived' });
    await add('Fresh');

    expect((await bringIn()).body.result).toBe('update');
    expect(outline(await pages(cr))).toEqual(['Pump', 'Fresh']);
    expect((await call('GET', cr)).body.status).toBe('archived');
  });

  test('a change that main content already has is no longer a change of the request', async () => {
    const { change, page, cr, bringIn, merge, call, content } = await withPage();
    for (const where of [undefined, cr]) await change([update(page, text('Same'))], where);
    await bringIn();
    await change([update(page, text('Later'))]);
    const { body } = await merge();

    expect(body.result).toBe('merge');
    expect((await call('GET', `${content}/page/${page}?format=markdown`)).body.markdown).toBe('Later');
  });

  test('a deletion survives updates', async () => {
    const { change, page, cr, bringIn, merge, insert: add, pages } = await withPage();
    await change([remove(page)], cr);
    await add('Fresh');
    await bringIn();
    expect(outline(await pages(cr))).toEqual(['Fresh']);
    await merge();
    expect(outline(await pages())).toEqual(['Fresh']);
  });
});

test('a revision of a request stays as it was when the request is updated', async () => {
  const { call, path, cr, change, page, bringIn, insert: add } = await withPage();
  await change([update(page, text('Mine'))], cr);
  const old = (await call('GET', cr)).body.revision;
  await add('Fresh');
  await bringIn();

  const { body } = await call('GET', `${path}/revisions/${old}/pages`);
  expect(outline(body.pages)).toEqual(['Pump']);
});

if (!onPostgres)
  test('a merge writes as much in a large space as in one of five pages', async () => {
    const written = async (count: number) => {
      const { change, insert: add, request, instance, call } = await contentSpace();
      const page = await add('Edited', text(lines('one', 'two', 'three')));
      for (let start = 1; start < count; start += 50) {
        await change(Array.from({ length: Math.min(50, count - start) }, (_, i) => insert(`P${start + i}`, text('x'))));
      }
      const cr = await request({ open: true });
      await change([update(page, text(lines('ONE', 'two', 'three')))], cr);
      await change([update(page, text(lines('one', 'two', 'THREE')))]);
      const rows = () =>
        connectionOf(instance.store).sqlite.prepare('select total_changes() as rows').get()!.rows as number;
      const before = rows();
      expect((await call('POST', `${cr}/merge`)).body.result).toBe('merge');
      return rows() - before;
    };

    expect(await written(isLong ? 500 : 100)).toBe(await written(5));
  });

// ---- properties

type Edit = {
  kind: 'insert' | 'delete' | 'title' | 'text' | 'move';
  page: number;
  other: number;
  line: number;
  word: string;
};

const words = ['alpha', 'beta', 'gamma', 'delta'];
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'title', 'text', 'text', 'move', 'insert'),
  page: fc.nat(5),
  other: fc.nat(6),
  line: fc.nat(5),
  word: fc.constantFrom(...words),
});
const script = fc.array(edit, { maxLength: 5 });

/** Copies of a space of six pages, the last two below the first. */
async function copies() {
  const made = await contentSpace();
  const ids: string[] = [];
  for (let index = 0; index < 6; index++) {
    const into = index > 3 ? { into: ids[0] } : {};
    ids.push(await made.insert(`Page ${index}`, { ...text(lines('a', 'b', 'c', 'd', 'e', 'f')), ...into }));
  }
  const copy = async () => ({
    ...inSpace(made.call, (await made.call('POST', `${made.path}/duplicate`)).body.id),
    ids,
  });
  return { call: made.call, copy };
}

type Base = Awaited<ReturnType<Awaited<ReturnType<typeof copies>>['copy']>>;

/** Makes a request with the edits in it. An edit of what an earlier one took away is refused, and left out. */
async function scripted({ request, change, ids, markdown }: Base, edits: Edit[]): Promise<string> {
  const cr = await request({ open: true });
  for (const { kind, page, other, line, word } of edits) {
    const id = ids[page]!;
    if (kind === 'insert') {
      await change(
        [insert(`${word} ${page}`, { ...(other < 6 ? { into: ids[other] } : {}), at: line, ...text(word) })],
        cr,
      );
    } else if (kind === 'delete') await change([remove(id)], cr);
    else if (kind === 'title') await change([update(id, { title: word })], cr);
    else if (kind === 'move') await change([update(id, { into: ids[other] ?? null, at: line })], cr);
    else {
      const now = (await markdown(id, cr))?.split('\n');
      if (!now) continue;
      now[line] = word;
      await change([update(id, text(now.join('\n')))], cr);
    }
  }
  return cr;
}

/** A content without what differs from run to run: ids of what was inserted, and times. */
async function contentOf({ pages, markdown, ids }: Base, where?: string): Promise<unknown> {
  const summaryOf = async (page: any): Promise<unknown> => [
    ids.includes(page.id) ? ids.indexOf(page.id) : 'new',
    page.title,
    page.slug.replace(/-\d+$/, ''),
    await markdown(page.id, where),
    await Promise.all(page.pages.map(summaryOf)),
  ];
  const tree = await Promise.all((await pages(where)).map(summaryOf));
  return unordered(tree);
}

// Pages that both sides insert in one place stand by their ids, which differ from run to run.
function unordered(tree: any[]): unknown {
  const originalIds = tree.filter(([id]) => id !== 'new').map(([id]) => id);
  return [
    originalIds,
    tree
      .map(([id, title, slug, markdown, below]) => JSON.stringify([id, title, slug, markdown, unordered(below)]))
      .toSorted(),
  ];
}

test('requests that do not conflict give the same content in either order', async () => {
  const { call, copy } = await copies();
  const rounds = runs(10, 50);
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(script, script, async (one, other) => {
      const results: unknown[] = [];
      for (const order of [
        [one, other],
        [other, one],
      ]) {
        const space = await copy();
        const requests = [];
        for (const edits of order) requests.push(await scripted(space, edits));
        const answers = [];
        for (const cr of requests) answers.push((await call('POST', `${cr}/merge`)).body.result);
        results.push(answers.includes('conflicts') ? 'conflicts' : await contentOf(space));
      }
      expect(results[1]).toEqual(results[0]);
      if (results[0] !== 'conflicts') compared += 1;
    }),
    { numRuns: rounds },
  );
  expect(compared).toBeGreaterThan(rounds / 5);
});

test('updating and then merging has the same result as merging', async () => {
  const { call, copy } = await copies();
  await fc.assert(
    fc.asyncProperty(script, script, async (mains, edits) => {
      const results: unknown[] = [];
      for (const first of ['merge', 'update']) {
        const space = await copy();
        const main = await scripted(space, mains);
        const cr = await scripted(space, edits);
        await call('POST', `${main}/merge`);
        const outcome = (await call('POST', `${cr}/${first}`)).body.result;
        if (outcome === 'conflicts') {
          results.push('conflicts');
          continue;
        }
        if (first === 'update') {
          const updated = await contentOf(space, cr);
          expect((await call('POST', `${cr}/merge`)).body.result).toBe('merge');
          expect(await contentOf(space)).toEqual(updated);
        }
        results.push(await contentOf(space));
      }
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: runs(10, 50) },
  );
});
