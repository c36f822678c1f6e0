/**
 * What each speed trick saves: docsctl without it beside docsctl with it, pair by pair, as rows for `README.md`.
 *
 *   npm run bench:tricks                   # all
 *   npm run bench:tricks -- packs          # this one only
 *   BENCH_PAIRS=60 npm run bench:tricks    # more pairs for a busy machine
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeMembers } from './data.mjs';
import { startServer } from './load.mjs';
import { compare, pairs, timeCommand } from './measure.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'docsctl-tricks-'));
const minRatio = 1.05;
const minBytes = 300_000;
const members = 2500;
const token = 'bench-token-of-nobody';

const env = {
  DOCSCTL_CONFIG_DIR: join(folder, 'config'),
  DOCSCTL_DATA_DIR: join(folder, 'data'),
  DOCSCTL_CACHE_DIR: join(folder, 'cache'),
  DOCSCTL_KEYRING: 'off',
};

/** The figures that tricks are measured by: a command line, and what it needs besides `env`. */
const figures = {
  '`--help`': { args: ['--help'] },
  '`members --help`': { args: ['members', '--help'] },
  '`members list`, in-process': { args: ['members', 'list', '--limit', '50'] },
  '`members list`, over TCP': { args: ['members', 'list', '--limit', '50'], isOverTcp: true },
  '2,500 rows over TCP': { args: ['members', 'list', '-o', 'jsonl'], isOverTcp: true },
};

/**
 * What is done to leave a trick out: other arguments or variables, or a build without one of the replaced modules. `env` is
 * what both sides need so that only the trick differs.
 */
const tricks = {
  'root-help': {
    what: 'root help and version printed by `bin/docsctl.js`',
    figures: ['`--help`'],
    // More than one argument is left to the program.
    without: { args: ['--no-color'] },
  },
  packs: {
    what: 'packs of compiled code',
    figures: ['`members --help`', '`members list`, in-process', '`members list`, over TCP'],
    without: { env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  },
  'undici-http2': {
    what: 'undici without HTTP/2',
    figures: ['`members list`, over TCP'],
    without: { build: true },
  },
  'undici-unused-parts': {
    what: 'undici without other parts that no request uses',
    figures: ['`members list`, over TCP'],
    without: { build: true },
  },
  'wasm-tiering': {
    what: 'no optimizing of undici’s parser (`src/client/connection.ts`)',
    figures: ['2,500 rows over TCP'],
    with: { env: { NODE_OPTIONS: `--require ${join(folder, 'empty.cjs')}` } },
    without: { env: { NODE_OPTIONS: `--require ${join(folder, 'no-flags.cjs')}` } },
  },
  'commander-platform-modules': {
    what: 'commander without copies of the platform’s modules',
    figures: ['`members --help`'],
    without: { build: true },
  },
  'fontkit-brotli': { what: 'Brotli of the platform for fonts', figures: [], without: { build: true }, isSize: true },
};

const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(tricks);
const unknown = names.find((name) => !Object.hasOwn(tricks, name));
if (unknown !== undefined) throw new Error(`Unknown trick "${unknown}"; there are ${Object.keys(tricks).join(', ')}.`);

/** Builds docsctl without a replaced module. @returns its folder */
async function buildWithout(name) {
  const target = join(folder, name);
  await mkdir(target);
  for (const part of ['bin', 'package.json']) await cp(join(root, part), join(target, part), { recursive: true });
  const args = ['scripts/build/main.mjs', '--out', join(target, 'dist'), '--without', name];
  await run(process.execPath, args, { cwd: root });
  return target;
}

async function sizeOf(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function measure(trick, figure, directory, tcp) {
  const { args, isOverTcp } = figures[figure];
  const common = { ...env, ...(isOverTcp ? tcp : {}) };
  const command = (from) => [process.execPath, join(from, 'bin', 'docsctl.js'), ...args];
  return compare(
    () => timeCommand([...command(directory), ...(trick.without.args ?? [])], { ...common, ...trick.without.env }),
    () => timeCommand(command(root), { ...common, ...trick.with?.env }),
  );
}

function printRow(what, figure, result, verdict) {
  console.log(`| ${what} | ${figure} | ${result} | ${verdict} |`);
}

try {
  await writeFile(join(folder, 'empty.cjs'), '');
  await writeFile(join(folder, 'no-flags.cjs'), "require('node:v8').setFlagsFromString = () => {};\n");
  await run(process.execPath, [join(root, 'bin', 'docsctl.js'), 'init', '--demo'], { env: { ...process.env, ...env } });
  const database = join(folder, 'members.db');
  await makeMembers(database, members);
  const server = await startServer(
    [process.execPath, join(root, 'bin/docsctl.js'), 'serve', '--port=0', '--json', '--log=off', `--db=${database}`],
    { ...env, DOCSCTL_SERVE_TOKEN: token },
  );
  try {
    const { url, organization } = JSON.parse(server.line);
    const tcp = { DOCSCTL_URL: url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: organization };
    console.log(`Medians of ${pairs} pairs, processor time.\n\n| trick | figure | without / with | verdict |`);
    console.log('|---|---|---:|---|');
    for (const name of names) {
      const trick = tricks[name];
      const directory = trick.without.build ? await buildWithout(name) : root;
      for (const figure of trick.figures) {
        const { cpu } = await measure(trick, figure, directory, tcp);
        printRow(trick.what, figure, cpu.toFixed(2), cpu >= minRatio ? 'stays' : 'does not pay here');
      }
      if (trick.isSize) {
        const saved = (await sizeOf(join(directory, 'dist'))) - (await sizeOf(join(root, 'dist')));
        const verdict = saved >= minBytes ? 'stays' : 'does not pay';
        printRow(trick.what, 'size of the package', `${Math.round(saved / 1000)} KB more`, verdict);
      }
    }
  } finally {
    await server.end();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
