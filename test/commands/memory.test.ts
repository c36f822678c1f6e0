import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin, type Home, makeHome, root } from '../support/cli.ts';
import { initialize } from '../support/prepared.ts';
import { serveHere } from '../support/shell.ts';

const count = 100_000;
const mostBytes = 120 * 1024 * 1024;
const probe = join(root, 'bench', 'peak.cjs');
let home: Home;

/** Many members, straight into the tables: through requests they would take minutes. */
beforeAll(async () => {
  home = await makeHome();
  const orgId = await initialize(home);
  const db = new DatabaseSync(join(home.dir, 'data', 'local.db'));
  db.function('fold', { deterministic: true }, (text) => String(text).toLowerCase());
  db.exec('PRAGMA synchronous = OFF; BEGIN');
  const user = db.prepare('insert into user (id, display_name, email, created_at) values (?, ?, ?, ?)');
  const member = db.prepare('insert into member (organization, user, role, joined_at) values (?, ?, ?, ?)');
  const createdAt = '2026-01-01T00:00:00.000Z';
  for (let n = 0; n < count - 1; n++) {
    const id = `u${String(n).padStart(11, '0')}`;
    user.run(id, `Person ${n}`, `person${n}@example.test`, createdAt);
    member.run(orgId, id, 'read', createdAt);
  }
  db.exec('COMMIT');
  db.close();
});
afterAll(() => rm(home.dir, { recursive: true, force: true }));

async function peakOf(format: string, env: Record<string, string> = {}) {
  const file = join(home.dir, `members.${format}`);
  const peakFile = join(home.dir, 'peak');
  const result = await execa(process.execPath, ['--require', probe, bin, 'members', 'list', '-o', format], {
    cwd: home.dir,
    env: { ...home.env, ...env, BENCH_PEAK: peakFile },
    extendEnv: false,
    stdin: 'ignore',
    stdout: { file },
    reject: false,
  });
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  return { peak: Number(await readFile(peakFile, 'utf8')) * 1024, text: await readFile(file, 'utf8') };
}

test.each(['jsonl', 'json'])(
  `${count} members as %s take little memory, in-process and over HTTP`,
  async (format) => {
    const embedded = await peakOf(format);
    const database = join(home.dir, `served-${format}.db`);
    await copyFile(join(home.dir, 'data', 'local.db'), database);
    const served = await serveHere(database);
    const overHttp = await peakOf(format, served.env).finally(() => served.stop());

    for (const { peak, text } of [embedded, overHttp]) {
      const items = format === 'json' ? JSON.parse(text).length : text.trimEnd().split('\n').length;
      expect(items).toBe(count);
      expect(peak).toBeLessThan(mostBytes);
    }
  },
  60_000,
);
