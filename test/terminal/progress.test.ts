import { expect } from 'vitest';
import { type Home, test } from '../support/cli.ts';
import { listen } from '../support/service.ts';
import { openScreen } from './screen.ts';

/** A service that answers about removed members only as far as it is told to. */
async function waitingService() {
  let allowed = 0;
  const waiting: (() => void)[] = [];
  const url = await listen((request, response) => {
    // What is only read is never waited for: who asks, and the teams that would lose their owner.
    if (request.url!.endsWith('/v1/user')) return response.end(JSON.stringify({ object: 'user', id: 'me' }));
    if (request.method === 'GET') return response.end(JSON.stringify({ items: [], count: 0 }));
    const isBad = request.url!.includes('/bad');
    waiting.push(() => {
      response.statusCode = isBad ? 403 : 204;
      response.end(isBad ? JSON.stringify({ error: { status: 403, reason: 'forbidden', message: 'No.' } }) : '');
    });
    release();
  });
  const release = () => {
    while (allowed > 0 && waiting.length > 0) {
      allowed--;
      waiting.shift()!();
    }
  };
  return {
    url,
    answer(count: number) {
      allowed += count;
      release();
    },
  };
}

const idsTo = (count: number) => Array.from({ length: count }, (_, index) => `member${index + 1}`);

const open = (home: Home, url: string, ids: string[], env: Record<string, string> = {}, width = 80) =>
  openScreen(home, ['members', 'remove', ...ids, '--yes'], {
    width,
    env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test', DOCSCTL_ORG: 'some', ...env },
  });

test('several ids fill a bar, which counts failures and is gone at the end', async ({ home }) => {
  const service = await waitingService();
  const screen = await open(home, service.url, ['bad', ...idsTo(39)]);
  service.answer(10);
  await screen.shows(/members remove \[#+-+\] 10 of 40, 1 failed/);
  service.answer(10);
  const half = await screen.shows(/20 of 40, 1 failed/);
  const [, full, rest] = /\[(#+)(-+)\]/.exec(half)!;
  expect(full!.length).toBe(rest!.length);
  // What is said on the way stands above the bar.
  expect(half.indexOf('Removed member1.')).toBeLessThan(half.indexOf('[#'));
  service.answer(20);

  expect(await screen.ends()).toBe(8);
  const last = await screen.text();
  expect(last).not.toContain('[#');
  expect(last).toMatch(/error: bad: No\.[^]*error: 1 of 40 failed\.\n/);
});

test('the bar shows the number of ids that were typed in', async ({ home }) => {
  const service = await waitingService();
  const screen = await open(home, service.url, ['-']);
  await screen.type('member1\nmember2\n\nmember1\nmember3\n');
  await screen.press('C-d');
  service.answer(1);
  await screen.shows(/members remove \[#+-+\] 1 of 3/);
  service.answer(2);

  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).toContain('3 done.');
});

test('the bar fits a narrow terminal, or is skipped', async ({ home }) => {
  const service = await waitingService();
  const narrow = await open(home, service.url, idsTo(40), {}, 45);
  service.answer(20);
  const output = await narrow.shows(/20 of 40/);
  expect(/.*20 of 40/.exec(output)![0].length).toBeLessThan(45);
  expect(output).toMatch(/\[#+-+\] 20 of 40\n/);
  service.answer(20);
  expect(await narrow.ends()).toBe(0);

  const narrower = await open(home, service.url, idsTo(40), {}, 30);
  service.answer(20);
  expect(await narrower.shows(/members remove 20 of 40/)).not.toContain('[');
  service.answer(20);
  expect(await narrower.ends()).toBe(0);
});

test.for<Record<string, string>>([{ TERM: 'dumb' }, { CI: '1' }])(
  'with %o there are plain lines only',
  async (env, { home }) => {
    const service = await waitingService();
    const screen = await open(home, service.url, idsTo(20), env);
    // One after the other: a bar would stand there by the third. Several are sent at once, so any may be the next.
    for (let count = 1; count <= 20; count++) {
      service.answer(1);
      await screen.shows(new RegExp(`(?:Removed member\\d+\\.\\s+){${count}}`));
    }

    expect(await screen.ends()).toBe(0);
    expect(await screen.printed()).not.toMatch(/\u001b|of 20/);
  },
);

test('Ctrl-C removes the bar and reports what was done', async ({ home }) => {
  const service = await waitingService();
  const screen = await open(home, service.url, idsTo(40));
  service.answer(10);
  await screen.shows(/10 of 40/);
  await screen.press('C-c');

  expect(await screen.ends()).toBe(130);
  const last = await screen.text();
  expect(last).toContain('error: Interrupted: 10 of 40 done; 8 sent, answer unknown; 22 not tried.');
  expect(last).not.toContain('[#');
});

test('a command that waits for standard input ends at Ctrl-C', async ({ home }) => {
  const screen = await openScreen(home, ['orgs', 'create', '--data', '-'], {
    env: { DOCSCTL_URL: 'http://127.0.0.1:9', DOCSCTL_TOKEN: 'token-of-test' },
  });
  // A terminal takes no more than 4 KB that nobody reads: once the end is there, the command is reading.
  await screen.paste(`${`"title": "${'x'.repeat(60)}",\n`.repeat(100)}"end":\n`);
  await screen.shows('"end":');
  await screen.press('C-c');

  expect(await screen.ends()).toBe(130);
});
