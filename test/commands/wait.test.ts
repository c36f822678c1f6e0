import { execa } from 'execa';
import { expect } from 'vitest';
import { bin } from '../support/cli.ts';
import { type InProcessHome, test as base } from '../support/in-process.ts';

const test = base.extend<{ request: { space: string; id: string; wait: InProcessHome['docsctl'] } }>({
  request: async ({ docsctl }, use) => {
    const space = (await docsctl('spaces', 'create', '--title', 'A', '-o', 'id')).stdout.trim();
    const id = (await docsctl('cr', 'create', '--space', space, '-o', 'id')).stdout.trim();
    await use({ space, id, wait: (...words) => docsctl('wait', 'cr', id, '--space', space, ...words) });
  },
});

test('a change request is waited for until it has the status, or cannot get it any more', async ({
  docsctl,
  request,
}) => {
  const { wait, id, space } = request;
  const late = await wait('--until', 'open', '--within', '1');
  await docsctl('cr', 'open', id, '--space', space);
  const open = await wait('--until', 'open', '-o', 'json');
  await docsctl('cr', 'archive', id, '--space', space);
  const never = await wait('--until', 'merged');

  expect(late).toMatchObject({ exitCode: 7, stderr: expect.stringContaining(`After 1 s: cr ${id} is draft.`) });
  expect(open.json).toEqual({ resource: 'cr', id, state: 'open' });
  expect((await wait()).exitCode).toBe(0);
  expect(never).toMatchObject({ exitCode: 9, stderr: expect.stringContaining(`cr ${id} is archived.`) });
});

test('an import is waited for until the revision is another one', async ({ docsctl, request: { space } }) => {
  const before = (await docsctl('spaces', 'view', space, '--jq', '.revision')).stdout.trim();
  const same = await docsctl('wait', 'import', space, '--since', before, '--within', '1s');
  const other = await docsctl('wait', 'import', space, '--since', 'none');

  expect(same.exitCode).toBe(7);
  expect(other).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(before) });
});

test.for([
  [['imports'], 'Did you mean "import"?'],
  [['openapi'], '<id> is missing.'],
  [['openapi', 'x', '--until', 'open'], '--until is not about "openapi".'],
  [['cr', '1', '--since', 'x'], '--since is not about "cr".'],
  [['cr', '1', '--within', 'soon'], '--within: "soon" is not a time.'],
] as const)('wait %j is refused', async ([words, message], { docsctl }) => {
  const run = await docsctl('wait', ...words);

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(message);
});

test('--watch prints again what has changed, until it is interrupted', async ({
  home,
  docsctl,
  request: { space, id },
}) => {
  const words = ['cr', 'view', id, '--space', space, '--jq', '.status', '--watch'];
  const child = execa(process.execPath, [bin, ...words], {
    cwd: home.dir,
    env: home.env,
    extendEnv: false,
    reject: false,
  });
  const states: string[] = [];
  child.stdout.on('data', async (chunk: Buffer) => {
    states.push(chunk.toString().trim());
    if (states.length === 1) await docsctl('cr', 'open', id, '--space', space);
    else child.kill('SIGINT');
  });
  const { exitCode } = await child;

  expect({ exitCode, states }).toEqual({ exitCode: 130, states: ['draft', 'open'] });
  expect((await docsctl('spaces', 'list', '--watch', '--dry-run')).stderr).toContain('--watch and --dry-run');
});
