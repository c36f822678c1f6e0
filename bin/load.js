'use strict';
/**
 * Loads the program from code that an earlier command compiled. The platform's compile cache keeps a file as it is right
 * after loading; its functions are compiled again by every process that calls them, which takes longer than running them.
 * Here each group of commands has a pack: the code of all its chunks, with the functions that its commands called.
 *
 * Reading packs is in this file too: to load one more file takes every command 1 % longer.
 */
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

/** How the platform wraps a CommonJS module. */
const wrapper = '(function (exports, require, module, __filename, __dirname) {';
/** Where the files of the program are, and when they were written, in ms since 1970. */
const onDisk = { read: (file) => fs.readFileSync(file), modified: (file) => fs.statSync(file).mtimeMs };
/** V8 drops code that has not run for a while, so a longer run has less to keep. */
const saveAfterMs = 2000;

/**
 * @param {string} entry file to load, with "/" before its name; what it requires is beside it, or one folder below
 * @param {string | undefined} folder of packs; without one nothing is kept
 * @param {readonly string[]} args the command line, or the name of a thread: decides which pack is used
 * @param {(pack: object) => void} writePack called after a command that compiled code, with what `write-pack.js` takes
 * @param {typeof onDisk} files
 */
function load(entry, folder, args, writePack, files = onDisk, isThread = false) {
  const entryBytes = files.read(entry);
  const pack = openPack(entryBytes, folder, commandOf(args));
  const modules = new Map();

  function run(file, bytes) {
    // A compressed module calls `_compile` with its code, as it does where the platform loads it.
    const module = { exports: {}, _compile: (code) => evaluate(compile(`${file}.br`, code, pack, files)) };
    modules.set(file, module);
    const moduleFolder = folderOf(file);
    const requireFrom = (specifier) => {
      if (specifier[0] !== '.') return require(specifier);
      const isBeside = specifier.startsWith('./');
      const target = isBeside
        ? `${moduleFolder}/${specifier.slice(2)}`
        : `${folderOf(moduleFolder)}/${specifier.slice(3)}`;
      return (modules.get(target) ?? run(target, files.read(target))).exports;
    };
    const evaluate = (script) =>
      script.runInThisContext().call(module.exports, module.exports, requireFrom, module, file, moduleFolder);
    evaluate(compile(file, bytes, pack, files));
    return module;
  }

  if (pack) (isThread ? saveWhenIdle : saveLater)(pack, writePack);
  return run(entry, entryBytes).exports;
}

// Functions of node:path read a path letter by letter, which takes 3 ms here. Files of the program have "/" before their names
// on all systems, as the entry has.
const folderOf = (file) => file.slice(0, file.lastIndexOf('/'));
const nameOf = (file) => file.slice(file.lastIndexOf('/') + 1);

/** The pack of a command, empty where there is none yet; undefined where none may be read or written. */
function openPack(entryBytes, folder, command) {
  const root = folder && (path.isAbsolute(folder) ? folder : path.resolve(folder));
  if (!root || !command || !isPrivatePackFolder(root)) return undefined;
  // The first line of the entry is different for each build.
  const [, digest] = /^\/\/(\S+)/.exec(entryBytes.toString('latin1', 0, 100)) ?? [];
  const build = `${digest}-${process.version}-${process.arch}`;
  const file = `${root}/${build}/${command.split(' ', 1)[0]}.pack`;
  const { commands, code, close } = readPack(file, build);
  const hasNewCode = !commands.includes(command);
  return { file, root, build, command, commands, code, close, scripts: new Map(), hasNewCode };
}

