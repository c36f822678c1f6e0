import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textHash } from '../../src/content/folder/base.ts';
import { png } from '../support/content-space.ts';
import { type Clone, type Repository, test } from '../support/git.ts';

/** The addresses of the broken links in the space. */
async function broken({ docs, space }: Repository): Promise<string[]> {
  const { stdout } = await docs.docsctl('spaces', 'links', space, '--status', 'broken', '--json');
  return [...stdout.matchAll(/"url": ?"([^"]*)"/g)].map(([, url = '']) => url);
}

/** The IDs of pages by title. */
async function idsOf(repository: Repository, ...titles: string[]): Promise<string[]> {
  return Promise.all(titles.map((title) => repository.pageId(title)));
}

/** Gives pages texts with paths, and the record that a version without IDs wrote. @param sentences by title */
async function asEarlierVersion(repository: Repository, clone: Clone, sentences: Record<string, string>) {
  const { docs, space } = repository;
  const texts = Object.entries(sentences).map(([title, text]) => [title, `# ${title}\n\n${text}\n`] as const);
  for (const [title, markdown] of texts) {
    const page = await repository.pageId(title);
    await repository.inApp([{ operation: 'update_page', page, document: { markdown } }]);
  }
  const { json } = await docs.docsctl('api', 'GET', `/v1/spaces/${space}/content?metadata=false`);
  const pages = json.pages.map(({ id, title, slug, path, documentId: document, updatedAt }: any) => ({
    id,
    parent: null,
    title,
    slug,
    path,
    file: `${slug}.md`,
    text: textHash(new Map(texts).get(title)),
    space: { document, updatedAt },
    revision: json.id,
  }));
  const layout = { version: 1, serial: 9, pages: {}, files: {}, links: {}, base: { pages, files: {} } };
  const file = {
    name: '.docsctl/layout-9.json',
    base64: Buffer.from(JSON.stringify(layout)).toString('base64'),
    contentType: 'application/json',
  };
  await repository.inApp([{ operation: 'insert_files', files: [file] }]);
  await rm(join(clone.dir, 'docs/.docsctl'), { recursive: true, force: true });
}

const a = [
  '# Alpha',
  'See [Beta](guide/b.md), [a part of it](./guide/b.md#part "Title"), [the guide](guide/) and [Gamma](/c.md).',
  '[With a reference][b], <a href="guide/b.md">in HTML</a>, `[in code](guide/b.md)`, [nothing](none.md), [here](#alpha),',
  '[with a query](c.md?x=1), [elsewhere](https://example.com/b.md) and [its parentheses](guide/b.md#it’s-(new)).',
  '{% content-ref url="guide/b.md" %}\n[Beta](guide/b.md)\n{% endcontent-ref %}',
  '```md\n[Beta](guide/b.md)\n```',
  '[b]: <guide/b.md> "Beta"',
].join('\n\n');
const files = {
  'a.md': `${a}\n`,
  'guide/README.md': '# Guide\n\nUp to [Alpha](../a.md), down to [Beta](b.md).\n',
  'guide/b.md':
    '# Beta\n\nBack to [Guide](README.md), [me](b.md), [Alpha](../a) and [Gamma](../c.md#gamma).\n\n## Part\n',
  'c.md': '# Gamma\n',
};

test('a push sends links to pages by ID, and a pull writes them as they were', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit(files);

  const first = await ann.push();
  const again = await ann.push();
  const texts = await repository.texts();
  const fresh = await ann.docsctl('content', 'pull', 'fresh', '--json');
  const pulled = await ann.pull();

  const [alpha, guide, beta, gamma] = await idsOf(repository, 'Alpha', 'Guide', 'Beta', 'Gamma');
  expect(first.exitCode, first.stderr).toBe(0);
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(texts['Alpha']).toContain(
    `[Beta](/pages/${beta}), [a part of it](/pages/${beta}#part "Title"), [the guide](/pages/${guide}) and [Gamma](/pages/${gamma}).`,
  );
  expect(texts['Alpha']).toContain(
    `<a href="/pages/${beta}">in HTML</a>, \`[in code](guide/b.md)\`, [nothing](none.md), [here](#alpha),`,
  );
  expect(texts['Alpha']).toContain('[with a query](c.md?x=1), [elsewhere](https://example.com/b.md)');
  expect(texts['Alpha']).toContain(`{% content-ref url="/pages/${beta}" %}\n[Beta](/pages/${beta})`);
  expect(texts['Alpha']).toContain('```md\n[Beta](guide/b.md)\n```');
  expect(texts['Alpha']).toContain(`[b]: </pages/${beta}> "Beta"`);
  expect(texts['Beta']).toContain(
    `[Guide](/pages/${guide}), [me](/pages/${beta}), [Alpha](/pages/${alpha}) and [Gamma](/pages/${gamma}#gamma).`,
  );
  expect(fresh.exitCode, fresh.stderr).toBe(0);
  for (const [file, text] of Object.entries(files)) expect(await ann.read(`../fresh/${file}`), file).toBe(text);
  expect(pulled.json).toMatchObject({ written: 0, removed: 0 });
});

