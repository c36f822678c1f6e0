import { expect, test } from 'vitest';
import { CommandError } from '../../src/cli/program/failure.ts';
import { Report } from '../../src/commands/doctor/report.ts';

test('the exit status of the report is that of the first failure', async () => {
  const report = new Report();
  report.ok('docsctl', '1.0');
  report.warn('environment', 'DOCSCTL_TOKEN', 'Set both.');
  expect(report.exitCode).toBeUndefined();

  await report.attempt('service', () => {
    throw new CommandError('No answer.', { exitCode: 7 });
  });
  report.fail('token', { message: 'Refused.', exitCode: 3 });

  expect(report.exitCode).toBe(7);
  expect(report.findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    'docsctl ok',
    'environment warn',
    'service fail',
    'token fail',
  ]);
});

test('a failure always has a hint: the advice of the check, its own, or how to see the request', async () => {
  const report = new Report();
  const failing = (hint?: string) => () => {
    throw new CommandError('It failed.', { hint });
  };
  await report.attempt('a', failing('Own.'), 'Advice.');
  await report.attempt('b', failing(), 'Advice.');
  await report.attempt('c', failing());

  expect(report.findings.map(({ hint }) => hint)).toEqual(['Advice.', 'Advice.', expect.stringContaining('--debug')]);
});

test('a check that succeeds gives its value, which may be undefined', async () => {
  const report = new Report();
  expect(await report.attempt('token', async () => undefined)).toEqual({ value: undefined });
  expect(report.findings).toEqual([]);
});
