import { expect } from 'vitest';
import { png } from '../support/content-space.ts';
import { type Repository, test } from '../support/git.ts';

const a = '# Alpha\n\nSee [Beta](guide/b.md#part), [Beta]( ./guide/b.md "Title" ) and [Gamma](c.md).\n';
const b = '# Beta\n\nBack to [Alpha](../a.md), next to [Delta](d.md).\n\n![Pump](../pump.png)\n\n## Part\n\nText.\n';
const d = '# Delta\n\nSee [Beta](b.md).\n';

async function broken(repository: Repository): Promise<unknown[]> {
  return (await repository.docs.docsctl('spaces', 'links', repository.space, '--status', 'broken', '--json')).json;
}

test('a pull corrects links to pages that were moved in the app', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': a, 'guide/b.md': b, 'guide/d.md': d, 'c.md': '# Gamma\n', 'pump.png': png(1, 2) });
  await ann.push();
  const id = await repository.pageId('Beta');
  const into = await repository.pageId('Gamma');
  await repository.inApp([{ operation: 'update_page', page: id, into, title: 'Omega', slug: 'omega' }]);

  const run = await ann.pull();
  const again = await ann.pull();
  const files = [await ann.read('a.md'), await ann.read('c/omega.md'), await ann.read('guide/d.md')];
  const fresh = await ann.docsctl('content', 'pull', 'fresh', '--json');
  const pushed = await ann.push();
  const last = await ann.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(files[0]).toBe('# Alpha\n\nSee [Beta](c/omega.md#part), [Beta]( c/omega.md "Title" ) and [Gamma](c.md).\n');
  expect(files[1]).toContain('Back to [Alpha](../a.md), next to [Delta](../guide/d.md).\n\n![Pump](../pump.png)');
  expect(files[2]).toBe('# Delta\n\nSee [Beta](../c/omega.md).\n');
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
  expect(fresh.exitCode, fresh.stderr).toBe(0);
  expect(pushed.exitCode, pushed.stderr).toBe(0);
  expect(pushed.json).toMatchObject({ changed: 0, kept: 0, merged: 0 });
  expect(last.json).toMatchObject({ status: 'unchanged' });
  expect(await broken(repository)).toEqual([]);
  expect(await repository.pageId('Omega')).toBe(id);
});

test('a pull links new pages to files that were renamed in the folder', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# Alpha\n', 'b.md': '# Beta\n' });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  await ann.push();
  const ben = repository.clone('ben');
  await ann.commit({ 'c.md': '# Gamma\n\nSee [Beta](b.md#part) and [Alpha](a.md).\n' });
  await ann.push();
  await ben.rename('b.md', 'a/b.md');
  await ben.commit({});

  const run = await ben.pull();
  const again = await ben.pull();

  expect([run.exitCode, again.exitCode], run.stderr).toEqual([0, 0]);
  expect(await ben.read('c.md')).toBe('# Gamma\n\nSee [Beta](a/b.md#part) and [Alpha](a.md).\n');
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
});

test('a pull keeps the spelling of links that still lead to the same page', async ({ repository }) => {
  const ann = repository.clone('ann');
  const text = '# Alpha\n\n[B](guide/b), [B](./guide/b.md), [C](/c.md), [None](none.md).\n';
  await ann.commit({ 'a.md': text, 'guide/b.md': '# Beta\n', 'c.md': '# Gamma\n' });
  await ann.push();
  await repository.inApp([{ operation: 'update_page', page: await repository.pageId('Gamma'), slug: 'other' }]);

  const run = await ann.pull();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(await ann.read('a.md')).toBe(text.replace('/c.md', 'other.md'));
});

const listed = {
  'SUMMARY.md': '# Docs\n\n* [Alpha](a.md)\n* [Guide](guide/README.md)\n  * [Beta](guide/b.md)\n* [Gamma](c.md)\n',
  'a.md': '# Alpha\n\nSee [Beta](guide/b.md#part) and [Gamma](c.md).\n',
  'guide/README.md': '# Guide\n',
  'guide/b.md': '# Beta\n\nBack to [Guide](README.md).\n\n## Part\n\nText.\n',
  'c.md': '# Gamma\n',
};

