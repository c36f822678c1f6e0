import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runs } from '../../support/long-form.ts';
import fc from '../../support/property.ts';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

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

const file = () => join(home.dir, 'o', 'sites', 'lumen-documentation.yaml');

/** Replaces the structure of the site in its file; what comes after it stays. */
async function writeStructure(structure: readonly unknown[]): Promise<void> {
  const text = await readFile(file(), 'utf8');
  const json = `structure: ${JSON.stringify(structure)}\n`;
  await writeFile(
    file(),
    text.replace(/^structure:.*\n(?:[ -].*\n)*/m, () => json),
  );
}

/** Applies the files, and expects that nothing is left and that an export gives the structure. */
async function applied(structure: readonly unknown[]): Promise<void> {
  await writeStructure(structure);
  await done('apply', 'o', '--yes', '--max-removals', '100%');
  const again = await done('plan', 'o', '--exit-code');
  expect(again.stdout).toBe('');
  await done('export', 'again', '--only', 'sites', '--overwrite');
  const exported = await readFile(join(home.dir, 'again', 'sites', 'lumen-documentation.yaml'), 'utf8');
  for (const entry of structure) for (const space of spacesOf(entry)) expect(exported).toContain(`space: ${space}`);
}

const spacesOf = (entry: any): string[] =>
  [entry.space ?? [], entry.spaces ?? [], entry.sections ?? []]
    .flat()
    .flatMap((each: any) =>
      typeof each === 'string' ? [each] : each.space === undefined ? spacesOf(each) : [each.space],
    );

const siteSpaces = async (): Promise<{ id: string; path: string; title: string }[]> =>
  (await done('sites', 'spaces', 'list', '--site', 'lumensite001', '-o', 'json')).json;

const flat = [
  { space: 'handbook', path: 'handbook', default: true },
  { space: 'api-guides', path: 'api' },
  { space: 'getting-started', path: 'start', condition: 'visitor.claims.plan == "team"' },
];

test('a site that replaces another one gets its basename', async () => {
  const [old, replacement] = ['support-intranet', 'help'].map((name) => join(home.dir, 'o', 'sites', `${name}.yaml`));
  const text = await readFile(old!, 'utf8');
  await writeFile(
    replacement!,
    text.replace(/^title: .*/m, 'title: Help').replace(/^visibility: .*/m, 'visibility: public'),
  );
  await rm(old!);
  const refused = await home.run(['apply', 'o', '--yes', '--max-removals', '100%']);
  await rename(replacement!, `${replacement!}.new`);
  await writeFile(old!, text);
  await done('apply', 'o', '--yes');
  await rename(`${replacement!}.new`, replacement!);
  await rm(old!);
  const basename = /^basename: (.*)$/m.exec(text)?.[1];
  const sites = async () => (await done('sites', 'list', '-o', 'json')).json as { title: string; basename: string }[];

  await done('apply', 'o', '--yes', '--max-removals', '100%');
  const again = await done('plan', 'o', '--exit-code');

  expect(basename).toBeTruthy();
  expect(refused.exitCode).toBe(6);
  expect(refused.stderr).toContain('the site "support-intranet", which is not in the files, has this basename');
  expect((await sites()).find(({ title }) => title === 'Help')).toMatchObject({ basename });
  expect(await sites()).toHaveLength(2);
  expect(again.stdout).toBe('');
});

const siteFile = (name: string) => join(home.dir, 'o', 'sites', `${name}.yaml`);
const basenamesOfSites = async () => {
  const { json } = await done('sites', 'list', '-o', 'json');
  return (json as { title: string; basename: string }[])
    .map(({ title, basename }) => `${title}: ${basename}`)
    .toSorted();
};
const setBasename = async (name: string, basename: string) =>
  writeFile(
    siteFile(name),
    (await readFile(siteFile(name), 'utf8')).replace(/^basename: .*/m, `basename: ${basename}`),
  );

test('a new site does not get the basename that another site changes to, or that two new ones have', async () => {
  await setBasename('support-intranet', 'partners');
  await writeFile(siteFile('a-new'), 'title: Partners\nstructure: []\n');
  await writeFile(siteFile('b-new'), 'title: Docs\nbasename: docs-2\nstructure: []\n');
  await writeFile(siteFile('c-new'), 'title: Docs\nbasename: docs\nstructure: []\n');
  await writeFile(siteFile('d-new'), 'title: Docs 2\nbasename: third\nstructure: []\n');

  await done('apply', 'o', '--yes');
  const again = await done('plan', 'o', '--exit-code');

  expect(again.stdout).toBe('');
  expect(await basenamesOfSites()).toEqual([
    'Docs 2: third',
    'Docs: docs',
    'Docs: docs-2',
    'Lumen documentation: lumen-documentation',
    'Partners: partners-2',
    'Support intranet: partners',
  ]);
});

test('a new site gets the basename that another site gives up in the same plan', async () => {
  const basename = 'support-intranet';
  await setBasename('support-intranet', 'former');
  const text = await readFile(siteFile('support-intranet'), 'utf8');
  for (const [name, title] of [
    ['z-first', 'Former'],
    ['last', 'Support intranet 2'],
  ])
    await writeFile(
      siteFile(name!),
      text
        .replace(/^title: .*/m, `title: ${title}`)
        .replace(/^basename: .*/m, name === 'z-first' ? `basename: ${basename}` : 'basename: last'),
    );

  await done('apply', 'o', '--yes');
  const again = await done('plan', 'o', '--exit-code');

  expect(again.stdout).toBe('');
  expect(await basenamesOfSites()).toEqual([
    `Former: ${basename}`,
    'Lumen documentation: lumen-documentation',
    'Support intranet 2: last',
    'Support intranet: former',
  ]);
});

