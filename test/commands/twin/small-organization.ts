import { rm } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Demo, DemoHome } from '../../support/shell.ts';

/** A home with an organization of three people: the levels of each member of the demo are a request for a twin. */
export async function smallHome(demo: Demo): Promise<DemoHome & { spaceId: string; adaId: string }> {
  const home = await demo.copy();
  await rm(home.database);
  const done = async (...words: string[]) => {
    const run = await home.run(words);
    expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
    return run.stdout.trim();
  };
  await done('init', '--db', home.database);
  await done('invites', 'send', 'ada@lumen.example', 'bob@lumen.example', '--role', 'comment');
  await done('teams', 'create', '--title', 'Writers');
  const spaceId = await done('spaces', 'create', '--title', 'Handbook', '-o', 'id');
  const guide = await done('spaces', 'create', '--title', 'Guide', '-o', 'id');
  const document = { markdown: `See [it](https://app.example), [there](/spaces/${spaceId}).\n` };
  const changes = [{ operation: 'insert_page', title: 'Start', document }];
  await done('api', 'POST', `spaces/${guide}/content`, '-F', `changes=${JSON.stringify(changes)}`);
  await done('cr', 'create', '--space', spaceId, '--subject', 'Draft');
  const adaId = await done('members', 'list', '--filter', 'user.email=ada@lumen.example', '-o', 'id');
  return { ...home, spaceId, adaId };
}
