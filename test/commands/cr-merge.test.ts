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
        ...['api', 'POST', `spaces/${id}/content?compat=false`, '--jq', '.changes[0].page.id', '-F'],
        `changes=${JSON.stringify([{ operation: 'insert_page', title, document: { markdown: text } }])}`,
      );
      return JSON.parse(run.stdout.startsWith('"') ? run.stdout : JSON.stringify(run.stdout.trim()));
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
