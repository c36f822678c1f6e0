import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeHome, removeHome, root } from '../support/cli.ts';
import { initialize } from '../support/prepared.ts';
import { runHere } from '../support/shell.ts';

const folder = join(root, 'test', 'store', 'databases');
const stored = (await readdir(folder)).filter((name) => name.endsWith('.sqlite.br'));
const versions = [...stored.map((name) => name.replace('.sqlite.br', '')), 'this version'];

test('there is a database of every released version', async () => {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version!);

  expect(versions.toSorted()).toEqual([...released, 'this version'].toSorted());
});

/** What a database consists of, without the texts of the statements, whose spaces may differ. */
function structureOf(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  const objects = database
    .prepare("select type, name, tbl_name from sqlite_schema where name not like 'sqlite_%' order by 1, 2")
    .all();
  const columns = database
    .prepare(
      'select s.name as of, c.name, lower(c.type) as type, c."notnull" as required, c.dflt_value as fallback, c.pk from sqlite_schema s, pragma_table_info(s.name) c where s.type = \'table\' order by 1, 2',
    )
    .all();
  database.close();
  return { objects, columns };
}

describe.for(versions)('a database of %s', (version) => {
  const makeVersion = async () => {
    const home = await makeHome();
    const organization = await initialize(home, 'demo');
    const file = join(home.dir, 'data', 'local.db');
    const before = structureOf(file);
    if (version === 'this version') return { home, file, fresh: before, old: before, organization };
    await mkdir(join(home.dir, 'data'), { recursive: true });
    await writeFile(file, brotliDecompressSync(await readFile(join(folder, `${version}.sqlite.br`))));
    const old = new DatabaseSync(file);
    const row = old.prepare('select id from organization').get();
    old.close();
    const config = join(home.dir, 'config', 'config.json');
    await writeFile(config, (await readFile(config, 'utf8')).replaceAll(organization, String(row?.id)));
    return { home, file, fresh: before, old: structureOf(file), organization: String(row?.id) };
  };
  let made: Awaited<ReturnType<typeof makeVersion>>;
  beforeAll(async () => {
    made = await makeVersion();
  });
  afterAll(() => removeHome(made.home));
  const run = async (line: string) => {
    const { exitCode, stdout, stderr } = await runHere(made.home, line.split(' '));
    expect({ line, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ line, exitCode: 0, stderr: '' });
    return stdout;
  };

  test('is upgraded to the current tables, and kept beside', async () => {
    if (version !== 'this version') expect(made.old).not.toEqual(made.fresh);
    expect(await run('orgs view -o id')).toBe(`${made.organization}\n`);

    expect(structureOf(made.file)).toEqual(made.fresh);
    const backups = (await readdir(join(made.home.dir, 'data'))).filter((name) => name.endsWith('.bak'));
    expect(backups).toHaveLength(version === 'this version' ? 0 : 1);
  });

  test('passes all checks', async () => {
    const checks = JSON.parse(await run('serve check -o json'));

    expect(checks.length).toBeGreaterThan(5);
    expect(checks.filter(({ result }: { result: string }) => result !== 'ok')).toEqual([]);
  });

  test('has all its data, and can be searched', async () => {
    expect(await run('members list --limit 2 -o id')).toContain('member000001');
    expect(await run('content pages list --space handbook0001')).toMatch(
      /^Unpack\tinstall-the-pump\/unpack\tdocument\t/m,
    );
    expect(await run('content pages view install00001 --space handbook0001 --format markdown')).toContain('valve');
    expect(await run('content pages links welcome00001 --space handbook0001')).toMatch(/^ok\tglossary/m);
    expect(await run('search valve -o id')).toContain('install00001');
    expect(await run('comments list --space handbook0001 --status open')).toContain('Which valve is meant?');
    expect(await run('sites list -o id')).toContain('lumensite001');
    expect(await run('openapi versions list pumps -o id')).toContain('pumpsv000002');
  });

  test('can be changed', async () => {
    await run('teams create --title Reviewers --members member000001');
    await run('members edit member000002 --role guest');
    expect(await run('cr merge 1 --space handbook0001')).toMatch(/^result\tmerge$/m);
    expect(await run('search blue -o id')).toContain('newpump00001');
    await run('spaces duplicate handbook0001');
    await run('spaces delete quickstart01 --yes');

    const checks = JSON.parse(await run('serve check -o json'));
    expect(checks.filter(({ result }: { result: string }) => result !== 'ok')).toEqual([]);
  });
});