test('a move in the app breaks no link, before and after a pull', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit(files);
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  await ann.push();
  const [beta, into] = await idsOf(repository, 'Beta', 'Gamma');
  await repository.inApp([{ operation: 'update_page', page: beta, into }]);

  const moved = await broken(repository);
  const unpulled = await ann.push();
  const pulled = await ann.pull();
  const again = await ann.pull();
  const pushed = await ann.push();
  await ann.commit({});
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  const other = await repository.clone('ben').push();

  expect(moved).toEqual(['none.md']);
  expect(unpulled.json).toMatchObject({ changed: 0, moved: 0 });
  expect(pulled.exitCode, pulled.stderr).toBe(0);
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
  expect(await ann.read('a.md')).toContain('[Beta](c/b.md), [a part of it](c/b.md#part "Title")');
  expect(await ann.read('c/b.md')).toContain('[Guide](../guide/README.md), [me](b.md), [Alpha](../a)');
  expect(pushed.json, pushed.stderr).toMatchObject({ added: 0, changed: 0, moved: 0, deleted: 0 });
  expect(other.exitCode, other.stderr).toBe(0);
  expect(other.json, other.stderr).toMatchObject({ added: 0, changed: 0, moved: 0, deleted: 0 });
  expect(await broken(repository)).toEqual(['none.md']);
});

test('a folder is turned into the space of an earlier version without changes, and converted page by page', async ({
  repository,
}) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# Alpha\n\nSee [Beta](b.md).\n', 'b.md': '# Beta\n\nSee [Alpha](a.md).\n' });
  await ann.push();
  await asEarlierVersion(repository, ann, { Alpha: 'See [Beta](b.md).', Beta: 'See [Alpha](a.md).' });

  const unchanged = await ann.push();
  const pulled = await ann.pull();
  const state = await ann.push();
  await ann.commit({ 'a.md': '# Alpha\n\nSee [Beta](b.md).\n\nMore.\n' });
  const edited = await ann.push();
  const texts = await repository.texts();
  const beta = await repository.pageId('Beta');
  await repository.inApp([{ operation: 'update_page', page: await repository.pageId('Alpha'), slug: 'first' }]);
  await ann.commit({ 'c.md': '# Gamma\n' });
  const corrected = await ann.push();

  expect([unchanged.exitCode, pulled.exitCode, state.exitCode], unchanged.stderr).toEqual([0, 0, 0]);
  expect(unchanged.json).toMatchObject({ changed: 0, merged: 0, kept: 0 });
  expect(pulled.json).toMatchObject({ written: 0, removed: 0 });
  expect(state.json).toMatchObject({ changed: 0, merged: 0, kept: 0 });
  expect(edited.json, edited.stderr).toMatchObject({ changed: 1 });
  expect(texts).toEqual({
    Alpha: `# Alpha\n\nSee [Beta](/pages/${beta}).\n\nMore.\n`,
    Beta: '# Beta\n\nSee [Alpha](a.md).\n',
  });
  expect(corrected.json, corrected.stderr).toMatchObject({ added: 1, changed: 1 });
  expect((await repository.texts())['Beta']).toBe(
    `# Beta\n\nSee [Alpha](/pages/${await repository.pageId('Alpha')}).\n`,
  );
  expect(await broken(repository)).toEqual([]);
});

test('the spelling of links is no conflict between a version that sends paths and one that sends IDs', async ({
  repository,
}) => {
  const ann = repository.clone('ann');
  const text = '# Alpha\n\nSee [Beta](b.md), and [Beta](b.md#more).\n\nLast.\n';
  await ann.commit({ 'a.md': text, 'b.md': '# Beta\n' });
  await ann.push();
  const page = await repository.pageId('Alpha');
  const markdown = text.replace('Last', 'The last');
  await repository.inApp([{ operation: 'update_page', page, document: { markdown } }]);
  await ann.commit({ 'a.md': text.replace('and', 'or') });

  const run = await ann.push();
  const pulled = await ann.pull();
  const again = await ann.push();

  const beta = await repository.pageId('Beta');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ changed: 1, merged: 1 });
  expect((await repository.texts())['Alpha']).toBe(
    `# Alpha\n\nSee [Beta](/pages/${beta}), or [Beta](/pages/${beta}#more).\n\nThe last.\n`,
  );
  expect(pulled.exitCode, pulled.stderr).toBe(0);
  expect(await ann.read('a.md')).toBe(markdown.replace('and', 'or'));
  expect(again.json, again.stderr).toMatchObject({ changed: 0, merged: 0, kept: 0 });
});

test('a conflict shows and marks links as they are in the folder', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# Alpha\n\nSee [Beta](./guide/b.md).\n', 'guide/b.md': '# Beta\n' });
  await ann.push();
  const [page, beta] = await idsOf(repository, 'Alpha', 'Beta');
  const markdown = `# Alpha\n\nRead [Beta](/pages/${beta}).\n`;
  await repository.inApp([{ operation: 'update_page', page, document: { markdown } }]);
  await ann.commit({ 'a.md': '# Alpha\n\nOpen [Beta](./guide/b.md).\n' });

  const refused = await ann.push();
  const marked = await ann.pull('--on-conflict', 'mark');

  expect([refused.exitCode, marked.exitCode]).toEqual([6, 6]);
  expect(refused.stderr).not.toContain('/pages/');
  expect(await ann.read('a.md')).toBe(
    '# Alpha\n\n<<<<<<< folder\nOpen [Beta](./guide/b.md).\n=======\nRead [Beta](./guide/b.md).\n>>>>>>> app\n',
  );
});

