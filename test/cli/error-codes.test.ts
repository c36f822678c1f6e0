import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HttpError } from '../../src/client/errors/http-error.ts';
import { NetworkError } from '../../src/client/errors/network-error.ts';
import { TimedOut } from '../../src/client/errors/timed-out.ts';
import { UnexpectedResponse } from '../../src/client/errors/unexpected-response.ts';
import { CommandError, exit, failureOf, UsageError } from '../../src/cli/program/failure.ts';
import { reasons } from '../../src/contract/errors.ts';
import { EngineError } from '../../src/shared/engine-error.ts';
import { errorCodes } from '../../src/shared/error-codes.ts';
import { root } from '../support/cli.ts';
import { sharedDemo } from '../support/shell.ts';
import { wordsOf } from '../support/tree.ts';

const { home } = await sharedDemo();

const groupOf = (code: string) => Object.entries(errorCodes).find(([, codes]) => code in codes)?.[0];
const exitOf = (code: string) => exit[groupOf(code) as keyof typeof errorCodes];

test('each code belongs to one exit status', () => {
  const codes = Object.values(errorCodes).flatMap((group) => Object.keys(group));

  expect(new Set(codes).size).toBe(codes.length);
});

test('each reason of the service is a code of its exit status', () => {
  for (const [reason, status] of Object.entries(reasons)) {
    const { code, exitCode } = failureOf(new HttpError({ status, reason: reason as 'forbidden', message: 'No.' }));
    expect({ reason, code, exit: exitOf(code) }).toEqual({ reason, code: reason, exit: exitCode });
  }
});

test.for([
  ...[400, 401, 403, 404, 405, 408, 409, 418, 429, 500, 502, 503, 599].map(
    (status) => new HttpError({ status, message: 'No.' }),
  ),
  new HttpError({ status: 409, reason: 'of-another-service' as 'forbidden', message: 'No.' }),
  new NetworkError('No answer.', { code: 'ECONNRESET' }),
  new TimedOut('answer', 1, 'https://docs.example'),
  new UnexpectedResponse('No list.'),
  ...Object.values(exit)
    .filter((status) => status !== exit.done && status !== exit.terminated)
    .map((exitCode) => new CommandError('No.', { exitCode })),
  ...(['failed', 'usage', 'forbidden', 'notFound', 'refused', 'unreachable', 'someFailed', 'checkFailed'] as const).map(
    (kind) => new EngineError(kind, 'No.'),
  ),
  new UsageError('No.'),
  new TypeError('x is not a function'),
  Object.assign(new Error('no such file'), { code: 'ENOENT' }),
  Object.assign(new Error('Of a library.'), { code: 'library-code' }),
  Object.assign(new Error('Interrupted.'), { name: 'AbortError' }),
])('the code of an error fits its exit status: %s', (error) => {
  const { code, exitCode } = failureOf(error);

  expect({ code, exit: exitOf(code) }).toEqual({ code, exit: exitCode });
});

describe('as JSON', async () => {
  const page = await readFile(join(root, 'docs', 'errors.md'), 'utf8');
  const golden = await readFile(join(root, 'test', 'golden', 'errors.txt'), 'utf8');
  const lines = [...golden.matchAll(/^\$ docsctl (.*)$/gm)].map(([, line]) => line!);

  test('there are lines to try', () => expect(lines.length).toBeGreaterThan(15));

  test.for(lines)('docsctl %s', async (line) => {
    const { stderr, exitCode } = await home.run([...wordsOf(line)!, '-o', 'json']);
    const errors = stderr.split('\n').filter((each) => each.startsWith('{"error":'));

    expect(errors.length).toBeGreaterThan(0);
    for (const text of errors) {
      const { error } = JSON.parse(text);
      expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String), hint: expect.any(String) });
      expect(error.docs).toBe(`docs/errors.md#${error.code}`);
      expect(page).toContain(`\n### ${error.code}\n`);
    }
    const { error } = JSON.parse(errors.at(-1)!);
    expect({ code: error.code, exit: exitOf(error.code) }).toEqual({ code: error.code, exit: exitCode });
  });

  test.for([
    { line: 'members list --limt 3', code: 'unknown-option' },
    { line: 'membrs list', code: 'unknown-command' },
    { line: 'members list --role', code: 'missing-value' },
    { line: 'members list --limit few', code: 'invalid-value' },
    { line: 'members list --role boss', code: 'invalid-value' },
    { line: 'members list extra words', code: 'too-many-arguments' },
    { line: 'members list --profile nobody', code: 'unknown-profile' },
    { line: 'members list --url ftp://docs.example', code: 'invalid-address' },
    { line: 'members list --url http://127.0.0.1:9', code: 'no-token' },
    { line: 'members list --token secret', code: 'token-on-command-line' },
    { line: 'members remove member000004', code: 'not-confirmed' },
    { line: 'members view nobody', code: 'not-found' },
    { line: 'teams view', code: 'missing-value' },
    { line: 'content pages list', code: 'no-scope' },
  ])('$code: docsctl $line', async ({ line, code }) => {
    const { stderr, stdout } = await home.run([...line.split(' '), '-o', 'json']);

    expect(stdout).toBe('');
    expect(JSON.parse(stderr).error).toMatchObject({ code, docs: `docs/errors.md#${code}` });
  });
});
