import { expect, test } from 'vitest';
import { importHeader, importStatePath, writeImportHeader } from '../../src/contract/instance.ts';
import { contentSpace, type ContentSpace, outline, png } from '../support/content-space.ts';
import { listen } from '../support/service.ts';

/** A site whose pages a test changes: bodies by path. */
async function site(pages: Record<string, string>) {
  const base = await listen((request, response) => {
    const body = pages[request.url!];
    if (request.url === '/docs/pump.png') return void response.setHeader('content-type', 'image/png').end(png(3, 2));
    if (body === undefined) return void response.writeHead(404).end();
    const [title] = body.split('.');
    response.setHeader('content-type', 'text/html');
    response.end(`<title>${title}</title><main><h1>${title}</h1><p>${body}</p></main>`);
  });
  return `${base}/docs/`;
}

const link = (name: string) => `<a href="${name}">${name}</a>`;
const first = () => ({
  '/docs/': `Docs. ${link('install')} ${link('use')} <img src="pump.png" alt="p">`,
  '/docs/install': `Install. ${link('linux')} ${link('use')}`,
  '/docs/install/linux': 'Linux. It runs.',
  '/docs/linux': 'Linux. Short.',
  '/docs/use': 'Use. Turn it on.',
});

let count = 0;
async function importSite({ call, content }: ContentSpace, url: string, options: { overwrite?: boolean } = {}) {
  const id = `import-of-the-test-${(count += 1)}`;
  const header = writeImportHeader({ id, replace: true, overwrite: false, ...options });
  const answer = await call('POST', `${content}/import`, { url, source: 'website' }, { [importHeader]: header });
  return { answer, state: (await call('GET', importStatePath(id))).body };
}

const textOf = async ({ pages, markdown }: ContentSpace, title: string) => {
  const all = (await pages()).flatMap((page) => [page, ...(page.pages ?? [])]);
  return markdown(all.find((page) => page.title === title).id);
};

test('an import replaces an earlier one of the same address, and nothing else', async () => {
  const pages: Record<string, string> = first();
  const url = await site(pages);
  const space = await contentSpace({ allowPrivateImports: true });
  await space.insert('Before');
  const earlier = await importSite(space, url);
  await space.insert('After');
  const before = await space.pages();
  const again = await importSite(space, url);

  expect(earlier.state).toMatchObject({ step: 'done', fetched: 4, found: 4 });
  expect(earlier.state.replaced).toBeUndefined();
  expect(again.state.replaced).toEqual({ added: 0, changed: 0, unchanged: 4, deleted: 0, kept: [] });
  expect(await space.pages()).toEqual(before);
  expect((await space.call('GET', `${space.content}/files`)).body.count).toBe(1);

  pages['/docs/use'] = 'Use. Turn it on twice.';
  pages['/docs/install'] = `Install. ${link('use')} ${link('windows')}`;
  pages['/docs/windows'] = 'Windows. It runs, too.';
  const changed = await importSite(space, url);

  expect(changed.state.replaced).toEqual({ added: 1, changed: 2, unchanged: 1, deleted: 1, kept: [] });
  expect(outline(await space.pages())).toEqual(['Before', 'Docs', 'Install', 'Use', 'Windows', 'After']);
  expect(await textOf(space, 'Use')).toContain('twice');
  expect((await space.pages())[3].id).toBe(before[3].id);
  expect((await space.call('GET', `${space.path}/links?status=broken`)).body.items).toEqual([]);
});

test('pages that people changed are kept, or named where the address changed too', async () => {
  const pages: Record<string, string> = first();
  const url = await site(pages);
  const space = await contentSpace({ allowPrivateImports: true });
  await importSite(space, url);
  const [, install, use] = await space.pages();
  await space.change([{ operation: 'update_page', page: use.id, document: { markdown: '# Use\n\nMine.\n' } }]);
  await space.insert('Note', { into: install.id });

  const kept = await importSite(space, url);
  expect(kept.state.replaced).toMatchObject({ unchanged: 3, kept: ['Use'] });
  expect(await textOf(space, 'Use')).toContain('Mine');

  pages['/docs/use'] = 'Use. Another text.';
  const refused = await importSite(space, url);
  expect(refused.answer).toMatchObject({ status: 409, error: { reason: 'invalid-state' } });
  expect(refused.answer.error.message).toContain('"Use"');
  expect(refused.state.step).toBe('failed');
  expect(await textOf(space, 'Use')).toContain('Mine');

  delete pages['/docs/install'];
  pages['/docs/'] = `Docs. ${link('use')}`;
  const replaced = await importSite(space, url, { overwrite: true });
  expect(replaced.state.replaced).toMatchObject({ deleted: 2, changed: 2 });
  expect(await textOf(space, 'Use')).toContain('Another text');
  // What others put under a page that is gone moves up.
  expect(outline(await space.pages())).toEqual(['Docs', 'Use', 'Note']);
});

test('an import ends when its client goes, and leaves nothing behind', async () => {
  const pages = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`/docs/p${index}`, `P${index}. Text.`]));
  const url = await site({ ...pages, '/docs/': `Docs. ${Object.keys(pages).map(link).join(' ')}` });
  const { instance, admin, call, path, content } = await contentSpace({ allowPrivateImports: true });
  const before = (await call('GET', path)).body;
  const client = new AbortController();
  const id = 'import-that-is-aborted';
  const answer = instance.handle({
    method: 'POST',
    path: `${content}/import`,
    query: new URLSearchParams(),
    headers: {
      'content-type': 'application/json',
      [importHeader]: writeImportHeader({ id, replace: false, overwrite: false }),
    },
    body: JSON.stringify({ url, source: 'website' }),
    as: admin,
    signal: client.signal,
  });
  await expect.poll(() => instance.imports.find(id)?.fetched).toBeGreaterThan(3);
  client.abort();

  expect((await answer).status).toBe(503);
  const { fetched, step } = instance.imports.find(id)!;
  expect(step).toBe('failed');
  expect(fetched).toBeLessThan(40);
  expect((await call('GET', path)).body).toEqual(before);
});

test('the state says why pages were skipped; a wrong header is refused', async () => {
  const url = await site(first());
  const space = await contentSpace({ allowPrivateImports: true, importLimits: { pages: 2 } });
  const { answer, state } = await importSite(space, url);
  expect(answer.body).toMatchObject({ importedResources: 3, totalResources: 5 });
  expect(state).toMatchObject({ leftOut: { pages: 2, depth: 0, failed: 0 }, limits: { pages: 2 } });

  const wrong = await space.call(
    'POST',
    `${space.content}/import`,
    { url, source: 'website' },
    { [importHeader]: 'x' },
  );
  expect(wrong).toMatchObject({ status: 400, error: { details: [{ in: 'header', path: importHeader }] } });
  expect((await space.call('GET', importStatePath('nobody-made-this-up'))).status).toBe(404);
});
