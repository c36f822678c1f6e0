import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exportSite } from '../../src/site/static/export-site.ts';
import { OutputFolder } from '../../src/site/static/output-folder.ts';
import { StaticFolder } from '../../src/site/static/static-folder.ts';
import type { StaticSource } from '../../src/site/static/static-source.ts';
import fc from '../support/property.ts';
import { writeFiles } from '../support/write-files.ts';

type Files = Record<string, string>;

async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'docsctl-static-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Replaces what is in a folder. */
async function writeAll(path: string, files: Files): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await writeFiles(path, files);
}

/** Exports a folder. @returns the files of the pages that were rendered, and of those whose documents were made */
async function exportFolder(docs: string, out: string) {
  const source = new StaticFolder(docs);
  const rendered: string[] = [];
  const drawn: string[] = [];
  const counted: StaticSource = {
    title: source.title,
    pages: source.pages,
    redirects: source.redirects,
    isListed: source.isListed,
    fingerprint: source.fingerprint,
    render(page, missing) {
      rendered.push(page.file);
      return source.render(page, missing);
    },
    isCurrent: (page, text) => source.isCurrent(page, text),
    frameOf: (page) => source.frameOf(page),
    document(page, text, options) {
      drawn.push(page.file);
      return source.document(page, text, options);
    },
    notFound: () => source.notFound(),
    file: (path) => source.file(path),
    problems: () => source.problems(),
    lineOf: (page, text) => source.lineOf(page, text),
  };
  const output = new OutputFolder(out, { overwrite: false, dryRun: false });
  const baseUrl = 'https://docs.example/guide';
  const { problems } = await exportSite(counted, output, {
    baseUrl,
    fingerprint: source.fingerprint,
    renderer: 'test',
    onPage() {},
  });
  return { rendered, drawn, problems };
}

/** What hosts serve. */
async function servedFiles(path: string): Promise<Files> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.docsctl-export'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const files: Files = {};
  for (const name of names.sort()) files[name.slice(path.length)] = await readFile(name, 'latin1');
  return files;
}

const docs: Files = {
  'README.md': '# Home\n\n[One](a/one.md#parts) [Two](a/two.md)\n\n![](.gitbook/assets/x.png)\n',
  'a/README.md': '# A\n\n{% include "../.gitbook/includes/note.md" %}\n',
  'a/one.md':
    '---\ncover: ../.gitbook/assets/x.png\n---\n\n# One\n\n## Parts\n\n<code class="expression">space.vars.v</code>\n',
  'a/two.md':
    '# Two\n\n{% content-ref url="one.md" %}\n[one.md](one.md)\n{% endcontent-ref %}\n\n[Three](../b/three.md#end)\n',
  'b/three.md':
    '# Three\n\n## End\n\n{% updates format="full" %}\n{% update date="2026-01-02" %}\n## News\n{% endupdate %}\n{% endupdates %}\n',
  '.gitbook/includes/note.md': 'Note. [Two](../../a/two.md)\n',
  '.gitbook/vars.yaml': 'v: 1\n',
  '.gitbook/assets/x.png': 'png',
};

const names = Object.keys(docs);
const texts = [
  ...Object.values(docs),
  '# One\n\n[Gone](gone.md) [Home](../README.md#home)\n',
  '---\nhidden: true\nicon: rocket\n---\n\n# Hidden\n\n[End](../b/three.md#parts)\n',
  '---\ndescription: What is new\ncover: .gitbook/assets/y.png\n---\n\n# New\n\n## Parts\n\n## End\n',
  'v: 2\n',
  'jpg',
];
const summaries = [
  undefined,
  '# Contents\n\n* [Home](README.md)\n* [First](a/one.md)\n  * [Two](a/two.md)\n',
  '# Contents\n\n* [Home](README.md)\n\n## Part\n\n* [Three](b/three.md)\n* [A](a/README.md)\n  * [Two](a/two.md)\n',
];
const settings = [undefined, 'redirects:\n  old: a/one.md\n  a/two: a/one.md\n', 'root: ./a/\n'];

/** A change of a folder: of a text, of names, of the order. */
type Edit = (files: Files) => void;

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.constantFrom(...names, 'c.md', '.gitbook/assets/y.png'), fc.constantFrom(...texts)).map(
    ([name, text]): Edit =>
      (files) =>
        (files[name] = text),
  ),
  fc.constantFrom(...names).map(
    (name): Edit =>
      (files) =>
        delete files[name],
  ),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('d.md', 'a/e.md', 'b/README.md'))
    .map(([from, to]): Edit => (files) => {
      const text = files[from];
      if (text === undefined) return;
      delete files[from];
      files[to] = text;
    }),
  fc.constantFrom(...summaries).map(
    (text): Edit =>
      (files) =>
        set(files, 'SUMMARY.md', text),
  ),
  fc.constantFrom(...settings).map(
    (text): Edit =>
      (files) =>
        set(files, '.gitbook.yaml', text),
  ),
);

