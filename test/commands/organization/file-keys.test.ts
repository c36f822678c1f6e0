import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { readFiles } from '../../../src/organization/files/read-files.ts';
import { type DemoHome, runHere, sharedDemo } from '../../support/shell.ts';

const { demo } = await sharedDemo();
let home: DemoHome;
const site = 'sites/lumen-documentation.yaml';
beforeEach(async () => {
  home = await demo.copy();
});

const at = (path: string) => join(home.dir, 'o', ...path.split('/'));

/** What holds members of any name: people, custom fields, claims of visitors. */
const records = new Set(['members', 'customFields', 'properties']);

/** The names of members in a file, each with its place. */
function keysIn(text: string): { offset: number; key: string; place: string }[] {
  const lines = new LineCounter();
  const keys: { offset: number; key: string; place: string }[] = [];
  visit(parseDocument(text, { lineCounter: lines }), {
    Pair(_, { key }, ancestors) {
      const above = ancestors.at(-2);
      const isInRecord = isPair(above) && isScalar(above.key) && records.has(String(above.key.value));
      if (!isScalar(key) || !key.range || isInRecord) return;
      const { line, col } = lines.linePos(key.range[0]);
      keys.push({ offset: key.range[0], key: String(key.value), place: `${line}:${col}` });
    },
  });
  return keys;
}

test('each key of each exported file is checked, at every depth', async () => {
  await home.run(['export', 'o']);
  const files = ['organization.yaml', 'collections.yaml', 'invite-links.yaml', 'translations.yaml', site];
  files.push('teams/design.yaml', 'sso/lumen-id.yaml', 'spaces/handbook/space.yaml');
  for (const file of files) {
    const text = await readFile(at(file), 'utf8');
    const keys = keysIn(text);
    expect(keys.length, file).toBeGreaterThan(1);
    for (const { offset, key, place } of keys) {
      const edited = `${text.slice(0, offset)}${key}x${text.slice(offset + key.length)}`;
      const { problems } = readFiles(new Map([[file, edited]]));
      const [problem] = problems;
      expect(problems, `${file} ${place}`).toHaveLength(1);
      expect(`${problem?.line}:${problem?.column}`, file).toBe(place);
      expect(problem?.message).toMatch(new RegExp(`^unknown key "(?:.*\\.)?${key}x"; did you mean "${key}"\\?$`));
    }
  }
});

test('a misspelled setting of a site is not sent', async () => {
  await home.run(['export', 'o']);
  const text = await readFile(at(site), 'utf8');
  await writeFile(at(site), text.replace(/^ {2}pdf:/m, '  pdff:'));

  for (const words of [['plan'], ['apply', '--yes'], ['drift']]) {
    const run = await home.run([...words, 'o', '--debug']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(
      /lumen-documentation\.yaml:\d+:3: unknown key "customization\.pdff"; did you mean "pdf"\?/,
    );
    expect(run.stderr).not.toMatch(/^> /m);
  }
});

test('"sites customization set" and "sites schema set" refuse misspelled members of a file', async () => {
  const { stdout } = await home.run(['sites', 'customization', 'view', '--site', 'Lumen documentation', '-o', 'json']);
  await writeFile(join(home.dir, 'looks.json'), stdout.replace('"showEditLink"', '"showEditLinks"'));
  await writeFile(
    join(home.dir, 'schema.json'),
    '{"type":"object","properties":{"plan":{"type":"string","descripton":"Plan"}},"additionalProperties":false}',
  );
  const set = (...words: string[]) => home.run(['sites', ...words, '--site', 'Lumen documentation']);

  const looks = await set('customization', 'set', 'looks.json');
  const value = await set('customization', 'set', '--set', 'pdf={"enabled":true,"enabledd":true}');
  const schema = await set('schema', 'set', 'schema.json');

  expect(looks).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no setting "git.showEditLinks"') });
  expect(looks.stderr).toContain('Did you mean "git.showEditLink"?');
  expect(value).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no setting "pdf.enabledd"') });
  expect(schema.stderr).toContain('Did you mean "jsonSchema.properties.plan.description"?');
});

describe('!env', () => {
  const edit = async (path: string, change: (text: string) => string) =>
    writeFile(at(path), change(await readFile(at(path), 'utf8')));
  const withTeam = (value: string | undefined, ...words: string[]) =>
    runHere({ dir: home.dir, env: { ...home.env, ...(value !== undefined && { TEAM: value }) } }, words);

  beforeEach(async () => {
    await home.run(['export', 'o']);
  });

  test.each(['!env TEAM', '!env ${TEAM}', '!env "${TEAM}"', "!env '${TEAM}'", '!env |-\n  ${TEAM}'])(
    'in the title of a team is the value: %s',
    async (tag) => {
      await edit('teams/writers.yaml', (text) => text.replace('title: Writers', `title: ${tag}`));

      const unset = await withTeam(undefined, 'apply', 'o', '--yes');
      const planned = await withTeam('Auth0rs!', 'plan', 'o', '--out', 'plan.json');
      const applied = await withTeam('Auth0rs!', 'apply', 'o', '--yes');
      const teams = await home.run(['teams', 'list', '-o', 'json']);
      const drift = await withTeam('Auth0rs!', 'drift', 'o', '-o', 'json');
      const later = await withTeam('An0ther!', 'drift', 'o', '-o', 'json');

      expect([unset.exitCode, unset.stderr]).toEqual([
        2,
        expect.stringMatching(/writers\.yaml:\d+:\d+: the variable TEAM is not set/),
      ]);
      expect(applied.exitCode, applied.stderr).toBe(0);
      expect(teams.json.map(({ title }: { title: string }) => title)).toContain('Auth0rs!');
      expect(drift.json).toEqual([]);
      expect(later.json).toMatchObject([{ kind: 'team', name: 'writers' }]);
      const saved = await readFile(join(home.dir, 'plan.json'), 'utf8');
      const lock = await readFile(at('docsctl.lock.json'), 'utf8');
      const printed = [planned, applied, drift].map(({ stdout, stderr }) => stdout + stderr).join('');
      for (const text of [saved, lock, printed]) expect(text).not.toContain('Auth0rs!');
    },
  );

  test('in a page or in members.csv is an error, and its name is stored nowhere', async () => {
    await edit('members.csv', (text) => `${text}!env TEAM,read,false,\n`);
    const members = await withTeam('x', 'apply', 'o', '--yes');

    expect([members.exitCode, members.stderr]).toEqual([2, expect.stringMatching(/members\.csv:\d+: /)]);
  });
});
