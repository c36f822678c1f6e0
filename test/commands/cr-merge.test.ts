import { expect } from 'vitest';
import type { Docsctl, Run } from '../support/cli.ts';
import { type InProcessHome, test as base } from '../support/in-process.ts';
import { initialize } from '../support/prepared.ts';

interface Space {
  docsctl: Docsctl;
  spawn: Docsctl;
  home: InProcessHome;
  /** A page of main content. @returns its id */
  page(title: string, text: string): Promise<string>;
  /** Changes main content, or a request. */
  change(changes: object[], request?: number): Promise<Run>;
  /** A request that is open. @returns its number */
  request(): Promise<number>;
  status(request: number): Promise<string>;
}

const test = base.extend<{ space: Space }>({
  space: async ({ home }, use) => use(await spaceIn(home)),
});

async function spaceIn(home: InProcessHome): Promise<Space> {
  await initialize(home);
  const id = (await home.docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout.trim();
  home.env.DOCSCTL_SPACE = id;
  const { docsctl } = home;
  const change: Space['change'] = (changes, request) => {
    const where = request === undefined ? '' : `/change-requests/${request}`;
    return docsctl('api', 'POST', `spaces/${id}${where}/content`, '-F', `changes=${JSON.stringify(changes)}`);
  };
  return {
    docsctl,
    spawn: home.spawn,
    home,
    change,
    async page(title, text) {
      const run = await docsctl(
        'api',
        'POST',
        `spaces/${id}/content?compat=false`,
        '-F',
        `changes=${JSON.stringify([{ operation: 'insert_page', title, document: { markdown: text } }])}`,
      );
      return run.json.changes[0].page.id;
    },
    request: async () => (await docsctl('cr', 'create', '--subject', 'Mine', '--open', '--json')).json.number,
    status: async (request) => (await docsctl('cr', 'view', `${request}`, '--json')).json.status,
  };
}

const text = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } });

/** A request that changed the same line and the same title as main content, and a page that main content deleted. */
async function conflicting({ page, request, change }: Space) {
  const pump = await page('Pump', 'One.\n\nTwo.\n');
  const valve = await page('Valve', 'Open it.\n');
  const cr = await request();
  await change([text(pump, 'One.\n\nTwo, mine.\n'), { operation: 'update_page', page: pump, title: 'Mine' }], cr);
  await change([text(valve, 'Close it.\n')], cr);
  await change([text(pump, 'One.\n\nTwo, theirs.\n'), { operation: 'update_page', page: pump, title: 'Theirs' }]);
  await change([{ operation: 'delete_page', page: valve }]);
  return { cr, pump, valve };
}

test.for(['merge', 'update'])(
  'cr %s shows both sides and the common ancestor of each conflict',
  async (verb, { space }) => {
    const { cr, pump, valve } = await conflicting(space);

    const run = await space.docsctl('cr', verb, `${cr}`);

    expect(run).toMatchObject({ exitCode: 6, stdout: '' });
    expect(run.stderr).toContain(`conflicts with the main content on 2 pages; nothing was changed.`);
    expect(run.stderr).toContain(
      [
        `  Theirs (${pump}): metadata, title`,
        '    title in common ancestor: "Pump"',
        '    title in main content: "Theirs"',
        '    title in change request: "Mine"',
      ].join('\n'),
    );
    expect(run.stderr).toContain(
      [
        `  Theirs (${pump}): content, line 3`,
        '',
        '<<<<<<< main content',
        'Two, theirs.',
        '||||||| common ancestor, line 3',
        'Two.',
        '=======',
        'Two, mine.',
        `>>>>>>> change request ${cr}`,
        '',
      ].join('\n'),
    );
    expect(run.stderr).toContain(`  Valve (${valve}): deleted, deleted in main content\n`);
    expect(run.stderr).toContain(`docsctl cr diff ${cr} --page ${valve}`);
  },
);

