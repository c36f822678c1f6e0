import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import fc from '../../support/property.ts';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

// Somebody hands you a plan to review and apply.

const { demo } = await sharedDemo();
let home: DemoHome;
let saved: string;
let shown: string;

beforeAll(async () => {
  home = await demo.copy();
  const at = (path: string) => join(home.dir, 'o', ...path.split('/'));
  const edit = async (path: string, change: (text: string) => string) =>
    writeFile(at(path), change(await readFile(at(path), 'utf8')));
  await done('export', 'o');
  await edit('teams/writers.yaml', (text) => text.replace('title: Writers', 'title: Authors'));
  await edit('members.csv', (text) =>
    text.replace('admin@localhost,', 'new@lumen.example,read,false,\nadmin@localhost,'),
  );
  await edit('openapi/pumps.yaml', (text) => text.replace(/$/, 'x-end: one\n'));
  await edit('sites/lumen-documentation.yaml', (text) => text.replace('theme: clean', 'theme: bold'));
  await edit('spaces/handbook/content/glossary.md', (text) => `${text}\nMore.\n`);
  await done('plan', 'o', '--out', 'plan.json');
  saved = await readFile(join(home.dir, 'plan.json'), 'utf8');
  shown = (await display(saved)) ?? '';
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

async function dryRun(text: string) {
  await writeFile(join(home.dir, 'plan.json'), text);
  return home.run(['apply', 'plan.json', '--dry-run', '--without-self', '--max-removals', '100%', '--debug']);
}

/** All that a reviewer sees before the question; undefined where the plan is refused. */
async function display(text: string): Promise<string | undefined> {
  const { exitCode, stdout, stderr } = await dryRun(text);
  expect(stderr).not.toMatch(/^> (?:POST|PUT|PATCH|DELETE)/m);
  const notes = stderr.split('\n').filter((line) => !/^[<>]|^\s|^debug/.test(line));
  return exitCode === 0 ? stdout + notes.join('\n') : undefined;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Members = { [key: string]: Json };

/** The text of an edited plan whose digest is right again. */
function sealed(plan: Members): string {
  const { digest: _, ...members } = plan;
  const digest = createHash('sha256').update(JSON.stringify(members)).digest('hex');
  return `${JSON.stringify({ ...members, digest }, undefined, 2)}\n`;
}

const parsed = (): any => JSON.parse(saved);

test('a plan that nobody edited is shown as it was when it was made', () => {
  for (const line of ['+ member new@lumen.example', '~ team writers', '~ content handbook', 'SHA-256 '])
    expect(shown).toContain(line);
});

describe('an edited plan is refused, with a digest that is right:', () => {
  const handmade: [string, (plan: any) => void][] = [
    ['a request that no change explains', ({ steps }) => steps.push({ ...steps[0], changes: [0] })],
    ['a request of no change', ({ steps }) => steps.push({ ...steps[0], changes: [] })],
    ['a change without its request', ({ steps }) => steps.pop()],
    ['a request without its change', ({ changes }) => changes.pop()],
    [
      'another endpoint',
      ({ steps }) => (steps.find((each: any) => each.endpoint === 'teams.edit').endpoint = 'teams.delete'),
    ],
    [
      'another address',
      ({ steps }) => (steps.find((each: any) => each.endpoint === 'teams.edit').params.teamId = 'design000001'),
    ],
    [
      'another role in a body',
      ({ steps }) => (steps.find((each: any) => each.endpoint === 'invites.send').body.emails[0].role = 'admin'),
    ],
    ['another space for the content', ({ contents }) => (contents[0].space = 'apiguides001')],
    ['a page that is not shown', ({ changes }) => changes.find((each: any) => each.pages).pages.pop()],
    ['an unknown member', (plan) => (plan.extra = 1)],
    ['an unknown member of a request', ({ steps }) => (steps[0].extra = 1)],
    ['a name that means another object', ({ ids }) => (ids.teams.writers = ids.teams.design)],
    ['a variable that it does not name', ({ files }) => (files['teams/writers.yaml'] = 'title: !env "${HOME}"\n')],
    ['a file that no organization has', ({ files }) => (files['../x.yaml'] = 'x')],
  ];

  test.each(handmade)('%s', async (_, edit) => {
    const plan = parsed();
    edit(plan);
    const run = await dryRun(sealed(plan));

    expect([2, 6], run.stderr).toContain(run.exitCode);
    expect(run.stderr).not.toMatch(/^> (?:POST|PUT|PATCH|DELETE)/m);
  });
});

test.each([
  ['another form', (text: string) => JSON.stringify(JSON.parse(text))],
  ['a member twice', (text: string) => text.replace('{', '{\n  "version": 3,')],
  ['a changed title', (text: string) => text.replaceAll('Authors', 'Author5')],
])('an edit by hand is refused: %s', async (_, edit) => {
  const run = await dryRun(edit(saved));

  expect(run).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('was edited after "docsctl plan" created it'),
  });
});

test('a plan of a folder that is not there, or of other files, is refused', async () => {
  const refusal = async (edit: (plan: any) => void) => {
    const plan = parsed();
    plan.changes = plan.steps = plan.contents = plan.contentFolders = [];
    edit(plan);
    const { exitCode, stderr } = await dryRun(sealed(plan));
    return [exitCode, stderr];
  };

  const elsewhere = await refusal((plan) => (plan.folder = 'elsewhere'));
  const fewer = await refusal((plan) => delete plan.files['teams/design.yaml']);
  const none = await refusal((plan) => (plan.folders = []));

  expect(elsewhere).toEqual([6, expect.stringContaining('elsewhere does not exist here. Nothing was sent.')]);
  expect(fewer).toEqual([6, expect.stringContaining('Changed since the plan was made: o/teams/design.yaml.')]);
  expect(none).toEqual([6, expect.stringContaining('Changed since the plan was made: o/teams')]);
});

test('the object that a name means is shown where its title does not tell', async () => {
  const evil = (file: string) => join(home.dir, 'evil', file);
  await done('export', 'evil', '--only', 'teams');
  const lock = await readFile(evil('docsctl.lock.json'), 'utf8');
  await writeFile(
    evil('docsctl.lock.json'),
    lock
      .replace('"writers": "writers00001"', '"writers": "design000001"')
      .replace('"design": "design000001"', '"design": "writers00001"'),
  );
  await writeFile(evil('teams/writers.yaml'), 'title: Authors\n');
  await done('plan', 'evil', '--only', 'teams/writers', '--out', 'plan.json');

  expect(await display(await readFile(join(home.dir, 'plan.json'), 'utf8'))).toContain(
    'teams/writers is "Design" (ID design000001).',
  );
});

/** Any edit of the JSON: of one member somewhere in it. */
const edits = fc.record({
  place: fc.array(fc.nat(1000), { minLength: 1, maxLength: 8 }),
  kind: fc.constantFrom('remove', 'replace', 'repeat', 'swap', 'add'),
  value: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({})),
});
type Edit = typeof edits extends fc.Arbitrary<infer Value> ? Value : never;

