import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa, type ResultPromise } from 'execa';
import { beforeEach, expect, test } from 'vitest';
import { bin } from '../../support/cli.ts';
import { type DemoHome, serveHere, sharedDemo } from '../../support/shell.ts';
import { forwardTo } from '../twin/forwarding.ts';

// With which revision of a space its folder is compared, in clones that have no lock file.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await done('export', 'first');
  await appendFile(at('first', glossary), '\nThe first line.\n');
  await done('apply', 'first', '--yes');
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (...path: string[]) => join(home.dir, ...path);
const glossary = 'spaces/handbook/content/glossary.md';

/** A clone with another line in a page. */
async function clone(from: string, to: string, line?: string): Promise<void> {
  await cp(at(from), at(to), { recursive: true });
  await rm(at(to, 'docsctl.lock.json'), { force: true });
  if (line !== undefined) await appendFile(at(to, glossary), `\n${line}\n`);
}

/** An apply that is killed once the service merged the content, so that the shared state lacks it. */
async function killedAfterMerge(folder: string): Promise<void> {
  const service = await serveHere(home.database);
  let run: ResultPromise<{ reject: false }> | undefined;
  const forwarding = await forwardTo(service.env['DOCSCTL_URL']!, {
    answer(path, text) {
      if (/handbook0001\/change-requests\/\w+\/merge$/.test(path)) run?.kill('SIGKILL');
      return text;
    },
  });
  run = execa(process.execPath, [bin, 'apply', folder, '--yes'], {
    cwd: home.dir,
    env: { ...home.env, ...service.env, DOCSCTL_URL: forwarding.url, DOCSCTL_ORG: 'Lumen Docs' },
    extendEnv: false,
    reject: false,
  });
  expect((await run).signal).toBe('SIGKILL');
  forwarding.stop();
  await service.stop();
}

async function expectLines(...lines: string[]): Promise<void> {
  await done('export', 'after');
  const text = await readFile(at('after', glossary), 'utf8');
  expect(text.trimEnd().endsWith(lines.join('\n\n')), text).toBe(true);
}

test('after an apply that was killed after its merge, the next commit is applied', async () => {
  await clone('first', 'killed', 'The second line.');
  await killedAfterMerge('killed');
  await clone('killed', 'next', 'The third line.');

  const plan = await done('plan', 'next');
  await done('apply', 'next', '--yes', '--break-lease');
  await clone('next', 'last', 'The fourth line.');
  await done('apply', 'last', '--yes');

  expect(plan.stdout).toBe('~ content handbook\n    ~ glossary.md (lines +2 -0)\n');
  await expectLines('The first line.', 'The second line.', 'The third line.', 'The fourth line.');
});

test.for(['', 'Only in the app'])(
  'an apply that was killed after its merge can be repeated before the next edit, also with other pages: %o',
  async (title) => {
    if (title !== '')
      await done(
        'api',
        'POST',
        'spaces/handbook0001/content?compat=false',
        '-F',
        `changes=${JSON.stringify([{ operation: 'insert_page', title, document: { markdown: 'Text.\n' } }])}`,
      );
    await clone('first', 'killed', 'The second line.');
    await killedAfterMerge('killed');
    await clone('killed', 'again');

    await done('apply', 'again', '--yes', '--break-lease');
    await clone('again', 'next', 'The third line.');
    await done('apply', 'next', '--yes');

    await expectLines('The first line.', 'The second line.', 'The third line.');
    if (title !== '') expect((await done('content', 'pages', 'list', '--space', 'Handbook')).stdout).toContain(title);
  },
);

test.for(['', 'a saved plan'])(
  'a change in the app that was exported in another clone is not a conflict with the next edit: %o',
  async (saved) => {
    await clone('first', 'pulled');
    await done(
      'api',
      'POST',
      'spaces/handbook0001/content?compat=false',
      '-F',
      `changes=${JSON.stringify([{ operation: 'update_page', page: 'glossary0001', document: { markdown: 'From the app.\n' } }])}`,
    );
    await done('export', 'pulled', '--overwrite');
    await clone('pulled', 'merged');
    if (saved !== '') await done('plan', 'merged', '--out', 'plan.json');
    await done('apply', saved === '' ? 'merged' : 'plan.json', '--yes');
    await clone('merged', 'next', 'The next line.');

    const plan = await done('plan', 'next');
    await done('apply', 'next', '--yes');

    expect(plan.stdout).toBe('~ content handbook\n    ~ glossary.md (lines +2 -0)\n');
    await expectLines('From the app.', 'The next line.');
  },
);
