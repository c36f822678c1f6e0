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
  const view = async (name = '1') => (await done('proposals', 'view', name, '-o', 'json')).json;
  const proposalsSpace = () =>
    text('api', 'GET', `orgs/${orgId}/spaces`, '--jq', '.items[] | select(.title == "docsctl proposals") | .id');
  /** The path of the change request of a proposal. */
  const requestPath = async (name = '1') => `spaces/${await proposalsSpace()}/change-requests/${(await view(name)).id}`;

  /** A page of a proposal: its ID and text. */
  async function page(path: string, title: string): Promise<{ id: string; markdown: string }> {
    const { pages } = (await done('api', 'GET', `${path}/content/pages`)).json;
    const { id } = pages.find((each: { title: string }) => each.title === title);
    const { markdown } = (await done('api', 'GET', `${path}/content/page/${id}?format=markdown`)).json;
    return { id, markdown: String(markdown) };
  }

  return {
    ...home,
    orgId,
    run,
    done,
    refusal,
    text,
    view,
    proposalsSpace,
    requestPath,
    page,
    /** Edits a page of a proposal as somebody. */
    async edit(path: string, { as, title }: { as: string[]; title: string }, change: (text: string) => string) {
      const { id, markdown } = await page(path, title);
      const changes = [{ operation: 'update_page', page: id, document: { markdown: change(markdown) } }];
      await done('api', 'POST', `${path}/content`, '-F', `changes=${JSON.stringify(changes)}`, ...as);
    },
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
  };
}

export type ProposingHome = Awaited<ReturnType<typeof proposingHome>>;
