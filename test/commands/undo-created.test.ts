import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../support/shell.ts';

// The undo of an apply that creates objects, which further requests of the same apply change.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await done('export o --only collections,spaces,sites');
});

async function done(words: string) {
  const run = await home.run([...words.split(' '), '--yes']);
  expect(run.exitCode, `${words}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, 'o', path);

async function write(path: string, ...lines: string[]): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), `${lines.join('\n')}\n`);
}

const addSpace = () => write('spaces/pumps/space.yaml', 'title: Pumps', 'collection: null', 'defaultLevel: edit');

async function addCollection(): Promise<void> {
  const text = await readFile(at('collections.yaml'), 'utf8');
  const inside = [
    '      - valves',
    '    collections:',
    '      - { name: valves, title: Valves, order: [pumps], collections: [] }',
    '',
  ];
  await write('collections.yaml', text.replace(/ {4}collections: \[\]\n$/, inside.join('\n')));
  await write('spaces/pumps/space.yaml', 'title: Pumps', 'collection: valves');
}

const addSite = (...structure: string[]) =>
  write('sites/pumps.yaml', 'title: Pumps', 'type: ultimate', 'published: true', 'structure:', ...structure);

const addSections = () =>
  addSite(
    '  - group: More',
    '    sections:',
    '      - { section: one, spaces: [{ space: handbook }, { space: getting-started, default: true }] }',
    '  - { section: two, default: true, spaces: [{ space: api-guides, path: guides }] }',
  );

async function ids(): Promise<string[]> {
  const printed: string[] = [];
  for (const list of ['spaces', 'collections', 'sites']) printed.push((await done(`${list} list -o id`)).stdout);
  return printed;
}

const additions: [what: string, add: () => Promise<void>][] = [
  ['a space with settings', addSpace],
  ['a collection with a space in it', addCollection],
  ['a published site with spaces', () => addSite('  - space: handbook', '  - space: api-guides')],
  ['a site with sections, of which the first cannot be removed', addSections],
];

test.for(additions)('the undo of an apply deletes %s', async ([, add]) => {
  const before = await ids();
  await add();
  await done('apply o');
  expect(await ids()).not.toEqual(before);

  await done('undo');

  expect(await ids()).toEqual(before);
});

const others: [words: string, reason: string][] = [
  ['spaces edit Pumps --default-level comment', 'defaultLevel changed in the meantime'],
  ['spaces edit Pumps --title Valves', 'title changed in the meantime'],
];

test.for(others)('a new space is kept if somebody ran "%s" since', async ([words, reason]) => {
  await addSpace();
  await done('apply o');
  await done(`${words} --no-journal`);

  const undo = await home.run(['undo', '--yes']);
  await home.run(['undo', '--yes', '--partial']);

  expect([undo.exitCode, undo.stderr]).toEqual([6, expect.stringContaining(reason)]);
  expect((await done('spaces list')).stdout).toMatch(/^(?:Pumps|Valves)\t/m);
});

test('a new site with sections is kept if somebody changed it since', async () => {
  await addSections();
  await done('apply o');
  await done('sites edit Pumps --visibility unlisted --title Valves --no-journal');

  const undo = await home.run(['undo', '--yes']);

  expect([undo.exitCode, undo.stderr]).toEqual([6, expect.stringContaining('title changed in the meantime')]);
});