function set(files: Files, name: string, text: string | undefined): void {
  if (text === undefined) delete files[name];
  else files[name] = text;
}

test('whatever changes, an export over the last one is what a new one would be', async () => {
  const folder = await temporaryFolder();
  const source = join(folder, 'docs');
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
      const out = join(folder, 'out');
      await rm(out, { recursive: true, force: true });
      const files: Files = { ...docs };
      await writeAll(source, files);
      await exportFolder(source, out);
      for (const change of edits) {
        change(files);
        if (!Object.keys(files).some((name) => name.endsWith('.md') && !name.startsWith('.'))) return;
        await writeAll(source, files);
        if (new StaticFolder(source).pages.length === 0) continue;
        const again = await exportFolder(source, out);
        const fresh = join(folder, 'fresh');
        await rm(fresh, { recursive: true, force: true });
        const first = await exportFolder(source, fresh);
        expect(await servedFiles(out)).toEqual(await servedFiles(fresh));
        expect(again.problems).toEqual(first.problems);
      }
    }),
    { numRuns: 6 },
  );
});

test('a change of one text renders and draws that page alone', async () => {
  const folder = await temporaryFolder();
  const [source, out] = [join(folder, 'docs'), join(folder, 'out')];
  await writeAll(source, docs);
  await exportFolder(source, out);

  await writeFile(join(source, 'a', 'two.md'), `${docs['a/two.md']}More.\n`);
  const text = await exportFolder(source, out);
  await writeFile(join(source, '.gitbook', 'vars.yaml'), 'v: 2\n');
  const variable = await exportFolder(source, out);
  await writeFile(join(source, '.gitbook', 'assets', 'x.png'), 'gif');
  const picture = await exportFolder(source, out);
  await writeFile(join(source, 'a', 'one.md'), '# First\n\n## Parts\n');
  const title = await exportFolder(source, out);
  const nothing = await exportFolder(source, out);

  expect(text).toMatchObject({ rendered: ['a/two.md'], drawn: ['a/two.md'] });
  expect(variable).toMatchObject({ rendered: ['a/one.md'], drawn: ['a/one.md'] });
  // The cover of another page is the same picture.
  expect(picture).toMatchObject({ rendered: ['README.md'], drawn: ['README.md', 'a/one.md'] });
  // The page, and what links to it: its title stands there. All tables of contents show it.
  expect(title.rendered.toSorted()).toEqual(['README.md', 'a/one.md', 'a/two.md']);
  expect(title.drawn).toHaveLength(6);
  expect(nothing).toMatchObject({ rendered: [], drawn: [] });
});

test('a damaged memory of the last export only takes time', async () => {
  const folder = await temporaryFolder();
  const [source, out] = [join(folder, 'docs'), join(folder, 'out')];
  await writeAll(source, docs);
  await exportFolder(source, out);
  const before = await servedFiles(out);
  const memory = join(out, '.docsctl-export.pages');
  const bytes = await readFile(memory);

  for (const damaged of [bytes.subarray(0, 900), bytes.fill(0, 0, 300), Buffer.from('torn')]) {
    await writeFile(memory, damaged);
    await exportFolder(source, out);
    expect(await servedFiles(out)).toEqual(before);
  }
});

test('the Markdown of an export links to its other files of Markdown, and to its pictures', async () => {
  const [docs, out] = [await temporaryFolder(), await temporaryFolder()];
  await writeAll(docs, {
    'README.md': '# Home\n\n[a](<a b.md#part>) ![p](p.png) [out](https://lumen.example/) [gone](gone.md) `[a](x.md)`\n',
    'a b.md': '# A B\n\n## Part\n\n[home](README.md)\n',
    'p.png': 'x',
  });
  await exportFolder(docs, out);
  const home = await readFile(join(out, 'index.md'), 'utf8');

  expect(home).toContain('[a](<https://docs.example/guide/a-b.md#part>)');
  expect(home).toMatch(/!\[p\]\(https:\/\/docs\.example\/guide\/assets\/files\/p-\w+\.png\)/);
  expect(home).toContain('[out](https://lumen.example/) [gone](gone.md) `[a](x.md)`');
  expect(await readFile(join(out, 'a-b.md'), 'utf8')).toContain('[home](https://docs.example/guide/index.md)');
  expect(await readFile(join(out, 'llms-full.txt'), 'utf8')).toContain('guide/a-b.md#part');
});