test('a conflict shows and marks images as they are in the folder', async ({ repository }) => {
  const ann = repository.clone('ann');
  const text = (word: string) => `# Beta\n\n${word}: ![Pump](../img/pump.png)\n`;
  await ann.commit({ 'guide/README.md': '# Guide\n', 'guide/b.md': text('One'), 'img/pump.png': png(1, 2) });
  await ann.push();
  const [page] = await idsOf(repository, 'Beta');
  const markdown = text('Two').replace('../img', '/img');
  await repository.inApp([{ operation: 'update_page', page, document: { markdown } }]);
  await ann.commit({ 'guide/b.md': text('Three') });

  const refused = await ann.push();
  const marked = await ann.pull('--on-conflict', 'mark');

  expect([refused.exitCode, marked.exitCode]).toEqual([6, 6]);
  expect(refused.stderr).toContain('../img/pump.png');
  expect(refused.stderr).not.toContain('(/img/pump.png');
  const lines = ['Three', 'Two'].map((word) => text(word).split('\n')[2]);
  expect(await ann.read('guide/b.md')).toBe(
    `# Beta\n\n<<<<<<< folder\n${lines[0]}\n=======\n${lines[1]}\n>>>>>>> app\n`,
  );
});

test('a page that both sides added is one page, although the app has paths and another title', async ({
  repository,
}) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# Alpha\n\n![Pump](img/pump.png)\n', 'img/pump.png': png(1, 2) });
  await ann.push();
  const text = '# Beta\n\n[Alpha](a.md) ![Pump](img/pump.png)\n';
  await repository.inApp([{ operation: 'insert_page', title: 'Beta', slug: 'b', document: { markdown: text } }]);
  const page = await repository.pageId('Beta');
  await repository.inApp([{ operation: 'update_page', page, title: 'Other', slug: 'other' }]);
  await ann.commit({ 'b.md': text });

  const refused = await ann.push();
  const run = await ann.push('--prefer', 'app');

  expect(refused.exitCode).toBe(6);
  expect(refused.stderr).toContain('b.md (Beta): title, slug');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ added: 0 });
  expect((await repository.pages()).map(({ title }) => title)).toEqual(['Alpha', 'Other']);
});

test('a push corrects the picture of a page that both sides added and the app moved', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# Alpha\n\n![Pump](img/pump.png)\n', 'img/pump.png': png(1, 2) });
  await ann.push();
  const text = '# Beta\n\n![Pump](img/pump.png)\n';
  await repository.inApp([{ operation: 'insert_page', title: 'Beta', slug: 'b', document: { markdown: text } }]);
  await ann.commit({ 'b.md': text });
  const added = await ann.push();
  const [page, into] = await idsOf(repository, 'Beta', 'Alpha');
  await repository.inApp([{ operation: 'update_page', page, into }]);

  const run = await ann.push();
  const again = await ann.push();

  expect(added.json).toMatchObject({ added: 0, changed: 0 });
  expect(run.json).toMatchObject({ added: 0, changed: 1, moved: 0 });
  expect((await repository.texts())['Beta']).toBe(text.replace('img', '/img'));
  expect(again.json).toMatchObject({ status: 'unchanged' });
});

test('links to a page that was deleted stay as they are in the folder', async ({ repository }) => {
  const ann = repository.clone('ann');
  const text = '# Alpha\n\nSee [Beta](b.md) and [Gamma](./c.md).\n';
  await ann.commit({ 'a.md': text, 'b.md': '# Beta\n', 'c.md': '# Gamma\n' });
  await ann.push();
  const gamma = await repository.pageId('Gamma');
  await repository.inApp([{ operation: 'delete_page', page: await repository.pageId('Beta') }]);

  const pulled = await ann.pull();
  const pulledText = await ann.read('a.md');
  const pushed = await ann.push();
  const again = [await ann.pull(), await ann.push()];
  const texts = await repository.texts();
  await ann.commit({});
  await ann.commit({ 'b.md': '# Beta\n\nAnother page.\n' });
  const restored = await ann.push();

  expect([pulled.exitCode, pushed.exitCode, restored.exitCode], pushed.stderr).toEqual([0, 0, 0]);
  expect(pulled.json).toMatchObject({ removed: 1 });
  expect(pulledText).toBe(text);
  expect(again.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(again[0]?.json).toMatchObject({ written: 0, removed: 0 });
  expect(again[1]?.json).toMatchObject({ changed: 0 });
  expect(texts['Alpha']).toBe(`# Alpha\n\nSee [Beta](b.md) and [Gamma](/pages/${gamma}).\n`);
  expect(restored.json).toMatchObject({ added: 1, changed: 1 });
  expect(await broken(repository)).toEqual([]);
});
