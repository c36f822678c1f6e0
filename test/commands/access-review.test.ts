import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, type Home, test as programTest } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

const owner = 'member000020';

/** A review of a team with many members and one owner. @returns its folder and the file of the owner */
async function review(demo: Home, size: number) {
  const list = await demo.docsctl('members', 'list', '--limit', `${size + 30}`, '-o', 'id');
  const people = list.stdout
    .trim()
    .split('\n')
    .filter((id) => id !== owner)
    .slice(0, size);
  const team = await demo.docsctl(
    'teams',
    'create',
    '--title',
    '=Team',
    '--members',
    [owner, ...people].join(','),
    '-o',
    'id',
  );
  const id = team.stdout.trim();
  await demo.docsctl('teams', 'members', 'set', id, owner, '--role', 'owner');
  const run = await demo.docsctl('access', 'review', 'create', '--team-owners', '--out', 'review', '--json');
  expect(run).toMatchObject({ exitCode: 0 });
  const folder = join(demo.dir, 'review');
  const file = join(folder, 'person20@lumen.example-member000020.csv');
  return { id, people, folder, file, evidence: join(folder, 'evidence.jsonl') };
}

/** Writes decisions into the rows of members. */
async function decide(file: string, decisionOf: (member: string) => string | undefined) {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const decided = lines.map((line) => {
    const member = line.split(',')[4]!;
    const decision = member === 'member_id' ? undefined : decisionOf(member);
    return decision === undefined ? line : line.replace(/,[^,]*,[^,]*$/, `,${decision},because`);
  });
  await writeFile(file, `${decided.join('\n')}\n`);
}

const entriesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const verify = (demo: Home, ...words: string[]) => demo.docsctl('access', 'review', 'verify', 'review', ...words);
const apply = (demo: Home, ...words: string[]) =>
  demo.docsctl('access', 'review', 'apply', 'review', '--yes', ...words);

