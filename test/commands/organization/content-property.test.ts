import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runs } from '../../support/long-form.ts';
import fc from '../../support/property.ts';
import { sharedDemo } from '../../support/shell.ts';

const { home } = await sharedDemo();

interface Page {
  name: string;
  parent: string | null;
  title: string;
  text: string;
  description?: string;
  hasPicture?: boolean;
}

const at = (path: string) => join(home.dir, ...path.split('/'));

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

/** The folder of these pages, with links from each to the one before it. */
function folderOf(pages: readonly Page[]): Record<string, string> {
  const files: Record<string, string> = {};
  const hasChildren = (name: string) => pages.some(({ parent }) => parent === name);
  const fileOf = ({ name, parent }: Page) =>
    `${parent === null ? '' : `${parent}/`}${name}${hasChildren(name) ? '/README' : ''}.md`;
  const lines = ['# Table of contents', ''];
  const write = (page: Page, depth: number) => {
    const file = fileOf(page);
    lines.push(`${'  '.repeat(depth)}- [${page.title}](${file})`);
    const up = '../'.repeat(file.split('/').length - 1);
    const [previous] = pages.slice(Math.max(pages.indexOf(page) - 1, 0));
    const head = page.description === undefined ? '' : `---\ndescription: ${page.description}\n---\n\n`;
    const picture = page.hasPicture ? `\n![Picture](${up}assets/${page.name}.png)\n` : '';
    if (page.hasPicture) files[`assets/${page.name}.png`] = `picture of ${page.text}`;
    const link = previous && previous !== page ? `\nSee [before](${up}${fileOf(previous)}).\n` : '';
    files[file] = `${head}# ${page.title}\n\n${page.text}\n${picture}${link}`;
    for (const child of pages) if (child.parent === page.name) write(child, depth + 1);
  };
  for (const page of pages) if (page.parent === null) write(page, 0);
  files['SUMMARY.md'] = `${lines.join('\n')}\n`;
  return files;
}

const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta'), { minLength: 1, maxLength: 4 });
const line = words.map((list) => list.join(' '));
const names = ['one', 'two', 'three', 'four', 'five', 'six'];

const pageOf = (name: string, parents: readonly string[]): fc.Arbitrary<Page> =>
  fc
    .record({
      parent: fc.constantFrom(null, ...parents),
      title: line.map((text) => `${name} ${text}`),
      text: fc.array(line, { minLength: 1, maxLength: 3 }).map((list) => list.join('\n\n')),
      description: fc.option(line, { nil: undefined }),
      hasPicture: fc.boolean(),
    })
    .map(({ description, ...page }) => ({ name, ...page, ...(description !== undefined && { description }) }));

/** Pages of two levels; those of one scene have the names of the other, so that they are moved, changed and removed. */
const scene: fc.Arbitrary<Page[]> = fc.shuffledSubarray(names, { minLength: 2 }).chain(([first = '', ...others]) => {
  const top = others.slice(0, Math.ceil(others.length / 2));
  return fc.tuple(
    pageOf(first, []),
    ...top.map((name) => pageOf(name, [])),
    ...others.slice(top.length).map((name) => pageOf(name, [first, ...top])),
  );
});

const page = (name: string, text: string): Page => ({ name, parent: null, title: name, text });

/** A page and its picture are removed after the picture was replaced. */
const removedPicture: [Page[][]] = [
  [
    [page('one', 'alpha'), { ...page('two', 'alpha'), hasPicture: true }],
    [page('one', 'alpha'), { ...page('two', 'beta'), hasPicture: true }],
    [page('one', 'alpha'), page('three', 'alpha')],
  ],
];

async function writeFolder(folder: string, files: Record<string, string>): Promise<void> {
  await rm(at(folder), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(at(`${folder}/${path}`)), { recursive: true });
    await writeFile(at(`${folder}/${path}`), text);
  }
}

async function readFolder(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(at(folder), { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(at(folder).length + 1), await readFile(file, 'utf8')])),
  );
}

test(
  'a content folder that is edited at random and applied is exported as it is, and the next plan is empty',
  { timeout: 600_000 },
  async () => {
    let number = 0;
    const property = fc.asyncProperty(fc.array(scene, { minLength: 2, maxLength: 3 }), async (scenes) => {
      number += 1;
      // The spaces of earlier runs stay in the folder, because a file that replaces another one may be its new name.
      const [folder, name] = ['organization', `random-${number}`];
      const content = `${folder}/spaces/${name}/content`;
      await writeFolder(`${folder}/spaces/${name}`, { 'space.yaml': `title: Random ${number}\n` });
      for (const pages of scenes) {
        const files = folderOf(pages);
        await writeFolder(content, files);
        await done('apply', folder, '--yes', '--max-removals', '100%');
        expect((await done('plan', folder)).stdout).toBe('');
        await rm(at('fresh'), { recursive: true, force: true });
        await done('export', 'fresh', '--only', `content/${name}`);
        expect(await readFolder(`fresh/spaces/${name}/content`)).toEqual(files);
      }
    });
    await fc.assert(property, { numRuns: runs(3, 60), examples: [removedPicture] });
  },
);
