import { expect } from 'vitest';
import type { Demo, DemoHome } from '../../support/shell.ts';
import { smallHome } from '../twin/small-organization.ts';

export const carl = ['--as', 'carl@lumen.example'];
export const dora = ['--as', 'dora@lumen.example'];
export const ada = ['--as', 'ada@lumen.example'];

/** A small organization with three administrators: the local one, Carl and Dora. Ada and Bob may comment. */
export async function proposingHome(demo: Demo) {
  const home = await smallHome(demo);
  const run = (...words: string[]): ReturnType<DemoHome['run']> => home.run(words);

  async function done(...words: string[]) {
    const result = await run(...words);
    expect(result.exitCode, `${words.join(' ')}: ${result.stderr}`).toBe(0);
    return result;
  }

  /** The error of a command that ends with this status. */
  async function refusal(exitCode: number, ...words: string[]): Promise<string> {
    const result = await run(...words);
    expect([result.exitCode, result.stderr], words.join(' ')).toEqual([exitCode, expect.stringContaining('error:')]);
    return result.stderr;
  }

  await done('invites', 'send', 'carl@lumen.example', 'dora@lumen.example', '--role', 'admin', '--yes');
  const text = async (...words: string[]) => (await done(...words)).stdout.trim();
  const orgId = await text('orgs', 'list', '-o', 'id');
  return {
    ...home,
    orgId,
    run,
    done,
    refusal,
    text,
    roleOf: (email: string) => text('members', 'list', '--filter', `user.email=${email}`, '--jq', '.[].role'),
    idOf: (email: string) => text('members', 'list', '--filter', `user.email=${email}`, '-o', 'id'),
    /** Proposes another role for Ada. */
    proposeRole: (role = 'read', ...more: string[]) =>
      done(
        'propose',
        '--title',
        'Ada',
        ...more,
        '-o',
        'json',
        '--',
        'members',
        'edit',
        'ada@lumen.example',
        '--role',
        role,
      ),
    view: async (name = '1') => (await done('proposals', 'view', name, '-o', 'json')).json,
    /** The space of the proposals. */
    proposalsSpace: () =>
      text('api', 'GET', `orgs/${orgId}/spaces`, '--jq', '.items[] | select(.title == "docsctl proposals") | .id'),
  };
}

export type ProposingHome = Awaited<ReturnType<typeof proposingHome>>;