test('decisions become a plan, changes and evidence; a second run changes nothing', async ({ demo }) => {
  const { id, people, folder, file, evidence } = await review(demo, 6);
  expect((await readFile(file, 'utf8')).split('\n')[1]).toMatch(/^'=Team,/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const [first, second, third] = people;
  await decide(
    file,
    (member) => ({ [first!]: 'remove', [second!]: 'owner', [third!]: 'Keep', [owner]: 'delete' })[member],
  );
  await appendFile(file, `x,writers00001,x,x,${first},member,never,remove,not theirs\n`);

  const dry = await demo.docsctl('access', 'review', 'apply', 'review', '--dry-run');
  expect(dry.exitCode).toBe(8);
  expect(entriesOf(evidence)).toHaveLength(1);
  const run = await apply(demo);
  expect(run.exitCode).toBe(8);
  expect(run.stderr).toContain('"delete" is not one of keep, remove, owner, member');
  expect(run.stderr).toContain('was not given to this owner');
  expect(run.stderr).toMatch(/1 changed, 1 removed\. 3 decisions, \d+ rows undecided\./);
  const members = (await demo.docsctl('teams', 'members', 'list', id, '--json')).json;
  const roles = new Map(members.map((one: any) => [one.organization.id, one.team.role]));
  expect([first, second, third].map((member) => roles.get(member))).toEqual([undefined, 'owner', 'member']);
  expect(entriesOf(evidence).map(({ type, decision }) => [type, decision])).toEqual(
    expect.arrayContaining([
      ['created', undefined],
      ['decided', 'remove'],
      ['decided', 'keep'],
      ['applied', 'remove'],
      ['applied', 'owner'],
    ]),
  );
  expect(entriesOf(evidence).find(({ type }) => type === 'decided')).toMatchObject({ owner: 'person20@lumen.example' });

  const before = await readFile(evidence, 'utf8');
  const again = await apply(demo);
  expect(again.stderr).toContain('2 unchanged.');
  expect((await readFile(evidence, 'utf8')).split('\n')).toHaveLength(before.split('\n').length);
  expect(await verify(demo)).toMatchObject({ exitCode: 0 });
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('what was altered is found: evidence, review and decisions', async ({ demo }) => {
  const { people, folder, file, evidence } = await review(demo, 3);
  await decide(file, (member) => (member === people[0] ? 'remove' : 'keep'));
  await apply(demo);
  const head = (await verify(demo, '--jq', '.id')).stdout.trim().replaceAll('"', '');
  expect(head).toMatch(/^[0-9a-f]{64}$/);
  const alter = async (path: string, change: (text: string) => string) => {
    const text = await readFile(path, 'utf8');
    expect(change(text)).not.toBe(text);
    await writeFile(path, change(text));
    const found = await verify(demo, '--head', head);
    const applied = path === file ? undefined : await apply(demo);
    await writeFile(path, text);
    expect(await verify(demo, '--head', head)).toMatchObject({ exitCode: 0 });
    return [found.exitCode, applied?.exitCode];
  };
  const lines = (text: string) => text.trimEnd().split('\n');
  expect(await alter(evidence, (text) => text.replace('"remove"', '"keep"'))).toEqual([9, 9]);
  expect(await alter(evidence, (text) => lines(text).toSpliced(2, 1).join('\n') + '\n')).toEqual([9, 9]);
  expect(await alter(evidence, (text) => `${text}{}\n`)).toEqual([9, 9]);
  expect(await alter(evidence, () => '')).toEqual([9, 9]);
  expect(await alter(join(folder, 'review.json'), (text) => text.replace('"member"', '"owner"'))).toEqual([9, 9]);
  expect(await alter(join(folder, 'review.json'), () => '{}')).toEqual([9, 9]);
  expect(await alter(file, (text) => text.replace(',remove,', ',keep,'))).toEqual([9, undefined]);
  const text = await readFile(evidence, 'utf8');
  await writeFile(evidence, `${lines(text).slice(0, -1).join('\n')}\n`);
  expect((await verify(demo, '--head', head)).exitCode).toBe(9);
});

test('a file without decisions, cells of other rows, and different decisions for one member are refused', async ({
  demo,
}) => {
  const { file } = await review(demo, 6);
  const given = await readFile(file, 'utf8');
  const [header, ...lines] = given.trim().split('\n');
  const decided = lines.map((line) => line.replace(/,,$/, ',remove,'));
  const [first, second] = decided.map((line) => line.split(',')[3]!);

  await writeFile(file, given.replace('decision', 'choice').replaceAll(',,\n', ',remove,\n'));
  const renamed = await apply(demo);
  const sorted = [...decided.slice(0, 2).toReversed(), ...decided.slice(2)];
  const mixed = sorted.map((line, i) => (i < 2 ? line.replace(i === 0 ? second! : first!, [first, second][i]!) : line));
  await writeFile(file, [header, ...mixed.slice(0, 2), ...lines.slice(2)].join('\n'));
  const swapped = await apply(demo);
  await writeFile(file, [header, ...lines.with(1, decided[1]!), lines[1]!.replace(/,,$/, ',keep,')].join('\n'));
  const repeated = await apply(demo);

  expect(renamed).toMatchObject({ exitCode: 8 });
  expect(renamed.stderr).toContain('has no column "decision"');
  expect(swapped).toMatchObject({ exitCode: 8 });
  expect(swapped.stderr.match(/is not the address of/g)).toHaveLength(2);
  expect(swapped.stderr).toContain('Recorded 0 decisions');
  expect(repeated).toMatchObject({ exitCode: 8 });
  expect(repeated.stderr).toContain('Recorded 0 decisions');
});

test('owners who disagree, and teams that would have no owner, change nothing', async ({ demo }) => {
  const { id, people, file } = await review(demo, 3);
  await decide(file, (member) => (member === owner ? 'remove' : undefined));
  const run = await apply(demo);
  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('A team would have no owner');
  await demo.docsctl('teams', 'members', 'set', id, people[0]!, '--role', 'owner');
  const second = await demo.docsctl('access', 'review', 'create', '--team-owners', '--out', 'second');
  expect(second.exitCode).toBe(0);
  const files = (await readdir(join(demo.dir, 'second'))).filter((name) => /member0000(20)-?|csv$/.test(name));
  for (const [index, name] of files.entries())
    await decide(join(demo.dir, 'second', name), (member) =>
      member === people[1] ? ['keep', 'remove'][index % 2] : undefined,
    );
  const disagreed = await demo.docsctl('access', 'review', 'apply', 'second', '--yes');
  expect(disagreed.stderr).toContain('the owners disagree');
  expect((await demo.docsctl('access', 'review', 'create', '--team-owners', '--out', 'second')).exitCode).toBe(2);
});

programTest('no decision is lost when a run is killed', async ({ demo }) => {
  const { id, people, file, evidence } = await review(demo, 120);
  await decide(file, (member) => (member === owner ? 'keep' : 'remove'));
  for (let round = 0; round < 3; round++) {
    const lines = existsSync(evidence) ? entriesOf(evidence).length : 0;
    const run = execa(process.execPath, [bin, 'access', 'review', 'apply', 'review', '--yes'], {
      cwd: demo.dir,
      env: demo.env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    let isEnded = false;
    void run.then(() => (isEnded = true));
    while (readFileSync(evidence, 'utf8').split('\n').length < lines + (round === 0 ? 130 : 20) && !isEnded)
      await new Promise((resolve) => setTimeout(resolve, 1));
    run.kill('SIGKILL');
    await run;
  }
  // As a kill in the middle of a line leaves it.
  await appendFile(evidence, '{"type":"applied","row":"');
  expect((await verify(demo)).stderr).toContain('The last line of the evidence is incomplete');
  expect(await apply(demo)).toMatchObject({ exitCode: 0 });
  expect(await verify(demo)).toMatchObject({ exitCode: 0 });

  const entries = entriesOf(evidence);
  expect(new Set(entries.filter(({ type }) => type === 'decided').map(({ row }) => row)).size).toBe(121);
  const applied = entries.filter(
    ({ type, outcome }) => type === 'applied' && ['removed', 'unchanged'].includes(outcome),
  );
  expect(new Set(applied.map(({ row }) => row))).toEqual(new Set(people.map((member) => `${id}/${member}`)));
  expect((await demo.docsctl('teams', 'members', 'list', id, '-o', 'id')).stdout.trim()).toBe(owner);
});
