#!/usr/bin/env node
'use strict';
const [major, minor, patch] = process.versions.node.split('.').map(Number);
const isNewEnough =
  major >= 26 || (major === 24 && minor >= 15) || (major === 22 && (minor > 22 || (minor === 22 && patch >= 2)));

if (!isNewEnough) handOver();
else if (require('node:fs').existsSync(`${__dirname}/../dist/main.cjs`)) start();
else refuse('This checkout is not built yet.', 'Run "npm install" and "npm run build" in it.');

/** What can be said without the program is said at once; everything else loads it, from code compiled before. */
function start() {
  const said = atOnce(process.argv.slice(2));
  if (said !== undefined) return print(said);
  const words = process.argv.slice(2);
  const { main } = require('./load.js').load(
    require('node:path').join(__dirname, '..', 'dist', 'main.cjs'),
    folderOfPacks(),
    words,
  );
  main(words).then((status) => {
    process.exitCode = status;
  });
}

function atOnce(words) {
  if (words.length > 1) return undefined;
  const { fstatSync, readFileSync } = require('node:fs');
  switch (words[0]) {
    case '--version':
    case '-V':
      return `${JSON.parse(readFileSync(`${__dirname}/../package.json`, 'utf8')).version}\n`;
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      // Made for 80 columns; the program itself fits it into fewer.
      if (fstatSync(1).isCharacterDevice() && process.stdout.columns < 80) return undefined;
      return readFileSync(`${__dirname}/../dist/help.txt`, 'utf8');
  }
}

/** Written directly: making the stream of the process takes longer than all the rest. */
function print(text) {
  const { writeSync } = require('node:fs');
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    if (error.code === 'EAGAIN') process.stdout.write(rest);
    else if (error.code !== 'EPIPE') {
      process.stderr.write(`error: Standard output cannot be written: ${error.message}.\n`);
      process.exitCode = 1;
    }
  }
}

/** In the user's own folder: where others may write too, they could have their code run. */
function folderOfPacks() {
  const { env, platform } = process;
  // Coverage is counted in code as it was compiled by this process.
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return undefined;
  if (env.DOCSCTL_CACHE_DIR) return `${env.DOCSCTL_CACHE_DIR}/compiled`;
  const home = env.HOME || require('node:os').homedir();
  if (platform === 'win32') return `${env.LOCALAPPDATA || `${home}/AppData/Local`}/docsctl/cache/compiled`;
  return `${env.XDG_CACHE_HOME || `${home}/.cache`}/docsctl/compiled`;
}

/** In a checkout the pinned Node takes over; elsewhere the user is told what is needed. */
function handOver() {
  const pinned = pinnedNode();
  if (pinned !== undefined && pinned !== process.execPath) {
    const { spawn } = require('node:child_process');
    const child = spawn(pinned, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => {
      process.exitCode = signal ? 128 + require('node:os').constants.signals[signal] : code;
    });
    return;
  }
  refuse(
    `docsctl needs Node.js 22.22.2 or later, 24.15 or later, or 26; this is ${process.versions.node}.`,
    'Install a newer Node.js, for example from https://nodejs.org.',
  );
}

function refuse(message, hint) {
  process.stderr.write(`error: ${message}\nhint: ${hint}\n`);
  process.exitCode = 1;
}

/** The development dependency "node", where this is a checkout. */
function pinnedNode() {
  const { existsSync } = require('node:fs');
  const folder = require('node:path').join(__dirname, '..', 'node_modules', 'node', 'bin');
  return [`${folder}/node`, `${folder}/node.exe`].find((file) => existsSync(file));
}
