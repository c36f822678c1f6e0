'use strict';
// npm leaves out optional packages whose `engines` refuse the Node.js that npm itself runs with: with that of Debian 12, the
// bundler among them. So once `npm install` has brought the Node.js of this checkout, npm runs again with that one.
//
//     node scripts/complete-install.cjs           what `npm install` runs at its end
//     node scripts/complete-install.cjs --check   fails, and says what to do, unless the checkout can be built
//
// Old versions of Node.js must be able to read this file, so it has no newer syntax.

const { spawnSync } = require('child_process');
const { existsSync, readFileSync } = require('fs');
const { delimiter, join } = require('path');

const root = join(__dirname, '..');
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Whether `list`, as in `os` of a package.json, has `value`. */
function allows(list, value) {
  if (list === undefined || list.includes(value)) return true;
  return list.every((each) => each[0] === '!') && !list.includes(`!${value}`);
}

function libc() {
  if (process.platform !== 'linux' || !process.report) return 'glibc';
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** The packages with programs for this machine that are not installed. @param isNeeded takes an entry of the lockfile */
function missingPackages(isNeeded = () => true) {
  const { packages } = read('package-lock.json');
  return Object.keys(packages).filter((folder) => {
    const { optional, os, cpu, libc: libcs } = packages[folder];
    // Others, such as those that WebAssembly needs, are parts of packages that are for another machine.
    if (!optional || !cpu || !isNeeded(packages[folder]) || existsSync(join(root, folder))) return false;
    return allows(os, process.platform) && allows(cpu, process.arch) && (!libcs || allows(libcs, libc()));
  });
}

/** Where Node.js at `path` finds modules beside node_modules: npm of a Linux distribution may have parts there. */
function moduleFoldersOf(path) {
  const script = `process.stdout.write(require('module').globalPaths.join(${JSON.stringify(delimiter)}))`;
  return spawnSync(path, ['-e', script], { encoding: 'utf8' }).stdout || '';
}

function completeInstall() {
  const { npm_execpath: npm, npm_node_execpath: itsNode, npm_config_user_agent: agent = '' } = process.env;
  const [, npmRunsWith] = /\bnode\/v(\S+)/.exec(agent) || [];
  // Whoever omits dev or optional dependencies does not build here.
  if (!npm || !npmRunsWith || npmRunsWith === process.versions.node || process.env.npm_config_omit) return;
  if (missingPackages().length === 0) return;
  process.stderr.write(
    `npm ran with Node.js ${npmRunsWith}; it runs again with ${process.versions.node} for the packages that need it.\n`,
  );
  const args = [npm, 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = Object.assign({}, process.env, { NODE_PATH: moduleFoldersOf(itsNode), NODE_NO_WARNINGS: '1' });
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const missing = missingPackages();
  if (status !== 0 || missing.length > 0) {
    fail(
      `Not all packages were installed${missing.length > 0 ? `: ${missing.join(', ')}` : ''}.`,
      `Install Node.js ${process.versions.node} from https://nodejs.org, then run "npm install" again.`,
    );
  }
}

function check() {
  if (!existsSync(join(root, 'node_modules'))) return fail('The packages are not installed: run "npm install" first.');
  const { engines, devDependencies } = read('package.json');
  const runsWith = process.versions.node;
  if (Number(runsWith.split('.')[0]) < Number(/\d+/.exec(engines.node)[0])) {
    return fail(
      `The build needs Node.js ${devDependencies.node}, which "npm install" brings with its scripts; this is ${runsWith}.`,
      'Run "npm ci --ignore-scripts=false", or install that version from https://nodejs.org.',
    );
  }
  const missing = missingPackages((each) => each.dev);
  if (missing.length > 0) {
    fail(`Packages are missing: ${missing.join(', ')}.`, 'Run "npm ci --ignore-scripts=false".');
  }
}

function fail(...lines) {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}

if (process.argv.includes('--check')) check();
else completeInstall();
