'use strict';
/**
 * Loads the program from code that an earlier command compiled. The platform's compile cache keeps a file as it is right
 * after loading; its functions are compiled again by every process that calls them, which takes longer than running them.
 * Here each group of commands has a pack: the code of all its chunks, with the functions that its commands called.
 *
 * Reading packs and their checksum are in this file too: to load one more file takes every command 1 % longer.
 */
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

/** How the platform wraps a CommonJS module. */
const wrapper = '(function (exports, require, module, __filename, __dirname) {';
/** V8 drops code that has not run for a while, so a longer run has less to keep. */
const saveAfterMs = 2000;

/**
 * @param {string} entry file to load
 * @param {string | undefined} folder of packs; without one nothing is kept
 * @param {readonly string[]} args the command line, which decides which pack is used
 * @param {(pack: object) => void} writePack called after a command that compiled code, with what `write-pack.js` takes
 */
function load(entry, folder, args, writePack) {
  const entryBytes = fs.readFileSync(entry);
  const pack = openPack(entryBytes, folder, commandOf(args));
  const modules = new Map();

  function run(file, bytes) {
    const module = { exports: {} };
    modules.set(file, module);
    const script = compile(file, bytes, pack);
    const moduleFolder = path.dirname(file);
    const requireFrom = (specifier) => {
      if (specifier[0] !== '.') return require(specifier);
      // path.join reads a path letter by letter, so often here that V8 would spend time on optimizing it.
      const target = specifier.startsWith('./')
        ? `${moduleFolder}/${specifier.slice(2)}`
        : path.join(moduleFolder, specifier);
      return (modules.get(target) ?? run(target, fs.readFileSync(target))).exports;
    };
    script.runInThisContext().call(module.exports, module.exports, requireFrom, module, file, moduleFolder);
    return module;
  }

  if (pack) saveLater(pack, writePack);
  return run(entry, entryBytes).exports;
}

/** The pack of a command, empty where there is none yet; undefined where none may be read or written. */
function openPack(entryBytes, folder, command) {
  const root = folder && path.resolve(folder);
  if (!root || !command || !isPrivatePackFolder(root)) return undefined;
  // The first line of the entry is different for each build.
  const [, digest] = /^\/\/(\S+)/.exec(entryBytes.toString('latin1', 0, 100)) ?? [];
  const build = `${digest}-${process.version}-${process.arch}`;
  const file = path.join(root, build, `${command.split(' ', 1)[0]}.pack`);
  const { commands, code } = readPack(file, build);
  return { file, root, build, command, commands, code, scripts: new Map(), hasNewCode: !commands.includes(command) };
}