function compile(file, bytes, pack, files) {
  const name = nameOf(file);
  // V8 itself compares only the length of the source.
  const modified = pack && files.modified(file);
  const compiled = pack?.code.get(name);
  const script = new vm.Script(`${wrapper}${bytes}\n})`, {
    filename: file,
    columnOffset: -wrapper.length,
    cachedData: compiled?.modified === modified ? compiled?.read() : undefined,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (pack) {
    pack.scripts.set(name, { modified, script });
    if (script.cachedDataRejected !== false) {
      pack.hasNewCode = true;
      pack.onNewCode?.();
    }
  }
  return script;
}

function saveLater(pack, writePack) {
  const save = () => {
    if (pack.hasNewCode) writePack(pack);
    pack.hasNewCode = false;
    pack.close();
  };
  // A server runs on; it has started by then.
  setTimeout(save, saveAfterMs).unref();
  process.on('exit', (status) => {
    if (status === 0) save();
  });
}

/** A thread loads code whenever it gets another task, and ends without an event. */
function saveWhenIdle(pack, writePack) {
  const timer = setTimeout(() => {
    if (pack.hasNewCode) writePack(pack);
    pack.hasNewCode = false;
  }, saveAfterMs).unref();
  pack.onNewCode = () => timer.refresh();
}

/** The words before arguments and options: `members view` of `members view jsU4MwG0hann --json`. */
function commandOf(args) {
  const end = args.findIndex((arg) => !/^[a-z-]+$/.test(arg) || arg[0] === '-');
  return args.slice(0, end < 0 ? 3 : Math.min(end, 3)).join(' ');
}

/*
 * A pack is code that runs with the user's rights, so it is only read where nobody but the user and root could have put it:
 * a variable that names a shared folder, or `sudo` with the HOME of another user, must not lead to what that user wrote.
 *
 * Its format: two copies of the length of a description, of the description as JSON, and of the code of each file. Whatever
 * is read is read from both copies and compared, which finds all damage but the same in both. That takes 0.8 ms for 800 KB,
 * half of a checksum in WebAssembly; node:zlib and node:crypto alone take 3 to 4 ms to load, about what a pack saves.
 */

/** Far more than any pack has. */
const maxBytes = 128 * 1024 * 1024;
/** Windows has no user ids and no modes; packs are in the user's profile there, which is closed to other users. */
const user = process.geteuid?.();

/**
 * What is in a pack. One that is damaged, of another build or open to other users counts as empty, and is replaced later.
 *
 * @returns {{ commands: string[], code: Map<string, { modified: number, read(): Buffer | undefined }>, close(): void }}
 *   `modified` is when the source was, in ms since 1970; `read` gives undefined for code that is damaged
 */
function readPack(file, build) {
  let pack;
  const close = () => {
    if (pack) fs.closeSync(pack.handle);
    pack = undefined;
  };
  try {
    if (!isPrivateFolder(path.dirname(file))) throw new Error('others may write here');
    pack = openPrivateFile(file);
    const codeStart = lengthBytes + readBoth(pack, 0, lengthBytes).readUInt32LE();
    const description = JSON.parse(readBoth(pack, lengthBytes, codeStart).toString());
    if (description.build !== build) throw new Error('another build');
    const { commands, files } = description;
    const code = files.map(([name, modified, start, end]) => [
      name,
      { modified, read: () => pack && readBoth(pack, codeStart + start, codeStart + end) },
    ]);
    return { commands, code: new Map(code), close };
  } catch {
    close();
    return { commands: [], code: new Map(), close };
  }
}

/** Checks the opened file, not its path, so that no other file can take its place in between. */
function openPrivateFile(file) {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  // Without O_NONBLOCK, opening a named pipe would wait for its writer.
  const handle = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const stat = fs.fstatSync(handle);
  if (stat.isFile() && isPrivate(stat, 0o077) && stat.size <= maxBytes) return { handle, size: stat.size / 2 };
  fs.closeSync(handle);
  throw new Error('not a pack');
}

/** How many bytes the length of the description has. */
const lengthBytes = 4;

/** The bytes between two positions of a copy; undefined if the copies differ, or end before. */
function readBoth({ handle, size }, start, end) {
  const length = end - start;
  if (end > size) return undefined;
  const [bytes, again] = [Buffer.allocUnsafeSlow(length), Buffer.allocUnsafeSlow(length)];
  const isRead =
    fs.readSync(handle, bytes, 0, length, start) === length &&
    fs.readSync(handle, again, 0, length, size + start) === length;
  return isRead && bytes.equals(again) ? bytes : undefined;
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

module.exports = { load, readPack, isPrivatePackFolder, isProtected, isPrivateFolder, lengthBytes };
