#!/usr/bin/env node
'use strict';
// Any version of Node.js must be able to read this file, to say which version is needed. So it has no newer syntax, and
// modules are required in the functions that need them.

const root = `${__dirname}/..`;
// The single executable contains its files (`scripts/release/executable.ts`).
const isExecutable = __filename === process.execPath;
start(process.argv.slice(2));

function start(args) {
  if (!isSupported(process.versions.node)) {
    return fail(
      args,
      'unsupported-node',
      `docsctl needs Node.js 22.22.2 or later, 24.15 or later, or 26; this is ${process.versions.node}.`,
      'Install a newer Node.js, for example from https://nodejs.org.',
    );
  }
  if (!isExecutable && !require('node:fs').existsSync(`${root}/dist/main.cjs`)) {
    return fail(
      args,
      'not-built',
      'dist/main.cjs is missing: docsctl is not built.',
      'Install docsctl again; in its source code, run "npm install" and "npm run build".',
    );
  }
  const text = textWithoutProgram(args);
  if (text === undefined) runProgram(args);
  else print(text);
}

function isSupported(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

function runProgram(args) {
  if (!process.env.HOME && process.platform !== 'win32') setHome();
  // Most commands find all their code in a pack, so what writes one is loaded on use.
  const writePack = (pack) => require('./write-pack.js').writePack(pack);
  const packs = packFolder();
  const { main } = isExecutable
    ? require('./contained.js').loadContained('main.cjs', packs, args, writePack)
    : require('./load.js').load(`${require('node:path').join(root, 'dist')}/main.cjs`, packs, args, writePack);
  // All output has left the process by then.
  main(args, undefined, packs).then((status) => process.exit(status));
}

/** Dynamic users of systemd and users of containers may have no entry in the user database. systemd's default is `/`, too. */
function setHome() {
  try {
    require('node:os').homedir();
  } catch (error) {
    if (error.code !== 'ERR_SYSTEM_ERROR') throw error;
    process.env.HOME = '/';
  }
}

/** The version and the root help, which need no program; undefined for anything else. */
function textWithoutProgram(args) {
  if (args.length > 1) return undefined;
  const { fstatSync } = require('node:fs');
  switch (args[0]) {
    case '--version':
    case '-V':
      return `${JSON.parse(textFile('package.json')).version}\n`;
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      // help.txt is 80 columns wide; for a narrower terminal the program wraps the help.
      if (fstatSync(1).isCharacterDevice() && process.stdout.columns < 80) return undefined;
      return textFile('dist/help.txt');
  }
}

function textFile(name) {
  if (!isExecutable) return require('node:fs').readFileSync(`${root}/${name}`, 'utf8');
  // With an encoding, getAsset() would load more of the platform.
  return Buffer.from(require('node:sea').getRawAsset(name)).toString();
}

/** Writes to the file descriptor: creating process.stdout takes longer than everything else here. */
function print(text) {
  const { writeSync } = require('node:fs');
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
    // To end by itself, the process would first free all its memory.
    process.exit();
  } catch (error) {
    if (error.code === 'EAGAIN') process.stdout.write(rest);
    else if (error.code !== 'EPIPE') {
      process.stderr.write(`error: Standard output cannot be written: ${error.message}.\n`);
      process.exitCode = 1;
    }
  }
}

/** Where packs are kept: in the user's own folder, because others could put code into a shared one. */
function packFolder() {
  const { env, platform } = process;
  // Coverage is only counted in code that this process compiled.
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return undefined;
  if (env.DOCSCTL_CACHE_DIR) return `${env.DOCSCTL_CACHE_DIR}/compiled`;
  const home = env.HOME || require('node:os').homedir();
  if (platform === 'win32') return `${env.LOCALAPPDATA || `${home}/AppData/Local`}/docsctl/cache/compiled`;
  return `${env.XDG_CACHE_HOME || `${home}/.cache`}/docsctl/compiled`;
}

function fail(args, code, message, hint) {
  const isJson = / (--json|(-o|--output)[ =]?jsonl?) /.test(' ' + args.join(' ') + ' ');
  const error = { code: code, message: message, hint: hint, docs: 'docs/errors.md#' + code };
  process.stderr.write(
    isJson ? JSON.stringify({ error: error }) + '\n' : 'error: ' + message + '\nhint: ' + hint + '\n',
  );
  process.exitCode = 1;
}
