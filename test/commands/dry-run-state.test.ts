import { expect, test } from 'vitest';
import { sharedDemo } from '../support/shell.ts';

const { demo } = await sharedDemo();

const position = (side: string, pointer: object) => JSON.stringify({ position: { [side]: pointer } });
const space = (id: string) => ({ type: 'space', space: id });

/** Calls that the state of the organization does not allow, and their status. */
const refused: [words: string, data: string, status: number][] = [
  ['collections edit products0001', '{"title":"a\\u0000b"}', 6],
  ['spaces edit nowhere00001', '{"title":"a\\ud800b"}', 6],
  ['spaces move handbook0001 --parent products0001', position('before', space('playbook0001')), 6],
  ['spaces move handbook0001', position('after', space('handbook0001')), 6],
  ['collections move products0001', '{"parent":"products0001"}', 6],
  ['sites spaces remove sitespace003 --site lumensite001', '', 6],
  [
    'sites spaces move sitespace003 --site lumensite001',
    position('before', { type: 'site-space', siteSpace: 'sitespace004' }),
    6,
  ],
  [
    'sites section-groups move learngroup01 --site lumensite001',
    position('before', { type: 'site-section', id: 'none' }),
    6,
  ],
  ['sites section-groups remove learngroup01 reference001 --site lumensite001', '', 5],
  ['sites sections move guides000001 --after guides000001 --site lumensite001', '', 6],
  ['invites links edit invite000001', '{"level":"read"}', 6],
  ['invites links edit invite000002', '{"role":"read"}', 6],
];

/** Calls close to those that are allowed. */
const allowed: [words: string, data?: string][] = [
  ['spaces move apiguides001', position('after', space('releasenotes'))],
  [
    'sites section-groups move learngroup01 --site lumensite001',
    position('after', { type: 'site-section', id: 'reference001' }),
  ],
  ['sites sections move guides000001 --after reference001 --site lumensite001'],
  ['sites section-groups remove learngroup01 starthere001 --site lumensite001'],
  ['invites links edit invite000001', '{"role":"read"}'],
];

test.each([...refused, ...allowed.map(([words, data = '']) => [words, data, 0] as const)])(
  '%s %s: a dry run and the real run end with %i',
  async (words, data, status) => {
    const home = await demo.copy();
    const line = [...words.split(' '), ...(data === '' ? [] : ['--data', data]), '--yes'];
    const dry = await home.run([...line, '--dry-run']);
    const real = await home.run(line);

    expect([dry.exitCode, real.exitCode], `${dry.stderr}\n${real.stderr}`).toEqual([status, status]);
    if (status > 0) expect(dry.stderr.split('\n')[0]).toBe(real.stderr.split('\n')[0]);
  },
);