/** A repository with SUMMARY.md, in whose space a page was moved after the first push. */
async function moveInApp(repository: Repository) {
  const ann = repository.clone('ann');
  await ann.commit(listed);
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  await ann.push();
  const [page, into] = [await repository.pageId('Beta'), await repository.pageId('Gamma')];
  await repository.inApp([{ operation: 'update_page', page, into }]);
  return repository.clone('ben');
}

test('a page that was moved in SUMMARY.md only needs no push', async ({ repository }) => {
  const ben = await moveInApp(repository);
  const pulled = await ben.pull();
  const text = await ben.read('a.md');
  const pushed = await ben.push();
  const [again, last] = [await ben.push(), await ben.pull()];

  expect(pulled.exitCode, pulled.stderr).toBe(0);
  expect(text).toBe(listed['a.md']);
  expect(pushed.json, pushed.stderr).toMatchObject({ changed: 0, moved: 0 });
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(last.json).toMatchObject({ written: 0, removed: 0 });
  expect(await ben.read('a.md')).toBe(listed['a.md']);
  expect(await broken(repository)).toEqual([]);
});

test('a push without a pull keeps links to pages that were moved in the app', async ({ repository }) => {
  const ben = await moveInApp(repository);
  await ben.commit({ 'c.md': '# Gamma\n\nMore.\n' });

  const first = await ben.push();
  const again = await ben.push();
  const links = await broken(repository);
  const pulled = await ben.pull();
  const last = await ben.push();

  expect(first.json, first.stderr).toMatchObject({ changed: 1, moved: 0 });
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(links).toEqual([]);
  expect(pulled.json, pulled.stderr).toMatchObject({ written: 1 });
  expect(await ben.read('a.md')).toBe(listed['a.md']);
  expect(last.json, last.stderr).toMatchObject({ added: 0, changed: 0, moved: 0, deleted: 0 });
});

test('a push of a deletion sends the pages that linked to it at once, also if one was moved in the app', async ({
  repository,
}) => {
  const ann = repository.clone('ann');
  const text = '# Alpha\n\nSee [Beta](b.md).\n\n![Pump](pump.png)\n';
  await ann.commit({ 'a.md': text, 'b.md': '# Beta\n', 'c.md': '# Gamma\n', 'pump.png': png(1, 2) });
  await ann.push();
  const id = await repository.pageId('Alpha');
  await repository.inApp([{ operation: 'update_page', page: id, into: await repository.pageId('Gamma') }]);
  await ann.commit({ 'b.md': null });

  const run = await ann.push();
  const again = await ann.push();

  expect(run.json, run.stderr).toMatchObject({ status: 'merged', changed: 1, deleted: 1 });
  expect(again.json).toMatchObject({ status: 'unchanged', kept: 1 });
});

test('a push keeps a link that somebody changed to a path in the app', async ({ repository }) => {
  const ben = await moveInApp(repository);
  const corrected = '# Alpha\n\nSee [Beta](c/b.md#part) and [Gamma](c.md).\n';
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Alpha'), document: { markdown: corrected } },
  ]);
  await ben.commit({ 'c.md': '# Gamma\n\nMore.\n' });

  const run = await ben.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ changed: 1, kept: 2 });
  const texts = await repository.texts();
  expect(texts['Alpha']).toBe(corrected);
  expect(texts['Beta']).toContain(`Back to [Guide](/pages/${await repository.pageId('Guide')}).`);
  expect(await broken(repository)).toEqual([]);
});

test('a pull corrects the link of a page that was pushed after its target was renamed in the app', async ({
  repository,
}) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# Alpha\n', 'b.md': '# Beta\n' });
  await ann.push();
  const id = await repository.pageId('Beta');
  await repository.inApp([{ operation: 'update_page', page: id, title: 'Omega', slug: 'omega' }]);
  await ann.commit({ 'c.md': '# Gamma\n\nSee [Beta](b.md).\n' });

  const pushed = await ann.push();
  const links = await broken(repository);
  const run = await ann.pull();
  const again = await ann.push();

  expect([pushed.exitCode, run.exitCode], run.stderr).toEqual([0, 0]);
  expect(links).toEqual([]);
  expect(await ann.read('c.md')).toBe('# Gamma\n\nSee [Beta](omega.md).\n');
  expect(again.exitCode, again.stderr).toBe(0);
  expect(await broken(repository)).toEqual([]);
});

