import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../support/in-process.ts';
import { writeFiles } from '../support/write-files.ts';

const operation = (id: string) =>
  `{ operationId: ${id}, summary: Get it, responses: { 200: { description: Fine }, 400: { description: No } } }`;
const pets = `openapi: 3.0.3
info: { title: Pets, version: "1", license: { name: MIT, url: https://a.test } }
servers: [{ url: https://internal.test }]
security: []
paths:
  /pets: { get: ${operation('pets')} }
  /internal: { x-internal: true, get: ${operation('internal')} }
`;
const overlay = (...actions: string[]) =>
  ['overlay: 1.0.0', 'info: { title: Public, version: "1" }', 'actions:', ...actions, ''].join('\n');
const removal = '  - { target: "$.paths[?@[\'x-internal\']]", remove: true }';

describe('--overlay', () => {
  test('of publish sends the description with the overlay, and compares it', async ({ docsctl, home }) => {
    await writeFiles(home.dir, { 'pets.yaml': pets, 'public.yaml': overlay(removal) });
    const publish = () =>
      docsctl('openapi', 'publish', 'pets.yaml', '--fail-on', 'breaking', '--overlay', 'public.yaml', '--wait');

    const first = await publish();
    const again = await publish();
    const sent = await docsctl('openapi', 'download', 'pets');
    await writeFiles(home.dir, {
      'public.yaml': overlay(removal, '  - { target: "$.paths[\'/pets\']", remove: true }'),
    });
    const breaking = await publish();

    expect(first.exitCode, first.stderr).toBe(0);
    expect(Object.keys(JSON.parse(sent.stdout).paths)).toEqual(['/pets']);
    expect(again.stderr).toContain('already published and unchanged');
    expect(breaking).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('path-removed') });
    expect(await readFile(join(home.dir, 'pets.yaml'), 'utf8')).toBe(pets);
  });

  test('of diff applies to both files, and not to the published version', async ({ docsctl, home }) => {
    await writeFiles(home.dir, {
      'pets.yaml': pets,
      'new.yaml': pets.replace(/^  .internal.*\n/m, ''),
      'public.yaml': overlay(removal),
    });
    const flag = ['--overlay', 'public.yaml'];
    await docsctl('openapi', 'publish', 'pets.yaml', ...flag, '--wait');

    const plain = await docsctl('openapi', 'diff', 'pets.yaml', 'new.yaml');
    const files = await docsctl('openapi', 'diff', 'pets.yaml', 'new.yaml', ...flag);
    const published = await docsctl('openapi', 'diff', 'pets', 'pets.yaml', ...flag);

    expect(plain.exitCode).toBe(9);
    expect(files).toMatchObject({ exitCode: 0, stdout: '' });
    expect(published).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('of validate reports places in the overlay', async ({ docsctl, home }) => {
    const wrong = '  - { target: "$.paths[\'/pets\'].get", update: { operationId: 1 } }';
    await writeFiles(home.dir, { 'pets.yaml': pets, 'public.yaml': overlay(wrong) });

    const run = await docsctl('openapi', 'validate', 'pets.yaml', '--overlay', 'public.yaml');

    expect(run).toMatchObject({ exitCode: 9, stdout: expect.stringMatching(/^public\.yaml:4:\d+ error /m) });
  });

  test('of check compares with the overlay of the merge base', async ({ docsctl, home }) => {
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@a.test', ...words], { cwd: home.dir });
    await writeFiles(home.dir, { 'pets.yaml': pets, 'public.yaml': overlay(removal) });
    git('init', '--quiet', '--initial-branch=main');
    git('add', 'pets.yaml', 'public.yaml');
    git('commit', '--quiet', '--message', 'Add');
    const check = () => docsctl('openapi', 'check', 'pets.yaml', '--base', 'main', '--overlay', 'public.yaml');

    const unchanged = await check();
    // It is not public, before or after.
    await writeFiles(home.dir, { 'pets.yaml': pets.replace(/^ {2}\/internal.*\n/m, '') });
    const internal = await check();
    await writeFiles(home.dir, {
      'pets.yaml': pets,
      'public.yaml': overlay(removal, '  - { target: "$.paths[\'/pets\']", remove: true }'),
    });
    const removed = await check();

    expect(unchanged).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('no change') });
    expect(internal).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 changed') });
    expect(removed).toMatchObject({ exitCode: 9, stdout: expect.stringContaining('path-removed') });
  });

  test.for([
    ['that is not there', 'none.yaml', '--overlay: none.yaml cannot be read'],
    ['that is none', 'pets.yaml', 'Cannot apply the overlay pets.yaml'],
    ['from standard input', '-', '--overlay cannot be standard input'],
  ])('%s is an error', async ([, file = '', message], { docsctl, home }) => {
    await writeFiles(home.dir, { 'pets.yaml': pets });

    const run = await docsctl('openapi', 'validate', 'pets.yaml', '--overlay', file);

    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message ?? '') });
  });

  test('a pattern that takes too long is reported', async ({ docsctl, home }) => {
    const slow = '  - { target: "$.info[?match(@, \'(a*)*b\')]", remove: true }';
    const title = 'a'.repeat(50);
    await writeFiles(home.dir, {
      'pets.yaml': pets.replace('title: Pets', `title: ${title}`),
      'o.yaml': overlay(slow),
    });

    const run = await docsctl('openapi', 'validate', 'pets.yaml', '--overlay', 'o.yaml');

    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('takes too long') });
  });
});
