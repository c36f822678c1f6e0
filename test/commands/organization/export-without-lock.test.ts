import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

// A clone without the lock file, because somebody keeps it out of Git: the shared state knows what was last applied.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await done('export', 'first');
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, ...path.split('/'));
const read = (path: string) => readFile(at(path), 'utf8');
const edit = async (path: string, change: (text: string) => string) => writeFile(at(path), change(await read(path)));
const glossary = 'spaces/handbook/content/glossary.md';
const welcome = 'spaces/handbook/content/welcome.md';
const design = 'teams/design.yaml';

async function clone(from: string, to: string): Promise<void> {
  await cp(at(from), at(to), { recursive: true });
  await rm(at(`${to}/docsctl.lock.json`), { force: true });
}

const changePages = (...changes: object[]) =>
  done('api', 'POST', 'spaces/handbook0001/content?compat=false', '-F', `changes=${JSON.stringify(changes)}`);
const changeGlossary = (markdown: string) =>
  changePages({ operation: 'update_page', page: 'glossary0001', document: { markdown } });

test('a page that was changed in the app is exported', async () => {
  await edit(`first/${glossary}`, (text) => `${text}\n* By hand\n`);
  await done('apply', 'first', '--yes');
  await clone('first', 'clone');
  await changeGlossary('From the app.\n');

  await done('export', 'clone');

  expect(await read(`clone/${glossary}`)).toContain('From the app.');
});

test('it is exported after an apply of the clone, too', async () => {
  await done('apply', 'first', '--yes');
  await clone('first', 'clone');
  await done('teams', 'edit', 'Design', '--title', 'In the app');
  await done('apply', 'clone', '--yes');
  await changeGlossary('From the app.\n');

  await done('export', 'clone');

  expect(await read(`clone/${glossary}`)).toContain('From the app.');
});

test('it is exported although another page was edited in the folder, which stays', async () => {
  await edit(`first/${glossary}`, (text) => `${text}\n* By hand\n`);
  await done('apply', 'first', '--yes');
  await clone('first', 'clone');
  await edit(`clone/${welcome}`, (text) => `${text}\nHere.\n`);
  await changeGlossary('From the app.\n');

  const run = await home.run(['export', 'clone']);

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain(`${welcome} was changed in the folder`);
  expect(run.stderr).not.toContain(`${glossary} was changed`);
  expect(await read(`clone/${glossary}`)).toContain('From the app.');
  expect(await read(`clone/${welcome}`)).toContain('Here.');
});

test('an object that was changed in the app is exported, and its comments stay', async () => {
  await edit(`first/${design}`, (text) => `# A note.\n${text}`);
  await done('apply', 'first', '--yes');
  await clone('first', 'clone');
  await done('teams', 'edit', 'Design', '--title', 'In the app');

  await done('export', 'clone');

  expect(await read(`clone/${design}`)).toMatch(/^# A note\.\n[^]*^title: In the app$/m);
});

test('what was changed in the folder is not overwritten', async () => {
  await done('apply', 'first', '--yes');
  await clone('first', 'clone');
  await edit(`clone/${design}`, (text) => text.replace(/^title: .*/m, 'title: Here'));
  await edit(`clone/teams/writers.yaml`, (text) => text.replace(/^title: .*\n/m, ''));
  await edit(`clone/${glossary}`, () => 'Here.\n');
  await done('teams', 'edit', 'Design', '--title', 'In the app');
  await changeGlossary('From the app.\n');

  const run = await home.run(['export', 'clone']);

  expect(run.exitCode).toBe(6);
  for (const file of [design, glossary]) expect(run.stderr).toContain(`${file} was changed in the folder`);
  expect(await read(`clone/${design}`)).toContain('title: Here');
  expect(await read(`clone/${glossary}`)).toBe('Here.\n');
});

test('files of what somebody deleted in the app are removed, and those that are gone do not come back', async () => {
  await done('apply', 'first', '--yes');
  await clone('first', 'clone');
  await rm(at('clone/teams/writers.yaml'));
  await rm(at(`clone/${glossary}`));
  await rm(at('clone/spaces/release-notes'), { recursive: true });
  await edit('clone/spaces/handbook/content/SUMMARY.md', (text) => text.replace(/^.*glossary\.md.*\n/m, ''));
  await done('teams', 'delete', 'Design', '--yes');
  await done('spaces', 'delete', 'API guides', '--yes');

  const run = await home.run(['export', 'clone']);

  expect(run.exitCode).toBe(6);
  for (const file of [design, 'teams/writers.yaml', 'spaces/api-guides', 'spaces/release-notes', glossary])
    expect(existsSync(at(`clone/${file}`)), file).toBe(false);
});

test('a folder that never had an export gets all files', async () => {
  await done('apply', 'first', '--yes');
  await done('export', 'clone', '--only', 'teams');
  await rm(at('clone/docsctl.lock.json'));
  await done('export', 'clone');

  expect(await read(`clone/${glossary}`)).toBe(await read(`first/${glossary}`));
});
