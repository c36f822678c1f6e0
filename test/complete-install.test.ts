import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { type Home, root, test } from './support/cli.ts';

const { platform, arch } = process;
const elsewhere = platform === 'win32' ? 'darwin' : 'win32';
const forThisMachine = { optional: true, dev: true, os: [platform], cpu: [arch] };
const packages = {
  'node_modules/here': forThisMachine,
  'node_modules/elsewhere': { ...forThisMachine, os: [elsewhere] },
  'node_modules/not-here': { ...forThisMachine, os: [`!${platform}`] },
  'node_modules/other-processor': { ...forThisMachine, cpu: ['wasm32'] },
  'node_modules/part-of-other': { optional: true, dev: true },
};

/** An npm that notes how it was started, and installs the package. */
const npm = `
  const { mkdirSync, writeFileSync } = require('fs');
  writeFileSync('started.json', JSON.stringify(process.argv.slice(2)));
  if (!process.env.BROKEN) mkdirSync('node_modules/here');
`;

async function checkout(home: Home) {
  const script = join(home.dir, 'scripts/complete-install.cjs');
  await mkdir(dirname(script), { recursive: true });
  await mkdir(join(home.dir, 'node_modules'), { recursive: true });
  await cp(join(root, 'scripts/complete-install.cjs'), script);
  await cp(join(root, 'package.json'), join(home.dir, 'package.json'));
  await writeFile(join(home.dir, 'package-lock.json'), JSON.stringify({ packages }));
  await writeFile(join(home.dir, 'npm.cjs'), npm);
  /** Runs it as `npm install` does, with that version of Node.js. */
  const install = (version: string, more: Record<string, string> = {}) =>
    execa(process.execPath, [script], {
      cwd: home.dir,
      reject: false,
      env: {
        npm_execpath: join(home.dir, 'npm.cjs'),
        npm_node_execpath: process.execPath,
        npm_config_user_agent: `npm/9.2.0 node/v${version} ${platform} ${arch} workspaces/false`,
        ...more,
      },
    });
  const check = () => execa(process.execPath, [script, '--check'], { cwd: home.dir, reject: false });
  return { install, check };
}

test('npm with an older Node.js runs again for the packages that it left out, once', async ({ home }) => {
  const { install, check } = await checkout(home);

  expect((await check()).stderr).toBe('Packages are missing: node_modules/here.\nRun "npm ci --ignore-scripts=false".');
  const first = await install('18.20.4');
  const second = await install('18.20.4');

  expect(first).toMatchObject({ stdout: '', exitCode: 0 });
  expect(first.stderr).toBe(
    `npm ran with Node.js 18.20.4; it runs again with ${process.versions.node} for the packages that need it.`,
  );
  expect(second).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
  expect(await check()).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
});

test('an installation that stays incomplete fails, with what to install', async ({ home }) => {
  const { install } = await checkout(home);

  const run = await install('18.20.4', { BROKEN: '1' });

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain(
    `Not all packages were installed: node_modules/here.\nInstall Node.js ${process.versions.node} from https://nodejs.org`,
  );
});

test.for([
  ['npm runs with the Node.js of this checkout', process.versions.node, {}],
  ['packages were skipped on purpose', '18.20.4', { npm_config_omit: 'dev' }],
] as const)('nothing runs when %s', async ([, version, env], { home }) => {
  const { install } = await checkout(home);

  expect(await install(version, env)).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
});
