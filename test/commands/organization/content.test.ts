import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text as textIn } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { openInstance } from '../../../src/server/open-instance.ts';
import { grantToken } from '../../../src/server/organizations/bootstrap.ts';
import { type DemoHome, runHere, serveHere, sharedDemo } from '../../support/shell.ts';

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await done('export', 'o', '--only', 'spaces/handbook');
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const content = 'o/spaces/handbook/content';
const at = (path: string) => join(home.dir, ...path.split('/'));
const textOf = (path: string) => readFile(at(path), 'utf8');
const edit = async (path: string, change: (text: string) => string) => writeFile(at(path), change(await textOf(path)));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}

/** The files of a folder, by path. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(at(folder), { recursive: true, withFileTypes: true });
  const files = names.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  const texts = files.toSorted().map(async (file) => [file.slice(at(folder).length), await readFile(file, 'hex')]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Stands before a service, and refuses some requests. */
async function refusing(url: string, isRefused: (method: string, path: string, body: string) => boolean) {
  const proxy = createServer((request, response) => {
    void (async () => {
      const body = await textIn(request);
      const { pathname } = new URL(request.url!, url);
      const headers = { 'content-type': 'application/json' };
      if (isRefused(request.method!, pathname, body)) {
        response.writeHead(409, headers);
        return void response.end('{"error":{"code":409,"message":"Refused by the test."}}');
      }
      const answer = await fetch(new URL(request.url!, url), {
        method: request.method!,
        headers: { ...headers, authorization: request.headers.authorization! },
        ...(body !== '' && { body }),
      });
      response.writeHead(answer.status, headers);
      response.end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/** Changes the space in the app. */
async function inApp(change: () => Promise<void>): Promise<void> {
  await done('content', 'pull', 'app', '--space', 'Handbook');
  await change();
  await done('content', 'push', 'app', '--space', 'Handbook', '--merge', '--adopt');
}

async function editMany(): Promise<void> {
  await edit(`${content}/glossary.md`, (text) => `${text}\n## Valve\n\nWhat stops the water.\n`);
  await write(`${content}/repairs.md`, '# Repairs\n\nSee the [glossary](glossary.md).\n');
  await rm(at(`${content}/maintenance/clean-the-housing.md`));
  await edit(`${content}/SUMMARY.md`, (text) =>
    text
      .replace(/^.*clean-the-housing.*\n/m, '')
      .replace(/^.*unpack\.md.*\n/m, '')
      .replace('- [Glossary]', '- [Unpack](install-the-pump/unpack.md)\n- [Repairs](repairs.md)\n- [Glossary]'),
  );
}

describe('the content of a space', () => {
  test('is planned page by page, applied with one change request, and exported as the folder has it', async () => {
    await editMany();
    const plan = await done('plan', 'o');
    const applied = await done('apply', 'o', '--yes', '-o', 'json');
    const again = await done('plan', 'o', '--exit-code');
    await done('drift', 'o', '--only', 'spaces/handbook');
    await done('export', 'fresh', '--only', 'spaces/handbook');

    expect(plan.stdout).toBe(
      [
        '~ content handbook',
        // Its link leads to the page that is removed.
        '    ~ maintenance/README.md (links)',
        '    > install-the-pump/unpack.md (install-the-pump/unpack -> unpack)',
        '    + repairs.md (Repairs)',
        '    ~ glossary.md (lines +4 -0)',
        '    - maintenance/clean-the-housing (Clean the housing)',
        '',
      ].join('\n'),
    );
    expect(plan.stderr).toContain('1 to change, 5 pages or files of content; 5 requests.');
    expect(applied.json).toMatchObject([{ result: 'done', kind: 'content', name: 'handbook' }]);
    expect(applied.stderr).toContain('1 of 1 changes made, with 5 requests.');
    expect(again.stdout).toBe('');
    expect(await filesIn('fresh/spaces')).toEqual(await filesIn('o/spaces'));
  });

  test('of a folder written by hand is put into a new space, and the lock file is not needed', async () => {
    await rm(at('o'), { recursive: true });
    await write('o/spaces/fresh/space.yaml', 'title: Fresh\n');
    await write('o/spaces/fresh/content/README.md', '# Hello\n\nSee [more](sub/more.md).\n\n![A](a.png)\n');
    await write('o/spaces/fresh/content/sub/more.md', '# More\n\nBack [home](../README.md).\n');
    await write('o/spaces/fresh/content/a.png', 'not a picture');
    const applied = await done('apply', 'o', '--yes');
    const again = await done('plan', 'o', '--prune', '--only', 'content', '--exit-code');
    await rm(at('o/docsctl.lock.json'));
    const withoutLock = await done('plan', 'o');
    await done('export', 'fresh', '--only', 'content/fresh');

    expect(applied.stderr).toContain('with 6 requests');
    expect(again.stdout).toBe('');
    expect(withoutLock.stdout).toBe('');
    expect(await filesIn('fresh/spaces/fresh/content')).toEqual(await filesIn('o/spaces/fresh/content'));
  });

  test('is not managed where its folder is missing, and an empty folder says that there is none', async () => {
    await rm(at(content), { recursive: true });
    const missing = await done('plan', 'o');
    await mkdir(at(content));
    const empty = await home.run(['apply', 'o', '--yes']);

    expect(missing.stdout).toBe('');
    expect(empty.exitCode).toBe(6);
    expect(empty.stderr).toContain(`${content} is empty, so the space should have no pages.`);
    expect(empty.stderr).toContain('Too many removals: 10 of 10 pages of handbook (at most 1).');
  });

  test('of a space that is nowhere is a mistake', async () => {
    await write('o/spaces/nowhere/content/page.md', '# Page\n');
    const run = await home.run(['plan', 'o']);

    expect(run.exitCode).toBe(6);
    expect(run.stderr).toContain('o/spaces/nowhere/content: there is no space "nowhere"');
  });

  test('is not sent by somebody who may not merge it', async () => {
    await editMany();
    await done('members', 'edit', 'member000009', '--role', 'read');
    const instance = await openInstance({ file: home.database });
    const now = new Date(instance.now()).toISOString();
    const token = 'token-of-a-reader';
    await instance.store.write((db) => grantToken(db, { token, user: 'member000009', label: 'test', now }));
    await instance.close();
    const served = await serveHere(home.database);
    const env = { ...home.env, ...served.env, DOCSCTL_TOKEN: token };
    const run = await runHere({ dir: home.dir, env }, ['apply', 'o', '--only', 'content', '--yes', '--debug']);
    await served.stop();

    expect([run.exitCode, run.stderr]).toEqual([
      4,
      expect.stringContaining('permission denied: edit the content of handbook. Nothing was sent.'),
    ]);
    expect(run.stderr).not.toMatch(/^> (?:POST|PUT|PATCH|DELETE)/m);
  });

  test('uses no change request that an apply left when it was cut off', async () => {
    await editMany();
    await done('cr', 'create', '--space', 'Handbook', '--subject', `docsctl apply spaces/handbook/content`);
    await done('apply', 'o', '--yes');
    const { json } = await done('cr', 'list', '--space', 'Handbook', '--status', 'archived', '-o', 'json');

    expect(json).toMatchObject([{ subject: 'docsctl apply spaces/handbook/content' }]);
    expect((await done('plan', 'o')).stdout).toBe('');
  });
});

describe('with --keep-going', () => {
  const resultsOf = ({ json }: Awaited<ReturnType<typeof done>>) =>
    Object.fromEntries(
      json.map(({ kind, name, result, error }: Record<string, string>) => [
        `${kind} ${name}`,
        error === undefined ? result : `${result}: ${error}`,
      ]),
    );
  const writePage = (space: string) => write(`o/spaces/${space}/content/README.md`, `# Of ${space}\n`);

  test('a conflict fails the content of its space alone', async () => {
    await inApp(() => edit('app/glossary.md', (text) => `${text}\nIn the app.\n`));
    await edit(`${content}/glossary.md`, (text) => text.replace('Terms used in this handbook.', 'All words.'));
    await edit('o/spaces/handbook/space.yaml', (text) => text.replace(/^emoji: .*$/m, 'emoji: 🆕'));
    await write('o/spaces/fresh/space.yaml', 'title: Fresh\n');
    await writePage('fresh');
    const dry = await home.run(['apply', 'o', '--keep-going', '--dry-run']);
    const run = await home.run(['apply', 'o', '--yes', '--keep-going', '-o', 'json']);
    const alone = await home.run(['apply', 'o', '--yes', '--keep-going']);

    expect([dry.exitCode, dry.stdout]).toEqual([6, expect.stringContaining('! glossary.md')]);
    expect([run.exitCode, resultsOf(run)]).toEqual([
      8,
      {
        'space handbook': 'done',
        'space fresh': 'done',
        'content handbook': expect.stringMatching(
          /^failed: .*glossary\.md: "Glossary" was changed both in the folder and in the service$/,
        ),
        'content fresh': 'done',
      },
    ]);
    // Nothing but the conflict is left.
    expect([alone.exitCode, alone.stderr]).toEqual([
      6,
      expect.stringContaining('docsctl export o --only content/handbook --overwrite'),
    ]);
    expect((await done('content', 'pull', 'now', '--space', 'Handbook')).exitCode).toBe(0);
    expect(await textOf('now/glossary.md')).toContain('In the app.');
  });

  test('what is refused stops its content and its site, and the rest goes on', async () => {
    await editMany();
    for (const space of ['broken', 'fresh']) {
      await write(`o/spaces/${space}/space.yaml`, `title: ${space}\n`);
      await writePage(space);
    }
    await write('o/sites/news.yaml', 'title: News\nstructure: [{space: broken}, {space: fresh}]\n');
    await write('o/teams/poets.yaml', 'title: Poets\nmembers: {}\n');
    const served = await serveHere(home.database);
    const isRefused = (method: string, path: string, body: string) =>
      method === 'POST' &&
      ((path.endsWith('/spaces') && body.includes('broken')) || path.endsWith('/handbook0001/change-requests'));
    const proxy = await refusing(served.env.DOCSCTL_URL!, isRefused);
    const env = { ...home.env, ...served.env, DOCSCTL_URL: proxy.url };
    const apply = () => runHere({ dir: home.dir, env }, ['apply', 'o', '--yes', '--keep-going', '-o', 'json']);
    const run = await apply();
    proxy.stop();
    env.DOCSCTL_URL = served.env.DOCSCTL_URL!;
    const again = await apply();
    await served.stop();

    expect([run.exitCode, resultsOf(run)]).toEqual([
      8,
      {
        'team poets': 'done',
        'space broken': 'failed: Refused by the test.',
        'space fresh': 'done',
        'content handbook': 'failed: Refused by the test.',
        'content broken': 'not done: The space "broken" does not exist.',
        'content fresh': 'done',
        'site news': 'not done: The space "broken" does not exist.',
      },
    ]);
    expect([again.exitCode, Object.keys(resultsOf(again)).toSorted()]).toEqual([
      0,
      ['content broken', 'content handbook', 'site news', 'space broken'],
    ]);
    expect((await done('plan', 'o')).stdout).toBe('');
  });
});

describe('what somebody changed in the space', () => {
  test('is drift, and is taken back or left alone', async () => {
    await inApp(() => edit('app/glossary.md', (text) => `${text}\nIn the app.\n`));
    const drift = await home.run(['drift', 'o', '--only', 'spaces/handbook']);
    const kept = await done('apply', 'o', '--yes', '--keep-drift');
    await done('apply', 'o', '--yes');
    const again = await done('drift', 'o', '--only', 'spaces/handbook');

    expect(drift.exitCode).toBe(9);
    expect(drift.stdout).toBe('~ content handbook (changed in the service)\n    ~ glossary.md (lines +0 -2)\n');
    expect(kept.stderr).toContain('Kept with --keep-drift: 1 change made in the service.');
    expect(again.stdout).toBe('');
  });

  test('is a conflict where the page was changed in the folder, and merged with --keep-drift', async () => {
    await inApp(() => edit('app/glossary.md', (text) => `${text}\nIn the app.\n`));
    await edit(`${content}/glossary.md`, (text) => text.replace('Terms used in this handbook.', 'All words.'));
    const plan = await home.run(['plan', 'o', '--out', 'plan.json']);
    const refused = await home.run(['apply', 'o', '--yes', '--debug']);
    await done('apply', 'o', '--yes', '--keep-drift');
    const drift = await home.run(['drift', 'o', '--only', 'spaces/handbook']);
    await done('export', 'o', '--only', 'spaces/handbook');

    expect([plan.exitCode, plan.stdout]).toEqual([
      6,
      expect.stringContaining('! glossary.md (lines +1 -3; changed in the folder and in the service)'),
    ]);
    expect(await readdir(home.dir)).not.toContain('plan.json');
    expect(refused.exitCode).toBe(6);
    expect(refused.stderr).toContain(
      `${content}/glossary.md: "Glossary" was changed both in the folder and in the service`,
    );
    expect(refused.stderr).not.toMatch(/^> (?:POST|PUT|PATCH|DELETE)/m);
    expect(drift.stdout).toContain('~ glossary.md (lines +0 -2)');
    expect(await textOf(`${content}/glossary.md`)).toMatch(/^All words\.[^]*\nIn the app\.\n$/);
  });

  test('is a page that stays, and that --prune removes', async () => {
    await inApp(async () => {
      await write('app/extra.md', '# Extra\n');
      await edit('app/SUMMARY.md', (text) => `${text}- [Extra](extra.md)\n`);
      await rm(at('app/troubleshooting.md'));
      await edit('app/SUMMARY.md', (text) => text.replace(/^.*\(troubleshooting\.md\)\n/m, ''));
    });
    const plan = await done('plan', 'o');
    await done('apply', 'o', '--yes');
    const only = ['--prune', '--only', 'spaces/handbook'];
    const limited = await home.run(['apply', 'o', '--yes', ...only, '--max-removals', '0']);
    await done('apply', 'o', '--yes', ...only);
    await done('export', 'fresh', '--only', 'spaces/handbook');

    expect(plan.stdout).toContain('+ troubleshooting.md (Troubleshooting)');
    expect(plan.stderr).toContain('1 page (handbook: Extra). --prune removes them.');
    expect([limited.exitCode, limited.stderr]).toEqual([
      6,
      expect.stringContaining('1 of 11 pages of handbook (at most 0)'),
    ]);
    expect(await filesIn('fresh/spaces')).toEqual(await filesIn('o/spaces'));
  });

  test('that matches its folder is not read for a plan, in any clone, and pages that are kept are still named', async () => {
    const reads = ({ stderr }: { stderr: string }) =>
      /^> GET \S+\/spaces\/handbook0001\/(?:content|revisions)/m.test(stderr);
    const planned = (...words: string[]) => done('plan', ...words, '--debug', '--exit-code');
    await done('apply', 'o', '--yes');
    await cp(at('o'), at('exported'), { recursive: true });
    await rm(at('exported/docsctl.lock.json'));
    const exported = await planned('exported');
    await inApp(async () => {
      await write('app/extra.md', '# Extra\n');
      await edit('app/SUMMARY.md', (text) => `${text}- [Extra](extra.md)\n`);
    });
    await edit(`${content}/glossary.md`, (text) => `${text}\nMore.\n`);
    await done('apply', 'o', '--yes', '--only', 'spaces/handbook');
    await cp(at('o'), at('clone'), { recursive: true });
    await rm(at('clone/docsctl.lock.json'));

    const [own, clone] = [await planned('o'), await planned('clone')];
    const pruned = await home.run(['plan', 'clone', '--prune', '--only', 'content/handbook', '--exit-code']);
    await edit('clone/spaces/handbook/content/glossary.md', (text) => text.replace('More.', 'Less.'));
    const edited = await done('plan', 'clone');
    await inApp(() => edit('app/glossary.md', (text) => `${text}\nIn the app.\n`));
    const changed = await done('plan', 'o');

    expect([exported, own, clone].map(reads)).toEqual([false, false, false]);
    for (const { stderr } of [own, clone]) expect(stderr).toContain('1 page (handbook: Extra). --prune removes them.');
    expect([pruned.exitCode, pruned.stdout]).toEqual([9, expect.stringContaining('- extra (Extra)')]);
    expect(edited.stdout).toContain('~ glossary.md (lines +1 -1)');
    expect(changed.stdout).toContain('glossary.md');
  });

  test('stays a conflict when an export leaves the page of the folder', async () => {
    await inApp(() => edit('app/glossary.md', (text) => `${text}\nIn the app.\n`));
    await edit(`${content}/glossary.md`, (text) => `Here.\n\n${text}`);
    expect((await home.run(['export', 'o', '--only', 'spaces/handbook'])).exitCode).toBe(6);

    expect((await home.run(['plan', 'o'])).exitCode).toBe(6);
    await done('content', 'push', content, '--space', 'Handbook', '--overwrite', '--merge');
    expect((await done('drift', 'o', '--only', 'spaces/handbook')).stdout).toBe('');
  });
});

describe('a saved plan', () => {
  test('sends the pages that were reviewed, or nothing', async () => {
    await editMany();
    await done('plan', 'o', '--out', 'plan.json');
    await edit(`${content}/repairs.md`, (text) => `${text}\nMore.\n`);
    const otherFile = await home.run(['apply', 'plan.json', '--yes']);
    await edit(`${content}/repairs.md`, (text) => text.replace('\nMore.\n', ''));
    const lock = await textOf('o/docsctl.lock.json');
    const rehearsed = await done('rehearse', 'plan.json');
    expect(await textOf('o/docsctl.lock.json')).toBe(lock);
    await done('apply', 'plan.json', '--yes');
    await done('plan', 'o', '--exit-code');
    const sentAgain = await home.run(['apply', 'plan.json', '--yes']);

    expect([otherFile.exitCode, otherFile.stderr]).toEqual([
      6,
      expect.stringContaining(`Changed since the plan was made: ${content}/repairs.md. Nothing was sent.`),
    ]);
    expect(rehearsed.stdout).toContain('+ repairs (Repairs)');
    expect(rehearsed.stdout).toContain('1 link that breaks:\n  - handbook: maintenance: clean-the-housing.md');
    expect(await textOf('o/docsctl.lock.json')).not.toBe(lock);
    expect([sentAgain.exitCode, sentAgain.stderr]).toEqual([
      6,
      expect.stringContaining('Changed since the plan was made: content handbook.'),
    ]);
  });
});

describe('--only', () => {
  test('limits a plan, and refuses names that are nowhere and objects that are skipped', async () => {
    await editMany();
    await write('o/collections.yaml', 'collections: [{name: extra}]\n');
    await edit('o/spaces/handbook/space.yaml', (text) => text.replace(/^collection: .*$/m, 'collection: extra'));
    const content = await done('plan', 'o', '--only', 'content/handbook');
    const space = await home.run(['plan', 'o', '--only', 'spaces/handbook']);
    const unknown = await home.run(['plan', 'o', '--only', 'spaces/nowhere']);
    await done('apply', 'o', '--yes', '--only', 'content/handbook');

    expect(content.stdout).toMatch(/^~ content handbook\n/);
    expect([space.exitCode, space.stderr]).toEqual([
      6,
      expect.stringContaining('--only leaves out the collection "extra", which is needed and does not exist yet.'),
    ]);
    expect([unknown.exitCode, unknown.stderr]).toEqual([5, expect.stringContaining('there is no "nowhere" in spaces')]);
    expect((await done('plan', 'o')).stdout).toMatch(/^\+ collection extra\n(?!.*content)/s);
  });
});