test('a push corrects the links of a page that it renames, and that was moved in the app', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# Alpha\n\nSee [Beta](b.md).\n', 'b.md': '# Beta\n' });
  await ann.push();
  const into = await repository.pageId('Beta');
  await repository.inApp([{ operation: 'update_page', page: await repository.pageId('Alpha'), into }]);
  await ann.rename('a.md', 'first.md');
  await ann.commit({ 'first.md': '# Alpha\n\nMore.\n\nSee [Beta](b.md).\n' });

  const run = await ann.push();
  const links = await broken(repository);
  const again = await ann.push();

  expect([run.exitCode, again.exitCode], run.stderr).toEqual([0, 0]);
  expect(links).toEqual([]);
  expect(again.json).toMatchObject({ status: 'unchanged' });
});

test.for([
  { place: 'the top', into: null, file: 'b.md', at: '' },
  { place: 'a page far below', into: 'Delta', file: 'c/d/b.md', at: '../../' },
])(
  'a page that is moved to $place in the app keeps its images and files',
  async ({ into, file, at }, { repository }) => {
    const ann = repository.clone('ann');
    const text = (start: string) =>
      [
        `---\ncover: ${start}img/cover.png\n---\n\n# Beta\n`,
        `![Pump](${start}img/pump.png)\n`,
        `<figure><img src="${start}img/pump.png" alt=""></figure>\n`,
        `See the [manual](${start}img/a%20manual.pdf) and the [pump](${start}img/pump.png "Pump").\n`,
        `{% file src="${start}img/a manual.pdf" %}\n`,
      ].join('\n');
    await ann.commit({
      'guide/README.md': '# Guide\n',
      'guide/b.md': text('../'),
      'c.md': '# Gamma\n',
      'c/d.md': '# Delta\n',
      'img/cover.png': png(3, 1),
      'img/pump.png': png(1, 2),
      'img/a manual.pdf': 'A manual.',
    });
    const first = await ann.push();
    const id = await repository.pageId('Beta');
    await repository.inApp([
      { operation: 'update_page', page: id, into: into === null ? null : await repository.pageId(into), at: 0 },
    ]);
    const inSpace = await broken(repository);

    const run = await ann.pull();
    const again = await ann.pull();
    const moved = await ann.read(file);
    const checked = await ann.docsctl('content', 'check', 'docs', '--json');
    const pushed = await ann.push();

    expect(first.exitCode, first.stderr).toBe(0);
    expect(inSpace).toEqual([]);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(moved.replaceAll('%20manual.pdf" %}', ' manual.pdf" %}').replaceAll(/cover: "(.*)"/g, 'cover: $1')).toBe(
      text(at),
    );
    expect(again.json).toMatchObject({ written: 0, removed: 0, changedHere: 0 });
    expect(checked.exitCode, checked.stdout).toBe(0);
    expect(pushed.json).toMatchObject({ added: 0, changed: 0, moved: 0, deleted: 0, uploaded: 0 });
    expect(await broken(repository)).toEqual([]);
  },
);

test('a pull gives back every spelling of the address of a file', async ({ repository }) => {
  const ann = repository.clone('ann');
  const text = [
    '---\ncover: "/img/pump.png"\n---\n\n# Beta\n',
    '![1](../img/pump.png) ![2](./../img/pump.png) ![3](/img/pump.png) ![4](<../img/pump.png>) ![5](../img/pump.png#a)\n',
    '![6][pump] <img srcset="../img/pump.png 1x, /img/pump.png 2x" src=\'../img/pump.png\'>\n',
    '`![7](../img/pump.png)` ![8](../img/none.png) ![9](../IMG/pump.png)\n',
    '[pump]: ../img/pump.png\n',
  ].join('\n');
  await ann.commit({ 'guide/README.md': '# Guide\n', 'guide/b.md': text, 'img/pump.png': png(1, 2) });
  await ann.push();

  const second = await ann.push();
  const run = await ann.docsctl('content', 'pull', 'fresh', '--json');
  const pulled = await ann.pull();

  expect(second.json).toMatchObject({ status: 'unchanged' });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(await ann.read('../fresh/guide/b.md')).toBe(text);
  expect(pulled.json).toMatchObject({ written: 0, changedHere: 0 });
});

