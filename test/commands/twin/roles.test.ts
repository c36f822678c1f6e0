import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DemoHome, runHere, serveHere, sharedDemo } from '../../support/shell.ts';
import { smallHome } from './small-organization.ts';

const { demo } = await sharedDemo();
const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest'] as const;
type Role = (typeof roles)[number];

let home: Awaited<ReturnType<typeof smallHome>>;
let linkId: string;
let original: string;

const addressOf = (role: Role) => `${role}@lumen.example`;
const done = async (...words: string[]): Promise<string> => {
  const { exitCode, stderr, stdout } = await home.run(words);
  expect(exitCode, `${words.join(' ')}: ${stderr}`).toBe(0);
  return stdout.trim();
};

beforeAll(async () => {
  home = await smallHome(demo);
  for (const role of roles) await done('invites', 'send', addressOf(role), '--role', role, '--yes');
  await done('fields', 'create', '--name', 'owner', '--type', 'text', '--title', 'Owner');
  await done('sso', 'providers', 'create', '--label', 'Okta');
  linkId = await done('invites', 'links', 'create', '--space', home.spaceId, '--role', 'edit', '-o', 'id');
  await done('invites', 'accept', linkId, '--as', addressOf('guest'));
  original = join(home.dir, 'original.db');
  await done('serve', 'backup', original);
});

/** Commands that some roles may use, with objects that some may not read. */
const lines: (() => string[])[] = [
  () => ['spaces', 'create', '--title', 'New'],
  () => ['spaces', 'edit', home.spaceId, '--title', 'Manual'],
  () => ['spaces', 'delete', home.spaceId, '--yes'],
  () => ['cr', 'create', '--space', home.spaceId, '--subject', 'Change'],
  () => ['cr', 'merge', '1', '--space', home.spaceId, '--open'],
  () => ['comments', 'create', '--space', home.spaceId, '--body', 'Yes'],
  () => ['fields', 'values', 'set', 'owner=Ada', '--space', home.spaceId],
  () => ['members', 'edit', home.adaId, '--role', 'read'],
  () => ['members', 'remove', home.adaId, '--yes'],
  () => ['members', 'remove', 'nobody000001', '--yes'],
  () => ['teams', 'create', '--title', 'Editors'],
  () => ['sites', 'create', '--title', 'Docs'],
  () => ['invites', 'links', 'delete', linkId, '--yes'],
  () => ['invites', 'accept', linkId],
];

async function restore(): Promise<void> {
  for (const end of ['-wal', '-shm']) await rm(home.database + end, { force: true });
  await copyFile(original, home.database);
}

type Run = (words: string[]) => ReturnType<DemoHome['run']>;

/** The exit statuses of a command: rehearsed, and then run. */
async function statusesOf(run: Run, words: string[]) {
  const rehearsed = await run(['rehearse', '-o', 'json', '--', ...words]);
  const real = await run(words);
  return { rehearsed, real };
}

describe.each(roles)('as %s', (role) => {
  test('a rehearsal ends with the status of the command', async () => {
    for (const words of lines.map((line) => line())) {
      await restore();
      const run: Run = (line) => home.run(['--as', addressOf(role), ...line]);
      const { rehearsed, real } = await statusesOf(run, words);
      expect({ words, status: rehearsed.exitCode, stderr: rehearsed.stderr }).toMatchObject({
        words,
        status: real.exitCode,
      });
      expect(Object.keys(rehearsed.json?.notChecked ?? {}).length > 0, words.join(' ')).toBe(role !== 'admin');
    }
  });

  test('the same over HTTP', async () => {
    for (const words of lines.slice(0, 4).map((line) => line())) {
      await restore();
      const token = await done('serve', 'token', 'create', '--user', addressOf(role), '--jq', '.token');
      const service = await serveHere(home.database);
      const env = { ...home.env, ...service.env, DOCSCTL_TOKEN: token };
      const { rehearsed, real } = await statusesOf((line) => runHere({ dir: home.dir, env }, line), words);
      await service.stop();
      expect({ words, status: rehearsed.exitCode, stderr: rehearsed.stderr }).toMatchObject({
        words,
        status: real.exitCode,
      });
    }
  });
});

test('a report names what the caller may not read, also one from a twin', async () => {
  await restore();
  const as = ['--as', addressOf('guest')];
  const words = ['--', 'cr', 'create', '--space', home.spaceId, '--subject', 'Change'];
  const plain = await home.run([...as, 'rehearse', ...words]);
  expect(plain.exitCode, plain.stderr).toBe(0);
  expect(plain.stdout).toContain('Not checked, because you may not read it:\n  list of members (1)\n');

  await home.run([...as, 'twin', 'create', '--yes']);
  const { json } = await home.run([...as, 'rehearse', '--twin', '-o', 'json', ...words]);
  expect(json).toMatchObject({ result: 'done', notChecked: { 'list of members': 1, 'list of teams': 1 } });
});

test('what an administrator gives up is compared', async () => {
  await restore();
  const words = ['members', 'edit', addressOf('admin'), '--role', 'read', '--yes-myself'];
  const { json, exitCode, stderr } = await home.run([
    '--as',
    addressOf('admin'),
    'rehearse',
    '-o',
    'json',
    '--',
    ...words,
  ]);
  expect(exitCode, stderr).toBe(0);
  expect(json.access).toContainEqual({
    member: addressOf('admin'),
    space: 'Handbook',
    before: 'admin',
    after: 'read',
  });
});
