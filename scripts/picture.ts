import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// `npm run picture` writes docs/terminal.svg from the output of the built program on the demo data. Columns with dates
// are skipped and ids are those of the demo, so that the picture changes only with the program.
const root = join(import.meta.dirname, '..');
const commands = [
  [
    'members',
    'list',
    '--search',
    'almeida',
    '--limit',
    '4',
    '--columns',
    'user.displayName,user.email,role,id',
    '-o',
    'table',
  ],
  ['spaces', 'list', '--columns', 'title,visibility,changeRequestsOpen,id', '-o', 'table'],
  ['cr', 'list', '--space', 'handbook0001', '--columns', 'number,subject,status', '-o', 'table'],
];

/** By the number of a terminal's attribute: bold, dim, underline, then colours on the dark background of the picture. */
const styles: Record<string, string> = {
  1: 'font-weight="bold"',
  2: 'fill="#8b949e"',
  4: 'text-decoration="underline"',
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  33: 'fill="#e3b341"',
  34: 'fill="#79c0ff"',
  35: 'fill="#d2a8ff"',
  36: 'fill="#76e3ea"',
  90: 'fill="#8b949e"',
};

const lineHeight = 20;
const charWidth = 8.4;

function record(): string[] {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-picture-'));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DOCSCTL_KEYRING: 'off',
    FORCE_COLOR: '1',
    COLUMNS: '90',
    TZ: 'UTC',
  };
  const run = (words: string[]) =>
    execFileSync(process.execPath, [join(root, 'bin', 'docsctl.js'), ...words], {
      env,
      cwd: home,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    run(['init', '--demo']);
    return commands.flatMap((words) => [
      `\x1b[32m$\x1b[39m docsctl ${words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`,
      ...run(words).trimEnd().split('\n'),
      '',
    ]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line with its terminal attributes as text spans. */
function lineOf(line: string): string {
  let attributes: string[] = [];
  return line
    .split(/(\x1b\[[\d;]*m)/)
    .map((part) => {
      const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
      if (codes === undefined) return part === '' ? '' : `<tspan ${attributes.join(' ')}>${escaped(part)}</tspan>`;
      // 22, 24 and 39 end the current attribute; attributes are not nested in this output.
      attributes = codes.split(';').flatMap((code) => styles[code] ?? []);
      return '';
    })
    .join('');
}

function svg(lines: string[]): string {
  const plain = lines.map((line) => line.replaceAll(/\x1b\[[\d;]*m/g, ''));
  const width = Math.ceil(Math.max(...plain.map((line) => line.length)) * charWidth) + 40;
  const height = lines.length * lineHeight + 40;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(`docsctl in a terminal: ${commands.map(([noun, verb]) => `${noun} ${verb}`).join(', ')}`)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#161b22" stroke="#30363d"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">`,
    ...lines.map(
      (line, index) => `<text x="20" y="${32 + index * lineHeight}" xml:space="preserve">${lineOf(line)}</text>`,
    ),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

writeFileSync(process.argv[2] ?? join(root, 'docs', 'terminal.svg'), svg(record().slice(0, -1)));