test('an image that both sides use in other spellings is no conflict', async ({ repository }) => {
  const ann = repository.clone('ann');
  const text = '# Beta\n\nFirst.\n\n![Pump](../img/pump.png)\n\nLast.\n';
  await ann.commit({ 'guide/README.md': '# Guide\n', 'guide/b.md': text, 'img/pump.png': png(1, 2) });
  await ann.push();
  await repository.inApp([
    {
      operation: 'update_page',
      page: await repository.pageId('Beta'),
      document: { markdown: '# Beta\n\nFirst of the app.\n\n![Pump](../img/pump.png)\n\nLast.\n' },
    },
  ]);
  await ann.commit({ 'guide/b.md': text.replace('Last', 'Last of Ann') });

  const pushed = await ann.push();
  const run = await ann.pull();

  expect(pushed.exitCode, pushed.stderr).toBe(0);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(await ann.read('guide/b.md')).toBe(text.replace('First', 'First of the app').replace('Last', 'Last of Ann'));
});

test('a pull corrects the links of included texts to pages that were moved in the app', async ({ repository }) => {
  const ann = repository.clone('ann');
  const note = 'Read [Beta](../../guide/b.md#part), [Beta]( ../../guide/b ) and [Alpha](../../a.md) first.\n';
  await ann.commit({
    'a.md': '# Alpha\n\n{% include ".gitbook/includes/note.md" %}\n',
    'guide/README.md': '# Guide\n',
    'guide/b.md': '# Beta\n\n## Part\n\nText.\n',
    '.gitbook/includes/note.md': note,
  });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  await ann.push();
  const ben = repository.clone('ben');
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Beta'), into: null, slug: 'beta' },
  ]);

  const run = await ben.pull();
  const again = await ben.pull();
  const text = await ben.read('.gitbook/includes/note.md');
  const checked = await ben.docsctl('content', 'check', 'docs', '--json');
  await ben.commit({});
  const pushed = await ben.push();
  const last = await ben.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ merged: 1, leftOut: 0 });
  expect(text).toBe('Read [Beta](../../beta.md#part), [Beta]( ../../beta.md ) and [Alpha](../../a.md) first.\n');
  expect(again.json).toMatchObject({ written: 0, changedHere: 1 });
  expect(checked.exitCode, checked.stdout).toBe(0);
  expect(pushed.json).toMatchObject({ added: 0, moved: 0, deleted: 0, uploaded: 1 });
  expect(last.json).toMatchObject({ status: 'unchanged' });
});

test('what the folder changed in a page that the app moved leads where it led', async ({ repository }) => {
  const ann = repository.clone('ann');
  const text = '# Beta\n\n![Pump](img/pump.png)\n\nText.\n';
  await ann.commit({ 'b.md': text, 'c.md': '# Gamma\n', 'd.md': '# Delta\n', 'img/pump.png': png(1, 2) });
  await ann.push();
  const page = await repository.pageId('Beta');
  await repository.inApp([{ operation: 'update_page', page, into: await repository.pageId('Gamma') }]);
  await ann.rename('img/pump.png', 'img/valve.png');
  await ann.commit({ 'b.md': `${text.replace('pump.png', 'valve.png')}\nSee [Delta](d.md#part) and [Gamma](c.md).\n` });

  const pull = await ann.pull();
  const file = await ann.read('c/b.md');
  const push = await ann.push();
  const last = await ann.push();

  for (const run of [pull, push, last]) expect(run.exitCode, run.stderr).toBe(0);
  expect(file).toBe(
    '# Beta\n\n![Pump](../img/valve.png)\n\nText.\n\nSee [Delta](../d.md#part) and [Gamma](../c.md).\n',
  );
  expect(last.json).toMatchObject({ status: 'unchanged' });
  expect(await broken(repository)).toEqual([]);
});