test('with -o json the error of a conflict has each version', async ({ space }) => {
  const { cr, pump, valve } = await conflicting(space);

  const run = await space.docsctl('cr', 'merge', `${cr}`, '-o', 'json');

  expect(run).toMatchObject({ exitCode: 6, stdout: '' });
  const { error } = JSON.parse(run.stderr);
  expect(error.message).not.toContain('<<<<<<<');
  expect(error.conflicts).toEqual([
    {
      page: pump,
      title: 'Theirs',
      kind: 'metadata',
      members: [{ member: 'title', base: 'Pump', main: 'Theirs', changeRequest: 'Mine' }],
    },
    {
      page: pump,
      title: 'Theirs',
      kind: 'content',
      hunks: [{ line: 3, base: 'Two.\n', main: 'Two, theirs.\n', changeRequest: 'Two, mine.\n' }],
    },
    { page: valve, title: 'Valve', kind: 'deleted', deletedIn: 'main' },
  ]);
});

test('--require names all conditions that do not hold, and merges nothing', async ({ space }) => {
  const { cr } = await conflicting(space);
  await space.change([{ operation: 'insert_page', title: 'New', document: { markdown: '[gone](gone.md)\n' } }], cr);
  await space.docsctl('comments', 'create', '--cr', `${cr}`, '--body', 'Wait.');
  const words = ['--require', 'no-open-comments,no-broken-links', '--require', 'no-conflicts,up-to-date'];

  const run = await space.docsctl('cr', 'merge', `${cr}`, ...words);
  const json = await space.docsctl('cr', 'merge', `${cr}`, ...words, '-o', 'json');
  const dry = await space.docsctl('cr', 'merge', `${cr}`, ...words, '--dry-run');

  expect(run).toMatchObject({ exitCode: 9, stdout: '' });
  expect(run.stderr).toContain(
    `Change request #${cr} does not meet 4 of 4 required conditions; nothing was merged.\n  no-open-comments: 1 comment is open; see "docsctl comments list --cr ${cr} --status open".\n  no-broken-links: 1 link is broken, 1 of them because of this request; see "docsctl cr links ${cr} --status broken".\n      gone.md on `,
  );
  expect(run.stderr).toMatch(/^ {2}no-conflicts: main content changed the same places of 2 pages\.$/m);
  expect(run.stderr).toMatch(
    /^ {2}up-to-date: main content has changed since; update the request with "docsctl cr update \d+"/m,
  );
  const { error } = JSON.parse(json.stderr);
  expect(error.unmet.map(({ condition }: { condition: string }) => condition)).toEqual([
    'no-open-comments',
    'no-broken-links',
    'no-conflicts',
    'up-to-date',
  ]);
  expect(error.unmet[2].conflicts[1].hunks).toEqual([
    { line: 3, base: 'Two.\n', main: 'Two, theirs.\n', changeRequest: 'Two, mine.\n' },
  ]);
  expect([dry.exitCode, dry.stdout, dry.stderr]).toEqual([9, '', run.stderr]);
  expect(await space.status(cr)).toBe('open');
});

test('--require merges where all holds, also after an update that --update does', async ({ space }) => {
  await space.page('Pump', 'One.\n');
  const cr = await space.request();
  await space.page('Valve', 'Open it.\n');
  const all = ['--require', 'no-open-comments,no-broken-links,no-conflicts,up-to-date'];

  const outdated = await space.docsctl('cr', 'merge', `${cr}`, ...all);
  const updated = await space.docsctl('cr', 'merge', `${cr}`, ...all, '--update', '--json');

  expect(outdated.exitCode).toBe(9);
  expect(outdated.stderr).toContain('does not meet 1 of 4 required conditions');
  expect(updated.json).toMatchObject({ result: 'merge' });
});

test('a link that an update breaks is found before the merge', async ({ space }) => {
  const valve = await space.page('Valve', 'Open it.\n');
  const cr = await space.request();
  await space.change([{ operation: 'insert_page', title: 'New', document: { markdown: '[valve](valve.md)\n' } }], cr);
  await space.change([{ operation: 'delete_page', page: valve }]);

  const run = await space.docsctl('cr', 'merge', `${cr}`, '--update', '--require', 'no-broken-links');

  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('no-broken-links: 1 link is broken');
  expect(await space.status(cr)).toBe('open');
});

test('an unknown condition is a wrong usage that lists the conditions', async ({ space }) => {
  const run = await space.docsctl('cr', 'merge', '1', '--require', 'no-comments');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('no-open-comments, no-broken-links, no-new-broken-links, no-conflicts, up-to-date');
});

