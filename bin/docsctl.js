#!/usr/bin/env node
'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
const isNewEnough = (major === 22 && minor >= 22) || (major === 24 && minor >= 15) || major >= 26;

if (!isNewEnough) handOver();
else {
  const module_ = require('node:module');
  if (module_.enableCompileCache) module_.enableCompileCache();
  import('../dist/main.mjs');
}

/** In a checkout the pinned Node takes over; elsewhere the user is told what is needed. */
function handOver() {
  const { existsSync } = require('node:fs');
  const pinned = require('node:path').join(__dirname, '..', 'node_modules', 'node', 'bin', 'node');
  if (existsSync(pinned) && pinned !== process.execPath) {
    const child = require('node:child_process').spawn(pinned, [__filename, ...process.argv.slice(2)], {
      stdio: 'inherit',
    });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) =>
      process.exit(signal ? 128 + require('node:os').constants.signals[signal] : code),
    );
    return;
  }
  process.stderr.write(
    `error: docsctl needs Node.js 22.22.2 or later, 24.15 or later, or 26; this is ${process.versions.node}.\n` +
      'hint: Install a newer Node.js, for example from https://nodejs.org.\n',
  );
  process.exit(1);
}
