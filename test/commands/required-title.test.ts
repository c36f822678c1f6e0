import { expect } from 'vitest';
import { test } from '../support/in-process.ts';

test.for(['spaces', 'sites'])('%s create needs a title without a terminal', async (group, { docsctl }) => {
  const count = async () => (await docsctl(group, 'list', '-o', 'id')).stdout;
  const before = await count();

  for (const words of [[], ['--dry-run']]) {
    const run = await docsctl(group, 'create', ...words);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toBe(
      `error: --title is missing.\nhint: For example: docsctl ${group} create --title "Pump manual"\n`,
    );
  }
  expect(await count()).toBe(before);
  expect((await docsctl(group, 'create', '--data', '{"title":"Given"}', '--json')).json.title).toBe('Given');
});
