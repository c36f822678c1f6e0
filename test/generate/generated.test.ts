import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entries } from '../../src/commands/index.ts';
import { generate, generatedFolders, manList } from '../../scripts/generate/files.ts';
import { root } from '../support/cli.ts';

const advice = 'Run "npm run generate" and commit what it writes.';
const generated = await generate();
const files = generated.committed;

describe('what is generated and committed', () => {
  test('is equal to what the tree of commands gives now', async () => {
    const stale: string[] = [];
    for (const [path, text] of files) {
      const committed = await readFile(join(root, path), 'utf8').catch(() => undefined);
      if (committed !== text) stale.push(path);
    }
    expect(stale, advice).toEqual([]);
  });

  test('holds nothing that is no longer generated', async () => {
    const there = await Promise.all(
      generatedFolders.map(async (folder) => (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)),
    );
    expect(
      there.flat().filter((path) => !files.has(path)),
      advice,
    ).toEqual([]);
  });

  test('lists in package.json every manual page, which npm links', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(manifest.man, advice).toEqual(manList(generated));
  });

  test('is the same whatever the terminal, the environment and the folder', async () => {
    const program = `import(${JSON.stringify(join(root, 'scripts/generate/files.ts'))}).then(async ({ generate }) => {
      const { committed, man } = await generate();
      process.stdout.write(JSON.stringify([...committed, ...man]));
    })`;
    const env = { COLUMNS: '40', FORCE_COLOR: '3', TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', HOME: '/nonexistent' };
    const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', program], {
      cwd: '/',
      env: { ...env, DOCSCTL_DATA_DIR: '/elsewhere', DOCSCTL_ORG: 'other', PATH: process.env.PATH! },
      extendEnv: false,
      maxBuffer: 50_000_000,
    });
    expect(JSON.parse(stdout)).toEqual([...files, ...generated.man]);
  });
});

describe('the reference', () => {
  const pages = [...files].filter(([path]) => path.startsWith('docs/commands/'));

  test('links to headings that are there', () => {
    const anchors = new Map(
      pages.map(([path, text]) => [
        path.split('/').at(-1)!,
        new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!.toLowerCase().replaceAll(' ', '-'))),
      ]),
    );
    const broken = pages.flatMap(([path, text]) =>
      [...text.matchAll(/\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g)]
        .filter(([, file, anchor]) => !anchors.has(file!) || (anchor && !anchors.get(file!)!.has(anchor)))
        .map(([link]) => `${path} ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('describes every argument', () => {
    const silent = pages.flatMap(([path, text]) =>
      text.split('\n').flatMap((line) => (/^- `[^`]+` ?$/.test(line) ? `${path} ${line}` : [])),
    );
    expect(silent).toEqual([]);
  });
});

describe('the manual pages', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docsctl-man-'));
    for (const [name, text] of generated.man) await writeFile(join(folder, name), text);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('are one for the program, one for each first word', () => {
    const words = entries.filter(({ hidden }) => !hidden).map(({ name }) => `docsctl-${name}.1`);
    expect([...generated.man.keys()].toSorted()).toEqual(['docsctl.1', ...words].toSorted());
  });

  test('are written into the folder that packing names, without those of an earlier version', async () => {
    const target = join(folder, 'packed');
    await mkdir(target);
    await writeFile(join(target, 'docsctl-old.1'), '');
    await execa(process.execPath, [join(root, 'scripts/generate/main.ts'), '--man', target]);
    expect((await readdir(target)).toSorted()).toEqual(
      [...generated.man.keys()].map((name) => `${name}.gz`).toSorted(),
    );
  });

  test('are rendered without a warning', { tags: 'man' }, async () => {
    // In one process: what `man --warnings` runs for each page.
    const { stderr } = await execa({ cwd: folder })`groff -man -ww -z -T utf8 ${[...generated.man.keys()]}`;
    expect(stderr).toBe('');
  });

  test('show a command as a person reads it', { tags: 'man' }, async () => {
    const env = { MANWIDTH: '80', LC_ALL: 'C.UTF-8' };
    const { stdout, stderr } = await execa({ cwd: folder, env })`man --warnings -l docsctl-cr.1`;
    expect(stderr).toBe('');
    for (const words of ['docsctl cr merge <cr> [options]', 'Exit status', 'docsctl cr merge 1 --wait --update'])
      expect(stdout).toContain(words);
    // Examples are never broken: they are there to be copied.
    const isLong = (line: string) => line.length > 80 && !line.trim().startsWith('docsctl ');
    expect(stdout.split('\n').filter(isLong)).toEqual([]);
  });

  test('are what mandoc expects, but for a date', { tags: 'mandoc' }, async () => {
    const pages = [...generated.man.keys()];
    const { stdout } = await execa({ cwd: folder, reject: false })`mandoc -T lint -W warning ${pages}`;
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
  });
});
