import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../support/cli.ts';
import { listen } from '../support/service.ts';
import { openShell, type ShellName } from './shell.ts';

/** What is typed, and what the line says after the tabulator. */
const completed: [string, string][] = [
  ['docsctl memb', 'docsctl members'],
  ['docsctl members li', 'docsctl members list'],
  ['docsctl members list --prof', 'docsctl members list --profile'],
  ['docsctl members list -o ya', 'docsctl members list -o yaml'],
  ['docsctl members list --output=ya', 'docsctl members list --output=yaml'],
  ['docsctl cr list --columns=id,subj', 'docsctl cr list --columns=id,subject'],
  ['docsctl --profile loc', 'docsctl --profile local'],
  ['docsctl cr view --space handbook0001 pump', 'docsctl cr view --space handbook0001 pumpchange01'],
  ['docsctl members list --search "two words" --prof', 'docsctl members list --search "two words" --profile'],
  ['docsctl orgs by-domain a@b.c:d=e --prof', 'docsctl orgs by-domain a@b.c:d=e --profile'],
  ['docsctl invites send --from peo', 'docsctl invites send --from people\\ list.csv'],
  ['docsctl invites send --from=peo', 'docsctl invites send --from=people\\ list.csv'],
  ['docsctl openapi publish pet', 'docsctl openapi publish petstore.yaml'],
  ['docsctl orgs create --data @pet', 'docsctl orgs create --data @petstore.yaml'],
  ['docsctl orgs create --data=@peo', 'docsctl orgs create --data=@people\\ list.csv'],
  ['docsctl api POST orgs -F logo=@pet', 'docsctl api POST orgs -F logo=@petstore.yaml'],
  ['docsctl openapi publish "people l', 'docsctl openapi publish "people list.csv'],
  ['docsctl teams members update x --role member000001=ow', 'docsctl teams members update x --role member000001=owner'],
  ['docsctl fields values set --space handbook0001 aud', 'docsctl fields values set --space handbook0001 audience='],
  ['docsctl open space hand', 'docsctl open space handbook0001'],
  ['docsctl content push doc', 'docsctl content push docs\\ folder/'],
];

/** Titles with spaces and characters that a shell interprets, and how many letters of them are typed. */
const title = 'Tom\'s "best" $HOME `x` \\ pump';
const quoted: [string, string][] = [
  ['"Getting st', 'Getting started'],
  ["'Getting st", 'Getting started'],
  ['Getting\\ st', 'Getting started'],
  ['"Tom\'s', title],
  ["'Tom", title],
  ['Tom', title],
];

/** What the service calls things, to see what a shell makes of it. */
const hostile = `$(touch pwned) \`touch pwned\`; touch pwned | touch pwned & "' \\ %n \u001b[31m\u0007\n\ttouch pwned`;
const hostileIds = [
  'a$(touch pwned)',
  'b`touch pwned`',
  'c;touch pwned',
  'd"|touch pwned',
  "e'&touch pwned",
  'f\ntouch pwned',
];

for (const shell of ['bash', 'zsh', 'fish'] as ShellName[]) {
  describe(`in ${shell}`, { tags: shell === 'bash' ? [] : shell }, () => {
    test('completes commands, flags, words, profiles, ids and paths', async ({ demo }) => {
      const terminal = await openShell(demo, shell);
      await mkdir(join(terminal.dir, 'docs folder'));
      for (const name of ['docs.txt', 'people list.csv', 'petstore.yaml'])
        await writeFile(join(terminal.dir, name), '');
      for (const [typed, expected] of completed) {
        await terminal.type(typed);
        await terminal.press('Tab');
        await terminal.shows(expected);
        await terminal.clear();
      }
    }, 60_000);

    test('completes names inside quotes', async ({ demo }) => {
      expect((await demo.docsctl('spaces', 'create', '--org', 'lumen', '--title', title)).exitCode).toBe(0);
      const terminal = await openShell(demo, shell);
      for (const [typed, value] of quoted) {
        for (const flag of ['--space ', '--space=']) {
          await terminal.type(`docsctl content pages list ${flag}${typed}`);
          await terminal.press('Tab');
          await terminal.shows(value.split(' ').at(-1)!);
          await terminal.press('C-a');
          await terminal.type('printf "<%s>" ');
          await terminal.press('Enter');
          await terminal.shows(
            `<docsctl><content><pages><list><${flag.trim()}${flag.endsWith('=') ? '' : '><'}${value}>`,
          );
          await terminal.clear();
        }
      }
    }, 60_000);

    test('shows titles beside ids, and offers no files in their place', async ({ demo }) => {
      const terminal = await openShell(demo, shell);
      await writeFile(join(terminal.dir, 'zzz.txt'), '');
      await terminal.type('docsctl cr view --space handbook0001 ');
      await terminal.press('Tab', 'Tab');
      const screen = await terminal.shows('#1 Explain the new pump');
      expect(screen).toContain('#4 Name the valve');
      if (shell !== 'bash') await terminal.press('C-c');
      await terminal.clear();
      await terminal.type('docsctl cr view --space handbook0001 zz');
      await terminal.press('Tab');
      await terminal.type('-');
      expect(await terminal.shows('zz-')).not.toContain('zzz.txt');
    }, 60_000);

    test('runs nothing of the service’s response', async ({ home, served }) => {
      const { json } = await served.docsctl(
        'spaces',
        'create',
        '--org',
        served.organization,
        '--title',
        'Plain',
        '-o',
        'json',
      );
      const url = await listen((_, response) => {
        const items = hostileIds.map((id) => ({ ...json, id, title: hostile }));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ items, count: items.length }));
      });
      const terminal = await openShell(home, shell, { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test' });
      await terminal.type('docsctl spaces view --org some ');
      await terminal.press('Tab', 'Tab');
      await terminal.shows(/touch pwned[^]*touch pwned/);
      // Out of a menu; bash has none, and would take it for the next line's.
      if (shell !== 'bash') await terminal.press('C-c');
      await terminal.clear();
      for (const begun of ['a', 'b', 'c', 'd', 'e']) {
        await terminal.type(`docsctl spaces view --org some ${begun}`);
        await terminal.press('Tab');
        await terminal.shows('pwned');
        await terminal.type(' 2>/dev/null; echo do""ne');
        await terminal.press('Enter');
        await terminal.shows(/^done/m);
        await terminal.clear();
      }
      expect(await readdir(terminal.dir)).toEqual([]);
      expect(existsSync(join(home.dir, 'pwned'))).toBe(false);
    }, 60_000);

    test('is silent where the service does not answer', async ({ home }) => {
      const url = await listen(() => {});
      const terminal = await openShell(home, shell, { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test' });
      const typed = 'docsctl spaces view --org some --space ';
      await terminal.type(typed);
      await terminal.press('Tab');
      await terminal.type('go on');
      const screen: string = await terminal.shows(`${typed}go on`);
      expect(screen.trim().split('\n')).toHaveLength(1);
    }, 60_000);
  });
}
