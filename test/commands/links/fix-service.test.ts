import { expect } from 'vitest';
import { test } from '../../support/in-process.ts';
import { writeFiles } from '../../support/write-files.ts';

const app = 'https://app.lumen.example/o/org/s';

test('links check --all-spaces --fix sends the certain fixes in one change request for each space', async ({
  docsctl,
  home,
}) => {
  const make = async (title: string) => (await docsctl('spaces', 'create', '--title', title, '-o', 'id')).stdout.trim();
  const [one, two] = [await make('One'), await make('Two')];
  const link = `${app}/${two}/install`;
  await writeFiles(home.dir, {
    'one/README.md': `# One\n\n[moved](${link}) [heading](${app}/${two}/other#Some_Steps) [gone](${app}/${two}/gone)\n`,
    'one/.gitbook/includes/part.md': `[moved](${link})\n`,
    'two/README.md': '# Two\n\n[own](other.md#Some-Steps)\n',
    'two/install.md': '# Install\n',
    'two/other.md': '# Other\n\n## Some steps\n',
  });
  for (const [folder, space] of [
    ['one', one],
    ['two', two],
  ] as const) {
    expect((await docsctl('content', 'push', folder, '--merge', '--space', space)).exitCode).toBe(0);
  }
  const pages = (await docsctl('content', 'pages', 'list', '--space', two, '-o', 'json')).json as {
    id: string;
    path: string;
  }[];
  const [install, other] = ['install', 'other'].map((name) => pages.find(({ path }) => path === name)!.id);
  const changes = JSON.stringify([{ operation: 'update_page', page: install, slug: 'set-up' }]);
  await docsctl('cr', 'create', '--subject', 'Rename', '--space', two);
  expect(
    (await docsctl('api', 'POST', `/v1/spaces/${two}/change-requests/2/content`, '-F', `changes=${changes}`)).exitCode,
  ).toBe(0);
  expect((await docsctl('cr', 'merge', '2', '--open', '--space', two)).exitCode).toBe(0);
  const check = (...words: string[]) => docsctl('links', 'check', '--all-spaces', '--format', 'json', ...words);
  const rulesOf = (findings: { subject: string; url?: string }[]) =>
    findings.flatMap(({ subject, url }) =>
      /^(?:One|Two): /.test(subject) && url !== undefined ? [`${subject} ${url.replace(app, '')}`] : [],
    );
  const requests = async (space: string) =>
    (await docsctl('cr', 'list', '--space', space, '--status', 'draft', '-o', 'json')).json as {
      number: number;
      subject: string;
    }[];

  const before = await check();
  const dry = await check('--fix', '--dry-run');
  const none = [...(await requests(one)), ...(await requests(two))];
  const fixed = await check('--fix');
  const again = await check('--fix');
  const sent = [...(await requests(one)), ...(await requests(two))];
  for (const [space, { number }] of [
    [one, sent[0]!],
    [two, sent[1]!],
  ] as const) {
    expect((await docsctl('cr', 'merge', String(number), '--open', '--space', space)).exitCode).toBe(0);
  }
  const after = await check();

  const left = [`One: .gitbook/includes/part.md /${two}/install`, `One: readme /${two}/gone`];
  expect(before.exitCode).toBe(9);
  expect(rulesOf(before.json).toSorted()).toEqual(
    [
      ...left,
      `One: readme /${two}/install`,
      `One: readme /${two}/other#Some_Steps`,
      `Two: readme /pages/${other}#Some-Steps`,
    ].toSorted(),
  );
  expect(none).toEqual([]);
  expect(dry.stderr).toContain(`Would fix One: readme:3: ${link} -> ${app}/${two}/set-up`);
  for (const run of [fixed, again]) {
    expect(run.exitCode).toBe(8);
    expect(rulesOf(run.json).toSorted()).toEqual(left.toSorted());
    expect(run.stderr).toContain('One: 1 page in change request #');
    expect(run.stderr).toContain('the API cannot change a reusable text, which is a file.');
  }
  expect(sent.map(({ subject }) => subject)).toEqual(['Fix links', 'Fix links']);
  expect(rulesOf(after.json).toSorted()).toEqual(left.toSorted());
});
