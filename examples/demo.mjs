// Runs the main commands on a local instance with real input, and prints each command and its output.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/docsctl.js', import.meta.url));
const specs = dirname(fileURLToPath(import.meta.resolve('@readme/oas-examples/package.json')));
const home = mkdtempSync(join(tmpdir(), 'docsctl-demo-'));
const env = {
  PATH: process.env.PATH,
  HOME: home,
  DOCSCTL_CONFIG_DIR: join(home, 'config'),
  DOCSCTL_DATA_DIR: join(home, 'data'),
  DOCSCTL_CACHE_DIR: join(home, 'cache'),
  DOCSCTL_KEYRING: 'off',
};
const mostLines = 6;

/** Runs one command as a user would and shows it. @returns what it printed */
function docsctl(...words) {
  console.log(`\n$ docsctl ${words.map(quoted).join(' ')}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], { env, encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  console.log(lines.slice(0, mostLines).join('\n'));
  if (lines.length > mostLines) console.log(`... ${lines.length} lines in total`);
  if (stderr) process.stdout.write(stderr);
  if (status !== 0) throw new Error(`docsctl ${words.join(' ')} ended with status ${status}.`);
  return stdout;
}

const quoted = (word) => {
  const text = word.startsWith(specs) ? relative(dirname(dirname(specs)), word) : word;
  return /[^\w./:@=-]/.test(text) ? `'${text}'` : text;
};

function check(claim, isTrue) {
  if (!isTrue) throw new Error(`Check failed: ${claim}`);
  console.log(`ok: ${claim}`);
}

/** Starts `docsctl serve` on the same file and waits for its one line. */
async function serve() {
  const words = ['serve', '--port', '0', '--json'];
  console.log(`\n$ docsctl ${words.join(' ')} &`);
  const child = spawn(process.execPath, [bin, ...words], {
    env: { ...env, DOCSCTL_SERVE_TOKEN: 'demo-token-for-this-run' },
  });
  child.stderr.resume();
  for await (const chunk of child.stdout) return { child, ...JSON.parse(chunk) };
  throw new Error('docsctl serve printed nothing.');
}

let server;
try {
  docsctl('init', '--demo');
  const members = docsctl('members', 'list', '--sort', 'lastSeenAt');
  check('the list has all pages', members.split('\n').length > 1000);

  for (const file of [
    '2.0/json/petstore.json',
    '3.0/yaml/petstore.yaml',
    '3.1/json/train-travel.json',
    '3.1/yaml/petstore.yaml',
  ]) {
    docsctl('openapi', 'publish', join(specs, file), '--slug', file.replace(/\W+/g, '-'), '--wait');
  }
  docsctl('openapi', 'list', '-o', 'table');

  const space = docsctl('spaces', 'create', '--title', 'Pumps', '-o', 'id').trim();
  env.DOCSCTL_SPACE = space;
  docsctl('cr', 'create', '--subject', 'Explain the new pump', '--open');
  docsctl('cr', 'list', '-o', 'table');
  docsctl('cr', 'merge', '1');
  const merged = JSON.parse(docsctl('cr', 'view', '1', '--json'));
  check('the change request is merged', merged.status === 'merged' && merged.revisionMerged !== undefined);

  server = await serve();
  env.DOCSCTL_URL = server.url;
  env.DOCSCTL_TOKEN = server.token;
  const served = docsctl('members', 'list', '--sort', 'lastSeenAt');
  check('over HTTP the result is the same', served === members);
  console.log('\nThe demo is complete.');
} finally {
  if (server) {
    server.child.kill('SIGTERM');
    await once(server.child, 'exit');
  }
  rmSync(home, { recursive: true, force: true });
}