test('sites swap their basenames, and two cannot have the same one', async () => {
  const [one, other] = ['lumen-documentation', 'support-intranet'].map((name) =>
    join(home.dir, 'o', 'sites', `${name}.yaml`),
  );
  const basenameIn = async (path: string) => /^basename: (.*)$/m.exec(await readFile(path, 'utf8'))?.[1];
  const change = async (path: string, line: string) =>
    writeFile(path, (await readFile(path, 'utf8')).replace(/^basename: .*\n/m, line));
  const [first, second] = [await basenameIn(one!), await basenameIn(other!)];
  const basenames = async () => {
    const { json } = await done('sites', 'list', '-o', 'json');
    return new Map<string, string>(json.map(({ id, basename }: { id: string; basename: string }) => [id, basename]));
  };
  const before = await basenames();

  await change(one!, `basename: ${second}\n`);
  const same = await home.run(['plan', 'o']);
  await change(other!, '');
  const kept = await home.run(['plan', 'o']);
  await change(other!, '');
  await writeFile(
    other!,
    (await readFile(other!, 'utf8')).replace(/^title: .*\n/m, (title) => `${title}basename: ${first}\n`),
  );
  await done('apply', 'o', '--yes');
  const again = await done('plan', 'o', '--exit-code');
  const swapped = await basenames();
  await done('undo', '--yes');

  for (const refused of [same, kept]) expect(refused.exitCode).toBe(6);
  expect(same.stderr).toContain('the site "lumen-documentation" has this basename, too; choose another one');
  expect(kept.stderr).toContain('the site "support-intranet" has this basename, too; choose another one');
  expect(again.stdout).toBe('');
  expect(swapped).toEqual(new Map([...before].map(([id, basename]) => [id, basename === first ? second : first])));
  expect(await basenames()).toEqual(before);
});

test('a site loses its sections and gets others, with its spaces, paths and share links', async () => {
  await done('sites', 'share-links', 'create', '--name', 'Partners', '--site', 'lumensite001');
  await done('export', 'o', '--only', 'sites,spaces,collections', '--overwrite');
  await applied(flat);
  expect((await siteSpaces()).map(({ path }) => path)).toEqual(['handbook', 'api', 'start']);
  const before = await siteSpaces();

  await applied([
    {
      group: 'Learn',
      sections: [{ section: 'start', title: 'Guides', spaces: [{ space: 'getting-started', path: 'q' }] }],
    },
    {
      section: 'guides',
      title: 'Start',
      spaces: [
        { space: 'api-guides', path: 'handbook' },
        { space: 'handbook', path: 'api', default: true },
      ],
    },
  ]);
  const kept = (await siteSpaces()).map(({ id }) => id);
  // Those of the section that has most of them keep their ids.
  expect(kept).toEqual(expect.arrayContaining(before.slice(0, 2).map(({ id }) => id)));
  expect((await done('sites', 'share-links', 'list', '--site', 'lumensite001')).stdout).toContain('Partners');

  await applied(flat);
  await applied([{ section: 'only', title: 'Only', spaces: flat }]);
  await applied(flat);
  await applied([{ section: 'news', title: 'News', spaces: [{ space: 'release-notes' }] }]);
});

const impossible = [
  ['a group without sections', [{ group: 'Learn', sections: [] }], 'only sites with sections can have groups'],
  [
    'a path twice',
    [
      { space: 'handbook', path: 'a' },
      { space: 'api-guides', path: 'a' },
    ],
    'the path "a" is used twice in the same place',
  ],
  [
    'two defaults',
    [
      {
        section: 's',
        spaces: [
          { space: 'handbook', default: true },
          { space: 'api-guides', default: true },
        ],
      },
    ],
    'only one space in the same place can be the default',
  ],
] as const;

test('a plan refuses what no site can have, with the line', async () => {
  for (const [, structure, message] of impossible) {
    await writeStructure(structure);
    const run = await home.run(['plan', 'o']);
    expect(run.exitCode).toBe(6);
    expect(run.stderr).toMatch(/lumen-documentation\.yaml:\d+:\d+: /);
    expect(run.stderr).toContain(message);
  }
});

const spaces = ['handbook', 'api-guides', 'getting-started', 'release-notes', 'support-playbook'];
const paths = ['one', 'two', 'three', 'four', 'five'];
const placedSpaces = fc
  .tuple(fc.shuffledSubarray(spaces, { minLength: 1 }), fc.shuffledSubarray(paths, { minLength: 5 }))
  .map(([names, taken]) =>
    names.map((space, index) => ({ space, path: taken[index], ...(index === 0 && { default: true }) })),
  );
const sections = fc
  .tuple(
    fc.shuffledSubarray(paths, { minLength: 1, maxLength: 3 }),
    fc.array(placedSpaces, { minLength: 3, maxLength: 3 }),
  )
  .map(([names, lists]) =>
    names.map((section, index) => ({ section, title: `Title ${names[index - 1] ?? ''}`, spaces: lists[index] })),
  );
const structures = fc.oneof(
  placedSpaces,
  sections,
  sections.map(([first, ...others]) => [...others, { group: 'Group', sections: [first] }]),
);

test('a site gets any structure after any other one', { timeout: 600_000 }, async () => {
  await fc.assert(fc.asyncProperty(structures, applied), { numRuns: runs(6, 60) });
});
