import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readYaml } from '../../../src/shared/yaml.ts';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

// What an apply makes of the structure of a site: the one of the files, and the next plan is empty.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await done('export', 'o', '--only', 'sites,spaces,collections');
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

type Entry = Record<string, unknown>;

const at = (folder: string) => join(home.dir, folder, 'sites', 'lumen-documentation.yaml');

async function structureIn(folder: string): Promise<Entry[]> {
  const { structure = [] } = readYaml(await readFile(at(folder), 'utf8')) as { structure?: Entry[] };
  return structure;
}

async function write(structure: readonly Entry[]): Promise<void> {
  const text = await readFile(at('o'), 'utf8');
  const line = `structure: ${JSON.stringify(structure)}\n`;
  await writeFile(
    at('o'),
    text.replace(/^structure:.*\n(?:[ -].*\n)*/m, () => line),
  );
}

/** Applies the structure, and expects that it is there and that nothing is left. @returns the plan before */
async function apply(structure: readonly Entry[]): Promise<string> {
  await write(structure);
  const plan = await done('plan', 'o');
  await done('apply', 'o', '--yes', '--max-removals', '100%');
  expect((await done('plan', 'o')).stdout).toBe('');
  await done('export', 'again', '--only', 'sites', '--overwrite');
  expect(await structureIn('again')).toMatchObject(structure);
  return plan.stdout;
}

const section = (name: string, ...spaces: (string | Entry)[]): Entry => ({
  section: name,
  spaces: spaces.map((space) => (typeof space === 'string' ? { space } : space)),
});
const group = (title: string, ...sections: Entry[]): Entry => ({ group: title, sections });

// The structure of the demo.
const guides = section('guides', 'handbook');
const start = section('start-here', 'getting-started');
const reference = section('reference', 'api-guides', 'release-notes');

const changes: [what: string, before: Entry[] | undefined, after: Entry[], shown?: string][] = [
  ['loses all sections and spaces', undefined, [], '- structure.guides: section "Guides"'],
  ['gets sections after it had none', [], [guides]],
  ['gets spaces after it had none', [], [{ space: 'handbook' }, { space: 'api-guides' }]],
  ['loses a group, whose sections are put after another one', undefined, [reference, guides, start]],
  ['loses a group and the other section', undefined, [start, guides]],
  ['keeps one section of a group', undefined, [guides]],
  ['gets another icon for a group', undefined, [{ ...group('Learn', guides, start), icon: 'rocket' }, reference]],
  ['gets another order in a group', undefined, [group('Learn', start, guides), reference]],
  ['gets a group with a section of another one', undefined, [group('Learn', guides), group('More', start, reference)]],
  [
    'gets another order of spaces',
    [section('all', 'handbook', 'api-guides', 'getting-started', 'release-notes')],
    [section('all', 'handbook', 'release-notes', 'getting-started', 'api-guides')],
    '+ structure.all.order: release-notes after handbook\n',
  ],
  [
    'gets another default space',
    [{ space: 'handbook', default: true }, { space: 'api-guides' }],
    [{ space: 'handbook' }, { space: 'api-guides', default: true }],
  ],
  ['gets another default section', [guides, start], [guides, { ...start, default: true }]],
  [
    'gets a space a second time',
    undefined,
    [section('guides', { space: 'handbook', path: 'handbook' }, { space: 'handbook', path: 'more' })],
    '+ structure.guides.handbook (2): handbook\n',
  ],
  [
    'gets another order of a space that it has twice',
    [section('all', 'api-guides', { space: 'handbook', path: 'one' }, { space: 'handbook', path: 'two' })],
    [section('all', { space: 'handbook', path: 'one' }, 'api-guides', { space: 'handbook', path: 'two' })],
  ],
  [
    'gets its second copy of a space to the front',
    [
      section(
        'all',
        { space: 'handbook', path: 'one' },
        { space: 'handbook', path: 'two' },
        'api-guides',
        'release-notes',
      ),
    ],
    [
      section('all', 'release-notes', { space: 'handbook', path: 'two' }, 'api-guides', {
        space: 'handbook',
        path: 'one',
      }),
    ],
  ],
  [
    'gets the second copy of a space as the default',
    [section('all', { space: 'handbook', path: 'one', default: true }, { space: 'handbook', path: 'two' })],
    [section('all', { space: 'handbook', path: 'one' }, { space: 'handbook', path: 'two', default: true })],
  ],
  [
    'loses sections with the same path of a space',
    [section('one', { space: 'handbook', path: 'same' }), section('two', { space: 'api-guides', path: 'same' })],
    [{ space: 'handbook' }, { space: 'api-guides' }],
  ],
];

test.for(changes)('a site %s', async ([, before, after, shown = '']) => {
  if (before) await apply(before);

  expect(await apply(after)).toContain(shown);
});

test('a section leaves its group before it is moved', async () => {
  await apply([group('Learn', guides), start, reference]);

  const { changes: sent } = (await done('history', 'view', '1', '-o', 'json')).json;
  expect(sent.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['sectionGroups.remove', 'sites.sort']);
});

test('a space cannot take the path of one whose path is not in the files', async () => {
  await write([section('guides', 'handbook', { space: 'api-guides', path: 'handbook' })]);

  const plan = await home.run(['plan', 'o']);

  expect([plan.exitCode, plan.stderr]).toEqual([
    6,
    expect.stringContaining('api-guides cannot have the path "handbook", which handbook has: set another path there'),
  ]);
});

test('a title in the customization that stays while that of the site changes is no change in the service', async () => {
  const text = await readFile(at('o'), 'utf8');
  const [, title] = /^title: (.*)/m.exec(text)!;
  expect(text).toContain(`\n  title: ${title}\n`);
  await writeFile(at('o'), text.replace(/^title: .*/m, 'title: Another'));

  const plan = await done('plan', 'o');
  await done('apply', 'o', '--yes');

  expect(plan.stdout).toBe(`~ site lumen-documentation\n    ~ title: ${title} -> Another\n`);
  expect((await done('plan', 'o')).stdout).toBe('');
});

test('a new space that has no place in the order follows the others, and is in its place then', async () => {
  const space = async (name: string) => {
    await mkdir(join(home.dir, 'o', 'spaces', name), { recursive: true });
    await writeFile(join(home.dir, 'o', 'spaces', name, 'space.yaml'), `title: ${name}\n`);
  };
  await space('zebra');
  await done('apply', 'o', '--yes');
  await space('aardvark');

  const apply = await done('apply', 'o', '--yes', '-o', 'json');

  expect(apply.json).toMatchObject([{ action: 'create', kind: 'space', name: 'aardvark' }]);
  expect((await done('plan', 'o')).stdout).toBe('');
  const titles = (await done('spaces', 'list', '--jq', '.[].title')).stdout;
  expect(titles.indexOf('zebra')).toBeLessThan(titles.indexOf('aardvark'));
});
