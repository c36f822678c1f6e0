import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await done('export', 'o', '--only', 'openapi,spaces/handbook');
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, 'o', ...path.split('/'));
const edit = async (path: string, change: (text: string) => string) =>
  writeFile(at(path), change(await readFile(at(path), 'utf8')));
const glossary = 'spaces/handbook/content/glossary.md';

test('plan --diff shows the lines of pages and specifications, and what changes for users of an API', async () => {
  await edit(glossary, (text) => `${text}The pump team knows the rest.\n`);
  await writeFile(at('spaces/handbook/content/new.md'), '# New\n\nWords.\n');
  await edit('spaces/handbook/content/SUMMARY.md', (text) => `${text}* [New](new.md)\n`);
  await edit('openapi/pumps.yaml', (text) => text.replace('    post:\n', '    put:\n'));

  const plain = await done('plan', 'o');
  const plan = await done('plan', 'o', '--diff');
  const { json } = await done('plan', 'o', '--diff', '-o', 'json');

  expect(plain.stdout).not.toContain('The pump team');
  expect(plan.stdout).toMatch(
    / {4}~ glossary\.md \(lines \+1 -0\)\n {8}@@ .* @@\n[^]*?\n {8}\+The pump team knows the rest\.\n/,
  );
  expect(plan.stdout).toContain('        +Words.\n');
  expect(plan.stdout).toMatch(/~ text: [1-9]\d* breaking changes?, \d+ others?\n {8}@@/);
  const content = json.find(({ kind }: { kind: string }) => kind === 'content');
  expect(content.pages.find(({ path }: { path: string }) => path === 'glossary.md').diff).toContain(
    '+The pump team knows the rest.',
  );
});

test('plan --diff reads no file outside the folder that a description refers to', async () => {
  const withBody = (schema: string) => `openapi: 3.1.0
info: { title: Pumps, version: '1' }
paths: { /pumps: { post: { requestBody: { content: { application/json: { schema: ${schema} } } }, responses: { '201': { description: Added } } } } }
`;
  await writeFile(at('openapi/pumps.yaml'), withBody('{ type: string }'));
  await done('apply', 'o', '--only', 'openapi', '--yes');
  const verdictOn = async (reference: string) => {
    await writeFile(at('openapi/pumps.yaml'), withBody(`{ $ref: '${reference}' }`));
    return /~ text: (.*)/.exec((await done('plan', 'o', '--diff')).stdout)?.[1];
  };
  await writeFile(join(home.dir, 'outside.yaml'), 'type: number\n');
  await writeFile(at('inside.yaml'), 'type: number\n');

  const [inside, outside, absolute, missing] = [
    await verdictOn('inside.yaml'),
    await verdictOn('../outside.yaml'),
    await verdictOn(join(home.dir, 'outside.yaml')),
    await verdictOn('nowhere.yaml'),
  ];

  expect(inside).toBe('1 breaking change, 0 others');
  expect([outside, absolute, missing]).toEqual(Array(3).fill('0 breaking changes, 0 others, 1 part not compared'));
});

test('drift --diff shows what an apply would revert', async () => {
  await edit(glossary, (text) => `${text}A line of the app.\n`);
  await done('apply', 'o', '--yes');
  await edit(glossary, (text) => text.replace('A line of the app.\n', ''));
  await done('content', 'push', at('spaces/handbook/content'), '--space', 'handbook0001', '--overwrite', '--merge');
  await edit(glossary, (text) => `${text}A line of the app.\n`);

  const run = await home.run(['drift', 'o', '--diff', '--only', 'spaces/handbook']);

  expect(run.exitCode, run.stderr).toBe(9);
  expect(run.stdout).toContain('        +A line of the app.\n');
});