function editAt(node: Json, [first = 0, ...rest]: number[], edit: Edit): void {
  if (node === null || typeof node !== 'object') return;
  const keys = Object.keys(node);
  const key = keys[first % Math.max(keys.length, 1)];
  const members = node as Members;
  const child = key === undefined ? undefined : members[key];
  if (rest.length > 0 && typeof child === 'object' && child !== null && Object.keys(child).length > 0)
    return editAt(child, rest, edit);
  if (key === undefined || edit.kind === 'add') {
    if (Array.isArray(node)) node.push(edit.value as Json);
    else members[`x${first}`] = edit.value as Json;
  } else if (edit.kind === 'remove') {
    if (Array.isArray(node)) node.splice(Number(key), 1);
    else delete members[key];
  } else if (edit.kind === 'repeat' && Array.isArray(node)) node.push(structuredClone(child) as Json);
  else if (edit.kind === 'swap') {
    const other = keys[(first + 1) % keys.length]!;
    [members[key], members[other]] = [members[other]!, child!];
  } else
    members[key] =
      typeof child === 'string' && typeof edit.value === 'string' ? `${child}${edit.value}x` : (edit.value as Json);
}

test('whatever is edited, the display changes or nothing is sent', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 3 }), async (list) => {
      const plan = parsed();
      for (const edit of list) editAt(plan, edit.place, edit);
      const text = sealed(plan);
      if (text === saved) return;
      const now = await display(text);
      if (now === undefined || now !== shown) return;
      // The requests follow from these members, and from the service.
      const { changes, steps, contents } = JSON.parse(text);
      const original = parsed();
      expect({ changes, steps, contents }).toEqual({
        changes: original.changes,
        steps: original.steps,
        contents: original.contents,
      });
    }),
    { numRuns: Number(process.env.DOCSCTL_PROPERTY_RUNS ?? 150) },
  );
});

test('an apply names the folder of its plan, also the current one', async () => {
  await done('export', '.', '--only', 'teams');
  await done('plan', '.', '--only', 'teams', '--out', 'teams.json');

  const run = await done('apply', 'teams.json', '--dry-run');

  expect(run.stderr).toContain('This is a plan of the folder ".".\n');
});
