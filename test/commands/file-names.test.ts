import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { json, serve } from '../client/support.ts';
import { test } from '../support/in-process.ts';

const files = (...names: string[]) =>
  serve((_, response) => json(response, { filesystem: Object.fromEntries(names.map((name) => [name, { name }])) }));

const download = ['openapi', 'download', 'pumps', '--org', 'lumen', '--out', 'here'];

test('what is not seen of the names of a service stands visibly in the names of files', async ({ home }) => {
  await using service = await files(
    'a\u001b]0;owned\u0007\u001b[2J.yaml',
    'invoice\u202elmay.exe',
    'zero\u200bwidth.yaml',
    'two\r\nlines.yaml',
    'c1\u009b31m.yaml',
    '/etc/../../passwd',
    'C:\\windows\\system.yaml',
    '.bashrc',
    'Pümpe 山.yaml',
  );

  const run = await home.docsctl(...download, { env: { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: 'a-token' } });

  expect(run.exitCode).toBe(0);
  expect((await readdir(join(home.dir, 'here'))).toSorted()).toEqual(
    [
      '%2Ebashrc',
      'Pümpe 山.yaml',
      'a%1B]0;owned%07%1B[2J.yaml',
      'c1%C2%9B31m.yaml',
      'invoice%E2%80%AElmay.exe',
      'passwd',
      'system.yaml',
      'two%0D%0Alines.yaml',
      'zero%E2%80%8Bwidth.yaml',
    ].toSorted(),
  );
  expect(run.stdout + run.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test.for([
  [['a/spec.yaml', 'b/Spec.yaml'], 'This version has two files named Spec.yaml. Nothing was written.'],
  [['spec.yaml', '..'], '".." is not a usable file name. Nothing was written.'],
  [['spec.yaml', 'x/'], '"x/" is not a usable file name. Nothing was written.'],
] as const)('names that cannot stand beside each other write nothing: %j', async ([names, message], { home }) => {
  await using service = await files(...names);

  const run = await home.docsctl(...download, { env: { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: 'a-token' } });

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain(`error: ${message}\n`);
  expect(await readdir(home.dir)).not.toContain('here');
});
