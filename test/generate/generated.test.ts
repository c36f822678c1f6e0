import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { generatedFiles, generatedFolders, manList } from '../../src/generate/files.ts';
import { root } from '../support/cli.ts';

const advice = 'Run "npm run generate" and commit what it writes.';
const files = await generatedFiles();

describe('what is generated and committed', () => {
  test('is what the tree of commands gives now', async () => {
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

  test('is installed: npm is told every manual page', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(manifest.man, advice).toEqual(manList(files));
  });

  test('is the same whatever the terminal, the environment and the folder', async () => {
    const program = `import(${JSON.stringify(join(root, 'src/generate/files.ts'))}).then(async ({ generatedFiles }) =>
      process.stdout.write(JSON.stringify([...(await generatedFiles())])))`;
    const env = { COLUMNS: '40', FORCE_COLOR: '3', TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', HOME: '/nonexistent' };
    const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', program], {
      cwd: '/',
      env: { ...env, DOCSCTL_DATA_DIR: '/elsewhere', DOCSCTL_ORG: 'other', PATH: process.env.PATH! },
      extendEnv: false,
      maxBuffer: 50_000_000,
    });
    expect(JSON.parse(stdout)).toEqual([...files]);
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

  test('says what every argument is', () => {
    const silent = pages.flatMap(([path, text]) =>
      text.split('\n').flatMap((line) => (/^- `[^`]+` ?$/.test(line) ? `${path} ${line}` : [])),
    );
    expect(silent).toEqual([]);
  });
});

const isThere = (program: string) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

describe('the manual pages', () => {
  const pages = manList(files);

  test.skipIf(!isThere('groff'))('are rendered without a warning', async () => {
    // In one process: what `man --warnings` runs for each page.
    const { stderr } = await execa({ cwd: root })`groff -man -ww -z -T utf8 ${pages}`;
    expect(stderr).toBe('');
  });

  test.skipIf(!isThere('man'))('show a command as a person reads it', async () => {
    const env = { MANWIDTH: '80', LC_ALL: 'C.UTF-8' };
    const { stdout, stderr } = await execa({ cwd: root, env })`man --warnings -l man/docsctl-cr-merge.1`;
    expect(stderr).toBe('');
    for (const words of ['docsctl cr merge <cr> [options]', 'EXIT STATUS', 'docsctl cr merge 1 --wait --update'])
      expect(stdout).toContain(words);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.skipIf(!isThere('mandoc'))('are what mandoc expects, but for a date', async () => {
    const { stdout } = await execa({ cwd: root, reject: false })`mandoc -T lint -W warning ${pages}`;
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
  });
});