function compile(file, bytes, pack) {
  const name = path.basename(file);
  const digest = pack && digestOf(bytes);
  const compiled = pack?.code.get(name);
  const script = new vm.Script(`${wrapper}${bytes}\n})`, {
    filename: file,
    columnOffset: -wrapper.length,
    // V8 itself compares only the length of the source.
    cachedData: digest !== undefined && compiled?.source === digest ? compiled.data : undefined,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (pack) {
    pack.scripts.set(name, { source: digest, script });
    if (script.cachedDataRejected !== false) pack.hasNewCode = true;
  }
  return script;
}

function saveLater(pack, writePack) {
  const save = () => {
    if (pack.hasNewCode) writePack(pack);
    pack.hasNewCode = false;
  };
  // A server runs on; it has started by then.
  setTimeout(save, saveAfterMs).unref();
  process.on('exit', (status) => {
    if (status === 0) save();
  });
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
 * Its format: the checksum of everything after it, a length, a description as JSON of that length, and the code of each
 * file, at multiples of 8.
 */

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

/*
 * A checksum of 128 bits. Loading node:zlib for its CRC-32 takes 3 ms and node:crypto 4, about what a pack saves; a loop in
 * JavaScript takes 2. So this is a function in WebAssembly, assembled here from its text format:
 *
 * (module
 *   (import "" "" (memory 1))
 *   (func (export "") (param $length i32)
 *     (local $at i32) (local $even v128) (local $odd v128) (local $factor v128)
 *     (local.set $even (i32x4.splat (local.get $length)))
 *     (local.set $odd (i32x4.splat (i32.const 1)))
 *     (local.set $factor (i32x4.splat (i32.const 0x9e3779b1)))
 *     (block $end
 *       (loop $next
 *         (br_if $end (i32.ge_u (local.get $at) (local.get $length)))
 *         ;; Both steps can be undone, so sums that differ once differ to the end. Multiplying carries upwards only, so
 *         ;; upper bits are mixed into lower ones. This is done 4 times, for $even, $odd, $even and $odd.
 *         (local.set $even (i32x4.mul (v128.xor (local.get $even) (v128.load offset=0 (local.get $at))) (local.get $factor)))
 *         (local.set $even (v128.xor (local.get $even) (i32x4.shr_u (local.get $even) (i32.const 15))))
 *         (local.set $at (i32.add (local.get $at) (i32.const 64)))
 *         (br $next)))
 *     (v128.store (i32.const 0) (v128.xor (local.get $even) (local.get $odd)))))
 *
 * It does little for each byte because V8 starts to optimize a function that runs for long, which takes longer.
 */

const blockBytes = 64;
const pageBytes = 65_536;
const sumBytes = 16;

const mix = (offset, sum) =>
  // sum = (sum ^ bytes at the offset) * factor; sum = sum ^ (sum >> 15)
  `20${sum}2001fd0004${offset}fd512004fdb50122${sum}` + `20${sum}410ffdad01fd5121${sum}`;
const body = [
  '02017f037b', // local $at, $even, $odd, $factor
  '2000fd112102' + '4101fd112103' + '41b1f3ddf179fd112104', // even = length, odd = 1, factor = ...
  '02400340' + '200120004f0d01', // block, loop; leave when at >= length
  mix('00', '02') + mix('10', '03') + mix('20', '02') + mix('30', '03'),
  '200141c0006a2101' + '0c000b0b', // at += 64; again
  '410020022003fd51fd0b0400' + '0b', // store even ^ odd at 0
].join('');
const program = [
  '0061736d01000000', // magic, version
  '0105' + '0160017f00', // type (i32) -> nothing
  '0206' + '010000020001', // import memory
  '0302' + '0100', // function of that type
  '0704' + '01000000', // export it
  `0a${sizeOf(body, 3)}01${sizeOf(body, 0)}${body}`, // code
].join('');

/** The number of bytes of these hexadecimal digits, and some more, as WebAssembly writes a number below 16384. */
function sizeOf(hex, more) {
  const bytes = hex.length / 2 + more;
  return Buffer.of((bytes & 0x7f) | 0x80, bytes >> 7).toString('hex');
}

let memory;
let checksum;

/** How many characters a checksum has. */
const digits = 2 * sumBytes;

/**
 * The checksum as hexadecimal digits; undefined where WebAssembly is switched off or finds no memory. Damage within 4
 * aligned bytes always changes it, other damage is missed once in 2^32. It does not stop an attacker, who would write the
 * checksum too: the checks of owner and mode do.
 */
function digestOf(bytes) {
  try {
    if (checksum === undefined) {
      memory = new WebAssembly.Memory({ initial: 1 });
      const module = new WebAssembly.Module(Buffer.from(program, 'hex'));
      checksum = new WebAssembly.Instance(module, { '': { '': memory } }).exports[''];
    }
    const length = blockBytes * Math.ceil(bytes.length / blockBytes);
    const missingPages = Math.ceil(length / pageBytes) - memory.buffer.byteLength / pageBytes;
    if (missingPages > 0) memory.grow(missingPages);
    const input = Buffer.from(memory.buffer);
    input.set(bytes);
    input.fill(0, bytes.length, length);
    checksum(bytes.length);
    return input.toString('hex', 0, sumBytes);
  } catch {
    return undefined;
  }
}

module.exports = { load, readPack, isPrivatePackFolder, isProtected, isPrivateFolder, digestOf, digits };