test.for(['merge', 'update'])(
  'a dry run of cr %s finds the conflicts that the real run has',
  async (verb, { space }) => {
    const pairs = await everyPair(space);
    const cr = await space.request();
    for (const side of ['main', 'request'] as const) {
      const changes = pairs.flatMap((pair) => changesOf(pair[side], pair, side));
      expect(await space.change(changes, side === 'main' ? undefined : cr)).toMatchObject({ exitCode: 0 });
    }

    const dry = await space.docsctl('cr', verb, `${cr}`, '--dry-run', '-o', 'json');
    const real = await space.docsctl('cr', verb, `${cr}`, '-o', 'json');

    expect([dry.exitCode, real.exitCode]).toEqual([6, 6]);
    type Listed = { page: string; kind: string };
    const [inDryRun = [], inRealRun = []] = [dry, real].map(({ stderr }) =>
      (JSON.parse(stderr).error.conflicts as Listed[]).toSorted((one, other) =>
        one.page + one.kind < other.page + other.kind ? -1 : 1,
      ),
    );
    expect(inRealRun.length).toBeGreaterThan(10);
    expect(inDryRun).toEqual(inRealRun);
  },
);

test('a dry run of cr update prints the request where both sides go together, and says what it cannot check', async ({
  space,
}) => {
  const pump = await space.page('Pump', 'One.\n\nTwo.\n\nThree.\n');
  const cr = await space.request();
  await space.change([text(pump, 'One, mine.\n\nTwo.\n\nThree.\n')], cr);
  await space.change([text(pump, 'One.\n\nTwo.\n\nThree, theirs.\n')]);

  const dry = await space.docsctl('cr', 'update', `${cr}`, '--dry-run');
  const real = await space.docsctl('cr', 'update', `${cr}`);
  const again = await space.docsctl('cr', 'update', `${cr}`, '--dry-run');

  expect(dry).toMatchObject({ exitCode: 0, stderr: '' });
  expect(dry.stdout).toMatch(/^POST \S+\/update\n/);
  expect(real).toMatchObject({ exitCode: 0 });
  expect(again).toMatchObject({ exitCode: 0, stderr: '' });
});

const edits = ['nothing', 'text', 'title', 'into a', 'into b', 'delete'] as const;
type Edit = (typeof edits)[number];
interface Pair {
  main: Edit;
  request: Edit;
  /** The page that both sides edit, and two that it can be moved into. */
  page: string;
  a: string;
  b: string;
}

/** A page for each pair of an edit in main content and one in a request. */
async function everyPair({ docsctl, home }: Space): Promise<Pair[]> {
  const pairs = edits.flatMap((main) => edits.map((request) => ({ main, request })));
  const document = { markdown: 'One.\n\nTwo.\n' };
  const changes = pairs.flatMap((_, index) =>
    ['page', 'a', 'b'].map((kind) => ({ operation: 'insert_page', title: `${kind} ${index}`, document })),
  );
  const pages: string[] = [];
  for (let from = 0; from < changes.length; from += 50) {
    const { json } = await docsctl(
      'api',
      'POST',
      `spaces/${home.env.DOCSCTL_SPACE}/content?compat=false`,
      '-F',
      `changes=${JSON.stringify(changes.slice(from, from + 50))}`,
    );
    pages.push(...json.changes.map(({ page }: { page: { id: string } }) => page.id));
  }
  return pairs.map((pair, index) => {
    const [page = '', a = '', b = ''] = pages.slice(3 * index);
    return { ...pair, page, a, b };
  });
}

// Each side writes other words: equal ones would be no difference.
function changesOf(edit: Edit, { page, a, b }: Pick<Pair, 'page' | 'a' | 'b'>, side: string): object[] {
  switch (edit) {
    case 'nothing':
      return [];
    case 'text':
      return [text(page, `One.\n\nBy ${side}.\n`)];
    case 'title':
      return [{ operation: 'update_page', page, title: `Title by ${side}` }];
    case 'into a':
      return [{ operation: 'update_page', page, into: a }];
    case 'into b':
      return [{ operation: 'update_page', page, into: b }];
    case 'delete':
      return [{ operation: 'delete_page', page }];
  }
}
