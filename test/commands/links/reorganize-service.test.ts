import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { test } from '../../support/in-process.ts';
import { runs } from '../../support/long-form.ts';
import { randomOf } from '../../support/random.ts';
import { writeFiles } from '../../support/write-files.ts';

interface Address {
  address: string;
  page: string;
}

const names = ['handbook', 'api'];

/** The pages of a space, by their files; below the first of them, if they are nested. */
const summaryOf = (files: readonly string[], isNested: boolean) =>
  `* [Home](README.md)\n${files.map((file, index) => `${isNested && index > 0 ? '  ' : ''}* [${file}](${file})\n`).join('')}`;

test.for(Array.from({ length: runs(2, 20) }, (_, index) => index + 1))(
  'after an import of the redirects, every address of a published site leads to its page (reorganization %i)',
  async (seed, { docsctl, home }) => {
    const random = randomOf(seed * 7_919);
    const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;
    const path = (file: string) => join(home.dir, file);
    const done = async (...words: string[]) => {
      const run = await docsctl(...words);
      expect({ words, exitCode: run.exitCode, stderr: run.exitCode === 0 ? '' : run.stderr }).toEqual({
        words,
        exitCode: 0,
        stderr: '',
      });
      return run;
    };
    const create = async (...words: string[]) => (await done(...words, '-o', 'id')).stdout.trim();
    const files = new Map(names.map((name) => [name, ['one.md', 'two.md', 'three.md']]));
    const spaces = new Map<string, string>();
    const push = async (name: string, isNested: boolean) => {
      await writeFiles(home.dir, { [`${name}/SUMMARY.md`]: summaryOf(files.get(name) ?? [], isNested) });
      await done('content', 'push', name, '--merge', '--space', spaces.get(name) ?? '');
    };
    for (const name of names) {
      spaces.set(name, await create('spaces', 'create', '--title', name));
      const texts = ['README.md', ...(files.get(name) ?? [])].map((file) => [`${name}/${file}`, `# ${name} ${file}\n`]);
      await writeFiles(home.dir, Object.fromEntries(texts));
      await push(name, false);
    }
    const [handbook = '', api = ''] = spaces.values();
    const visibility = ['--visibility', 'public', '--type', 'ultimate'];
    const site = await create('sites', 'create', '--title', 'Site', ...visibility, '--spaces', handbook);
    await done('sites', 'sections', 'add', api, '--title', 'API', '--site', site);
    await done('sites', 'publish', site);
    await done('urls', 'snapshot', '--all-spaces', '--site', site);
    const addressesIn = (file: string) =>
      (JSON.parse(readFileSync(path(file), 'utf8')) as { sites: { addresses: Address[] }[] }).sites.flatMap(
        ({ addresses }) => addresses,
      );
    const published = addressesIn('urls.json');
    const redirects = new Map<string, string>();
    const section = async () => {
      const all = (await done('sites', 'sections', 'list', '--site', site, '-o', 'json')).json as { id: string }[];
      return pick(all).id;
    };
    const reorganizations = [
      async (round: number) => {
        const name = pick(names);
        const own = files.get(name) ?? [];
        const index = Math.floor(random() * own.length);
        const renamed = `moved-${round}.md`;
        renameSync(path(`${name}/${own[index]}`), path(`${name}/${renamed}`));
        own[index] = renamed;
        await push(name, random() < 0.5);
      },
      async () => push(pick(names), random() < 0.5),
      async (round: number) =>
        done('sites', 'sections', 'edit', await section(), '--path', `s-${round}`, '--site', site),
      async () => done('sites', 'sections', 'move', await section(), '--site', site),
      async (round: number) => {
        const all = (await done('sites', 'spaces', 'list', '--site', site, '-o', 'json')).json as { id: string }[];
        await done('sites', 'spaces', 'edit', pick(all).id, '--path', `p-${round}`, '--site', site);
      },
      async (round: number) => {
        const space = await create('spaces', 'create', '--title', `New ${round}`);
        await done('sites', 'sections', 'add', space, '--title', `New ${round}`, '--site', site);
      },
    ];

    for (let round = 0; round < 6; round += 1) {
      await pick(reorganizations)(round);
      await writeFiles(home.dir, {
        'known.csv': `source,destination\n${[...redirects].map((row) => `${row.join(',')}\n`).join('')}`,
      });
      const check = ['urls', 'check', '--all-spaces', '--site', site, '--known', 'known.csv'];
      await done(...check, '--redirects', 'new.csv', '--fail-on', 'none');
      const rows: string[][] = parse(readFileSync(path('new.csv')), { fromLine: 2 });
      for (const [source = '', destination = ''] of rows) redirects.set(source, destination);
      await docsctl('urls', 'snapshot', '--all-spaces', '--site', site, '--file', 'now.json', '--forget');
      const now = new Map(addressesIn('now.json').map(({ address, page }) => [address, page]));
      const pageAt = (address: string): string | undefined => {
        const target = redirects.get(`/${address}`);
        return now.get(address) ?? (target === undefined ? undefined : pageAt(target.slice(1)));
      };

      expect(published.map(({ address }) => [address, pageAt(address)])).toEqual(
        published.map(({ address, page }) => [address, page]),
      );
    }
  },
);
