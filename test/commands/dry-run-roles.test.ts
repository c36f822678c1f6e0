import { copyFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openInstance } from '../../src/server/open-instance.ts';
import { grantToken } from '../../src/server/organizations/bootstrap.ts';
import { type DemoHome, runHere, serveHere, sharedDemo } from '../support/shell.ts';

const { demo } = await sharedDemo();
const onHandbook = '--space handbook0001';

async function made(): Promise<{ home: DemoHome; comment: string; people: Record<string, string> }> {
  const home = await demo.copy();
  const done = async (...words: string[]) => {
    const run = await home.run(words);
    expect(run.exitCode, run.stderr).toBe(0);
    return run.stdout.trim();
  };
  await done('collections', 'edit', 'internal0001', '--default-level', 'none');
  const comment = await done('comments', 'create', '--body', 'Look', ...onHandbook.split(' '), '-o', 'id');
  const people: Record<string, string> = {};
  for (const role of ['create', 'review', 'edit', 'comment', 'read', 'guest'])
    people[role] = (await done('members', 'list', '--role', role, '-o', 'id', '--limit', '9')).split('\n').at(-1)!;
  return { home, comment, people };
}

const { home: template, comment, people } = await made();

/** The status of a command that a member runs on a copy of the organization. */
async function statusOf(user: string, words: string[]): Promise<number | undefined> {
  const home = await demo.copy();
  await copyFile(template.database, home.database);
  const instance = await openInstance({ file: home.database });
  const token = 'token-of-the-member';
  await instance.store.write((db) => grantToken(db, { token, user, label: 'test', now: new Date().toISOString() }));
  await instance.close();
  const served = await serveHere(home.database);
  try {
    const env = { ...home.env, DOCSCTL_URL: served.env['DOCSCTL_URL']!, DOCSCTL_TOKEN: token };
    return (await runHere({ dir: home.dir, env }, words)).exitCode;
  } finally {
    await served.stop();
    await home.remove();
  }
}

const lines = [
  'spaces create --title New',
  'spaces create --title New --parent products0001',
  'spaces create --title New --parent internal0001',
  'spaces create --title New --parent nowhere00001',
  'spaces move handbook0001 --parent internal0001',
  'spaces duplicate handbook0001',
  'collections create --title New --parent internal0001',
  'collections move archive00001 --parent internal0001',
  'teams members remove writers00001 member000300',
  'teams members remove writers00001 nobody000001',
  'translations delete nothing00001',
  'sites sections remove nothing00001 --site lumensite001',
  'cr open nothing00001 --space releasenotes',
  `comments edit ${comment} --body Mine ${onHandbook}`,
  `comments replies create ${comment} --body Yes ${onHandbook}`,
  `comments resolve ${comment} ${onHandbook}`,
  `cr merge 2 --open ${onHandbook}`,
];

test.each(lines)('%s: a dry run has the status of the real run, for every role', async (line) => {
  const words = [...line.split(' '), '--yes'];
  // Guests may list neither members of teams nor translations, which a dry run needs.
  const isHidden = ['teams', 'translations'].includes(words[0] ?? '');
  const roles = Object.entries(people).filter(([role]) => role !== 'guest' || !isHidden);
  const statuses = async (...more: string[]) => {
    const all: Record<string, number | undefined> = {};
    for (const [role, user] of roles) all[role] = await statusOf(user, [...words, ...more]);
    return all;
  };

  expect(await statuses('--dry-run')).toEqual(await statuses());
});
