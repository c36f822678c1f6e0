'use strict';
/**
 * A pack is code that runs with the user's rights, so it is only read where nobody but the user and root could have put it:
 * a variable that names a shared folder, or `sudo` with the HOME of another user, must not lead to what that user wrote.
 *
 * Its format: the checksum of everything after it, a length, a description as JSON of that length, and the code of each
 * file, at multiples of 8.
 */
const fs = require('node:fs');
const path = require('node:path');
const { digestOf, digits } = require('./checksum.js');

/** Far more than any pack has; a larger file is not read at every start. */
const maxBytes = 64 * 1024 * 1024;
/** Windows has no user ids and no modes; packs are in the user's profile there, which is closed to other users. */
const user = process.geteuid?.();

/**
 * What is in a pack. One that is damaged, of another build or open to other users counts as empty, and is replaced later.
 *
 * @returns {{ commands: string[], code: Map<string, { source: string, data: Buffer }> }}
 */
function readPack(file, build) {
  const empty = { commands: [], code: new Map() };
  try {
    if (!isPrivateFolder(path.dirname(file))) return empty;
    const bytes = readPrivateFile(file);
    if (digestOf(bytes.subarray(digits)) !== bytes.toString('latin1', 0, digits)) return empty;
    const start = digits + 4;
    const end = start + bytes.readUInt32LE(digits);
    const description = JSON.parse(bytes.toString('utf8', start, end));
    if (description.build !== build) return empty;
    const code = description.files.map(([name, source, from, to]) => [
      name,
      { source, data: bytes.subarray(from, to) },
    ]);
    return { commands: description.commands, code: new Map(code) };
  } catch {
    return empty;
  }
}

/** Checks the opened file, not its path, so that no other file can take its place in between. */
function readPrivateFile(file) {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  // Without O_NONBLOCK, opening a named pipe would wait for its writer.
  const handle = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile() || !isPrivate(stat, 0o077) || stat.size > maxBytes) throw new Error('not a pack');
    return fs.readFileSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Whether only the user and root can change what is in the folder of packs, or the folder can still be made. */
function isPrivatePackFolder(root) {
  try {
    const cache = path.dirname(root);
    return (
      isProtected(path.dirname(cache)) !== false && isPrivateFolder(cache) !== false && isPrivateFolder(root) !== false
    );
  } catch {
    return false;
  }
}

/**
 * Whether other users cannot replace what is in a folder above the cache; undefined where it does not exist. Links there
 * are the system's or the user's own: /tmp is one on macOS. A group may write, because many systems give each user a group;
 * what the group puts into the cache does not belong to the user, so it is not read.
 */
function isProtected(folder) {
  if (user === undefined) return true;
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const isSticky = (stat.mode & 0o1000) !== 0;
  return (stat.uid === 0 || stat.uid === user) && ((stat.mode & 0o002) === 0 || isSticky);
}

/** Whether a folder belongs to the user and nobody else may write to it; undefined where it does not exist. */
function isPrivateFolder(folder) {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  return stat && stat.isDirectory() && isPrivate(stat, 0o022);
}

function isPrivate({ uid, mode }, forbiddenMode) {
  return user === undefined || (uid === user && (mode & forbiddenMode) === 0);
}

module.exports = { readPack, isPrivatePackFolder, isProtected, isPrivateFolder };
