import { expect, test } from 'vitest';
import { showsLinks, withoutLinks } from '../../../src/cli/output/hyperlink.ts';
import { createListOutput } from '../../../src/cli/output/index.ts';
import { terminal } from '../../../src/cli/output/terminal.ts';

const columns = [{ key: 'title' }, { key: 'url' }] as const;

async function tableOf(item: object, { links = true, width = 60 } = {}) {
  let text = '';
  const sink = { write: (more: string | Uint8Array) => void (text += String(more)) };
  const output = createListOutput({ terminal: true, color: true, links, width, header: false }, columns, sink);
  await output.page([item]);
  await output.end();
  return text;
}

const link = (text: string, address: string) => `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;
const app = 'https://docs.example/s/handbook0001';

test('a title leads to the app, and an address to itself, also if it is cut', async () => {
  const url = `https://docs.example/${'long/'.repeat(20)}`;

  const text = await tableOf({ title: 'Handbook', url, urls: { app } });

  expect(text).toContain(link('Handbook', app));
  expect(text).toContain(`\u001b]8;;${url}\u001b\\https://docs.example/`);
  expect(text).not.toContain(`${url}\u001b]8;;\u001b\\`);
});

test('links do not change the widths of a table', async () => {
  const item = { title: 'Handbook', url: 'https://docs.example', urls: { app } };

  const [linked, plain] = [await tableOf(item), await tableOf(item, { links: false })];

  expect(plain).not.toContain('\u001b]8');
  expect(Buffer.from(withoutLinks(Buffer.from(linked))).toString()).toBe(plain);
});

test.for([
  'https://docs.example/\u001b\\\u001b]0;title\u0007',
  'https://docs.example/\u0007',
  'https://docs.example/\u009c',
  'https://docs.example/a b',
  'https://docs.example/ü',
  'javascript:alert(1)',
  'file:///etc/passwd',
  `https://docs.example/${'a'.repeat(3000)}`,
])('an address of the service that is not plain is no link: %j', async (address) => {
  const text = await tableOf({ title: 'Handbook', url: address, urls: { app: address } });

  expect(text).not.toMatch(/[\u0007\u009c]|\u001b\]/);
});

test('only a terminal that shows links gets them', () => {
  for (const env of [
    { TERM_PROGRAM: 'iTerm.app' },
    { TERM: 'xterm-kitty' },
    { VTE_VERSION: '6800' },
    { WT_SESSION: 'x' },
    { FORCE_HYPERLINK: '1' },
  ])
    expect({ env, links: showsLinks(env) }).toEqual({ env, links: true });
  for (const env of [
    {},
    { TERM: 'xterm-256color' },
    { TERM: 'dumb', WT_SESSION: 'x' },
    { TERM: 'screen-256color', VTE_VERSION: '6800' },
    { TMUX: 'x', VTE_VERSION: '6800' },
    { CI: '1', VTE_VERSION: '6800' },
    { VTE_VERSION: '4000' },
    { FORCE_HYPERLINK: '0', TERM_PROGRAM: 'iTerm.app' },
  ])
    expect({ env, links: showsLinks(env) }).toEqual({ env, links: false });
});

test('a pipe, NO_COLOR and a terminal without colors get no links', () => {
  const linksIn = (env: Record<string, string>, isTerminal = true) =>
    terminal({ env: { FORCE_HYPERLINK: '1', ...env }, isTerminal: () => isTerminal, columns: () => 80 }).links;

  expect(linksIn({})).toBe(true);
  expect(linksIn({}, false)).toBe(false);
  expect(linksIn({ FORCE_COLOR: '1' }, false)).toBe(false);
  expect(linksIn({ NO_COLOR: '1' })).toBe(false);
  expect(linksIn({ TERM: 'dumb' })).toBe(false);
});
