import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, vi } from 'vitest';
import { bin, type Home, test } from '../support/cli.ts';
import { isLong } from '../support/long-form.ts';
import { writeFiles } from '../support/write-files.ts';

const pages = isLong ? 400 : 120;
const stage = '.docsctl-export.tmp';

/** A folder in which each page shows the title of all others in its group. */
const docs = (edition: string): Record<string, string> => ({
  'README.md': `# Home ${edition}\n`,
  ...Object.fromEntries(
    Array.from({ length: pages }, (_, n) => [
      `group-${n % 7}/page-${n}.md`,
      `# Page ${n} ${edition}\n\n${'Text. '.repeat(400)}\n`,
    ]),
  ),
});

async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const served = names
    .map((name) => name.slice(folder.length + 1))
    .filter((name) => !name.startsWith('.docsctl-export'));
  return new Map(
    await Promise.all(served.map(async (name) => [name, await readFile(join(folder, name), 'latin1')] as const)),
  );
}

const exportTo = (home: Home, out: string) => home.docsctl('sites', 'export', 'docs', '--out', out, '--quiet');

/** Moments of an export: pages are being rendered; files are being put in place. */
const moments: Record<string, (out: string) => boolean> = {
  rendering: (out) => existsSync(join(out, stage, 'files', 'group-3', 'page-3.html')),
  replacing: (out) => readFileSync(join(out, '.docsctl-export.json'), 'utf8').startsWith('{"fingerprint":""'),
};

for (const [moment, isReached] of Object.entries(moments)) {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    test(
      `an export that ${signal} ends while it is ${moment} leaves whole files, and the next one finishes`,
      {
        timeout: 120_000,
      },
      async ({ home }) => {
        const out = join(home.dir, 'out');
        await writeFiles(home.dir, prefixed(docs('old')));
        await exportTo(home, 'out');
        const before = await filesIn(out);
        await writeFiles(home.dir, prefixed(docs('new')));
        await exportTo(home, 'fresh');
        const after = await filesIn(join(home.dir, 'fresh'));

        const child = execa(process.execPath, [bin, 'sites', 'export', 'docs', '--out', 'out'], {
          cwd: home.dir,
          env: home.env,
          extendEnv: false,
          reject: false,
        });
        await vi.waitUntil(() => isReached(out), { timeout: 120_000, interval: 1 });
        child.kill(signal);
        const ended = await child;

        const torn = [...(await filesIn(out))].filter(
          ([name, text]) => text !== before.get(name) && text !== after.get(name),
        );
        expect(torn.map(([name]) => name)).toEqual([]);
        if (signal === 'SIGINT' && moment === 'rendering') {
          expect(ended.exitCode).toBe(130);
          expect(await filesIn(out)).toEqual(before);
          expect(existsSync(join(out, stage))).toBe(false);
        }
        expect(await exportTo(home, 'out')).toMatchObject({ exitCode: 0, stderr: '' });
        expect(await filesIn(out)).toEqual(after);
        expect(existsSync(join(out, stage))).toBe(false);
        await rm(out, { recursive: true });
      },
    );
  }
}

const prefixed = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`docs/${name}`, text]));
