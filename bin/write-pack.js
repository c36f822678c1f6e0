'use strict';
/** Writes the format that `load.js` describes. */
const fs = require('node:fs');
const path = require('node:path');
const { digestOf, digits, isPrivateFolder, isPrivatePackFolder, isProtected } = require('./load.js');

const unusedDays = 7;
/** More than a group has; a pack does not grow without end. */
const maxCommands = 50;

/** Replaces a pack with what it had and what this process compiled. */
function writePack({ file, root, build, command, commands, code, scripts }) {
  try {
    const all = new Map(code);
    for (const [name, { source, script }] of scripts) all.set(name, { source, data: script.createCachedData() });
    const bytes = encodePack(build, [...new Set([...commands, command])].slice(-maxCommands), all);
    replaceFile(file, root, bytes);
  } catch {
    // The command has done its work, and the next one runs without a pack.
  }
}

function encodePack(build, commands, code) {
  const describe = (files) => Buffer.from(JSON.stringify({ build, commands, files }));
  const start = digits + 4;
  // In the description, each name is followed by a checksum and two numbers of up to 8 digits.
  const descriptionBytes = describe([...code].map(([name]) => [name])).length + (digits + 24) * code.size;
  const files = [];
  let size = aligned(start + descriptionBytes);
  for (const [name, { source, data }] of code) {
    files.push([name, source, size, size + data.length]);
    size = aligned(size + data.length);
  }
  const description = describe(files);
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32LE(description.length, digits);
  description.copy(bytes, start);
  for (const [name, , from] of files) code.get(name).data.copy(bytes, from);
  bytes.write(digestOf(bytes.subarray(digits)), 0, 'latin1');
  return bytes;
}

const aligned = (size) => 8 * Math.ceil(size / 8);

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
    // No fsync: what a crash of the machine leaves incomplete fails its checksum.
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
