'use strict';
/** Writes the format that `load.js` describes. */
const fs = require('node:fs');
const path = require('node:path');
const { isPrivateFolder, isPrivatePackFolder, isProtected, lengthBytes } = require('./load.js');

const unusedDays = 7;
/** More than a group has; a pack does not grow without end. */
const maxCommands = 50;

/** Replaces a pack with what it had and what this process compiled. */
function writePack({ file, root, build, command, commands, code, scripts }) {
  try {
    const all = new Map();
    for (const [name, { modified, read }] of code) {
      const data = scripts.has(name) ? undefined : read();
      if (data) all.set(name, { modified, data });
    }
    for (const [name, { modified, script }] of scripts) all.set(name, { modified, data: script.createCachedData() });
    const bytes = encodePack(build, [...new Set([...commands, command])].slice(-maxCommands), all);
    replaceFile(file, root, bytes);
  } catch {
    // The command has done its work, and the next one runs without a pack.
  }
}

/** @param {Map<string, { modified: number, data: Buffer }>} code */
function encodePack(build, commands, code) {
  let end = 0;
  const files = [...code].map(([name, { modified, data }]) => [name, modified, end, (end += data.length)]);
  const description = Buffer.from(JSON.stringify({ build, commands, files }));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(description.length);
  const copy = [length, description, ...Array.from(code.values(), ({ data }) => data)];
  return Buffer.concat([...copy, ...copy]);
}

function replaceFile(file, root, bytes) {
  // Checked again: a server writes its pack long after it read one.
  if (!mayWrite(root)) return;
  const folder = path.dirname(file);
  if (!fs.existsSync(folder)) {
    makeFolder(folder);
    removeUnused(root);
  }
  if (!isPrivateFolder(folder)) return;
  // The process id alone is not unique: in containers it is often the same, and an earlier process may have left a file.
  const temporary = `${file}.${process.pid}-${process.hrtime.bigint().toString(36)}`;
  try {
    // No fsync: what a crash of the machine leaves incomplete is not the same in both copies.
    fs.writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Whether the folder can be made, and files in it removed, without following what another user chose. */
function mayWrite(root) {
  if (process.geteuid === undefined) return true;
  let existing = path.dirname(path.dirname(root));
  while (!fs.existsSync(existing)) existing = path.dirname(existing);
  for (let folder = fs.realpathSync.native(existing); isProtected(folder); folder = path.dirname(folder))
    if (folder === path.dirname(folder)) return isPrivatePackFolder(root);
  return false;
}

// The platform's own recursive mkdir never ends where a parent refuses new entries, as /proc does.
function makeFolder(folder) {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  fs.mkdirSync(folder, { mode: 0o700 });
}

/** Removes the packs of other builds that have not been used lately. */
function removeUnused(root) {
  for (const name of fs.readdirSync(root)) {
    const folder = path.join(root, name);
    if (Date.now() - fs.lstatSync(folder).mtimeMs > unusedDays * 86_400_000) fs.rmSync(folder, { recursive: true });
  }
}

module.exports = { writePack, encodePack };
