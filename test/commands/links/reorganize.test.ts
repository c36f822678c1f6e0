import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { SiteFolder } from '../../../src/site/folder/site-folder.ts';
import { test } from '../../support/in-process.ts';
import { runs } from '../../support/long-form.ts';
import { randomOf } from '../../support/random.ts';
import { writeFiles } from '../../support/write-files.ts';

interface Model {
  /** Files by the number of the page. */
  files: string[];
  /** Of the second section. */
  section: string;
  /** Whether the pages after the first of each space are nested below it. */
  isNested: boolean;
}

const spaces = ['handbook', 'api'];

const siteOf = ({ section }: Model) =>
  [
    'site:',
    '  structure:',
    '    - {type: section, title: Handbook, path: start, default: true, children: [{type: space, title: Handbook, path: a, content: {directory: handbook}}]}',
    `    - {type: section, title: API, path: ${section}, children: [{type: space, title: API, path: b, content: {directory: api}}]}`,
    '',
  ].join('\n');

function settingsOf(model: Model): Record<string, string> {
  const summaries = spaces.map((space) => {
    const own = model.files.filter((file) => file.startsWith(`docs/${space}/`)).toSorted();
    const lines = own.map((file, index) => {
      const path = file.slice(`docs/${space}/`.length);
      return `${model.isNested && index > 0 ? '  ' : ''}* [${path}](${path})`;
    });
    return [`docs/${space}/SUMMARY.md`, `* [Home](README.md)\n${lines.join('\n')}\n`] as const;
  });
  return { 'docs/docs.yaml': siteOf(model), ...Object.fromEntries(summaries) };
}

/** Moves a page to a name that no page had before. */
function movePage(dir: string, { files }: Model, random: () => number, name: string) {
  const page = Math.floor(random() * files.length);
  const space = spaces[Math.floor(random() * spaces.length)];
  const target = `docs/${space}/${random() < 0.5 ? '' : 'deep/'}${name}.md`;
  mkdirSync(dirname(join(dir, target)), { recursive: true });
  renameSync(join(dir, files[page]!), join(dir, target));
  files[page] = target;
}

/** The text that an address leads to. */
function textAt(site: SiteFolder, address: string): string | undefined {
  let found = site.find(address);
  for (let steps = 0; found?.kind === 'redirect' && steps < 3; steps += 1) {
    found = site.find(decodeURI(found.to.slice(1).replace(/#.*$/, '')));
  }
  return found?.kind === 'page' && found.page.file !== null ? site.disk.textOnce(found.page.file) : undefined;
}

test.for(Array.from({ length: runs(3, 20) }, (_, index) => index + 1))(
  'after urls check --fix, every address of the snapshot leads to its content (reorganization %i)',
  async (seed, { docsctl, home }) => {
    const random = randomOf(seed * 7_919);
    const model: Model = {
      files: Array.from({ length: 8 }, (_, page) => `docs/${spaces[page % 2]}/page-${page}.md`),
      section: 'reference',
      isNested: false,
    };
    const texts = Object.fromEntries(
      model.files.map((file, page) => [
        file,
        `# Title ${page}\n\nThe content of page ${page} is about ${'x'.repeat(page + 9)}.\n`,
      ]),
    );
    const homes = Object.fromEntries(spaces.map((space) => [`docs/${space}/README.md`, `# Home of ${space}\n`]));
    await writeFiles(home.dir, { ...texts, ...homes, ...settingsOf(model) });
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...words], { cwd: home.dir });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Write');
    expect((await docsctl('urls', 'snapshot', 'docs')).exitCode).toBe(0);
    const before = new SiteFolder(join(home.dir, 'docs'));
    const published = before.spaces.flatMap((space) =>
      before.folderOf(space).pages.map((page) => before.addressOf(page)),
    );
    const contents = published.map((address) => textAt(before, address));

    for (let round = 0; round < 4; round += 1) {
      const moves = 1 + Math.floor(random() * 3);
      for (let move = 0; move < moves; move += 1) movePage(home.dir, model, random, `moved-${round}-${move}`);
      if (random() < 0.4) model.section = `section-${round}`;
      if (random() < 0.4) model.isNested = !model.isNested;
      await writeFiles(home.dir, settingsOf(model));
      git('add', '--all');
      git('commit', '--quiet', '--message', `Round ${round}`);

      const { exitCode, stdout, stderr } = await docsctl('urls', 'check', 'docs', '--fix');

      expect({ exitCode, stdout, stderr: exitCode === 0 ? '' : stderr }).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: '',
      });
      const site = new SiteFolder(join(home.dir, 'docs'));
      expect(published.map((address) => textAt(site, address))).toEqual(contents);
    }
  },
);
