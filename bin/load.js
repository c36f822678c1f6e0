'use strict';
// Loads the program from code compiled before. The platform's compile cache keeps what a file compiles to when it is
// loaded; its functions are compiled again by every process that calls them, which takes longer than what they do.
// Here each group of commands has a pack: the code of all its chunks, with the functions that its commands called.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const head = '(function (exports, require, module, __filename, __dirname) {';
/** V8 drops code that has not run for a while: what runs for longer has less to keep. */
const longestMs = 2000;
const unusedDays = 7;
/** No pack comes near; what is larger is not read at every start. */
const mostBytes = 64 * 1024 * 1024;
/** Windows has none, nor modes: packs lie in the user's profile there, which is closed to other users. */
const user = process.geteuid?.();
const digits = 32;

/**
 * @param {string} entry file to load
 * @param {string | undefined} folder of packs; without one nothing is kept
 * @param {readonly string[]} words the command line, which says what pack it is
 */
exports.load = function load(entry, folder, words) {
  const command = commandOf(words);
  const entryBytes = fs.readFileSync(entry);
  const entryText = entryBytes.toString();
  // The first line of the entry tells builds apart.
  const build = `${/^\/\/(\S+)/.exec(entryText)?.[1]}-${process.version}-${process.arch}`;
  const root = folder && path.resolve(folder);
  const file = root && command && isOnlyOurs(root) && path.join(root, build, `${command.split(' ', 1)[0]}.pack`);
  const pack = file ? readPack(file, build) : undefined;
  const modules = new Map();
  const scripts = new Map();
  let isNews = pack !== undefined && !pack.commands.includes(command);

  function run(name, bytes, text) {
    const module = { exports: {} };
    modules.set(name, module);
    const digest = file && digestOf(bytes);
    const compiled = pack?.code.get(path.basename(name));
    const script = new vm.Script(`${head}${text}\n})`, {
      filename: name,
      columnOffset: -head.length,
      // V8 itself compares no more of the text than its length.
      cachedData: digest !== undefined && compiled?.source === digest ? compiled.data : undefined,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(path.basename(name), { source: digest, script });
    if (script.cachedDataRejected !== false) isNews = true;
    const folderOf = path.dirname(name);
    const requireFrom = (wanted) => {
      if (wanted[0] !== '.') return require(wanted);
      // Joining goes over a path letter by letter, so often that V8 would set out to optimize that.
      const other = wanted.startsWith('./') ? `${folderOf}/${wanted.slice(2)}` : path.join(folderOf, wanted);
      return (modules.get(other) ?? read(other)).exports;
    };
    script.runInThisContext().call(module.exports, module.exports, requireFrom, module, name, folderOf);
    return module;
  }

  function read(name) {
    const bytes = fs.readFileSync(name);
    return run(name, bytes, bytes.toString());
  }

  if (file) {
    const keep = () => {
      if (isNews) writePack(file, root, build, pack, command, scripts);
      isNews = false;
    };
    // What runs on, as a server does, has begun by then.
    setTimeout(keep, longestMs).unref();
    process.on('exit', (status) => {
      if (status === 0) keep();
    });
  }
  return run(entry, entryBytes, entryText).exports;
};

// What tests ask of the format.
Object.assign(exports, { digestOf, packOf, readPack });

/** The words before what is the user's own: `members view` of `members view jsU4MwG0hann --json`. */
function commandOf(words) {
  const end = words.findIndex((word) => !/^[a-z-]+$/.test(word) || word[0] === '-');
  return words.slice(0, end < 0 ? 3 : Math.min(end, 3)).join(' ');
}

/*
 * The checksum's function in WebAssembly, in its text format:
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
 * It is this short for each byte because V8 sets out to optimize a function that has run for long, which takes longer.
 */
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

/** How many bytes these hexadecimal digits are, and some more, as WebAssembly writes a number below 16384. */
function sizeOf(hex, more) {
  const bytes = hex.length / 2 + more;
  return Buffer.of((bytes & 0x7f) | 0x80, bytes >> 7).toString('hex');
}

let memory;
let checksum;

/**
 * A checksum of 128 bits, as hexadecimal digits; undefined where WebAssembly is switched off or finds no memory. Damage
 * within 4 aligned bytes always changes it, any other damage but once in 2^32. It does not stop an attacker, who would
 * write the checksum too: checking owner and mode does. Loading node:zlib for its CRC-32 takes 3 ms and node:crypto 4,
 * about what a pack saves; a loop in JavaScript takes 2.
 */
function digestOf(bytes) {
  try {
    if (checksum === undefined) {
      memory = new WebAssembly.Memory({ initial: 1 });
      const module = new WebAssembly.Module(Buffer.from(program, 'hex'));
      checksum = new WebAssembly.Instance(module, { '': { '': memory } }).exports[''];
    }
    const length = 64 * Math.ceil(bytes.length / 64);
    const pages = Math.ceil(length / 65_536) - memory.buffer.byteLength / 65_536;
    if (pages > 0) memory.grow(pages);
    const room = Buffer.from(memory.buffer);
    room.set(bytes);
    room.fill(0, bytes.length, length);
    checksum(bytes.length);
    return room.toString('hex', 0, digits / 2);
  } catch {
    return undefined;
  }
}

/**
 * Whether nobody but the user and root can put anything where packs lie. A pack is code that runs with the user's rights:
 * a variable that names a shared folder, or `sudo` with the HOME of another user, must not lead to what that user wrote.
 */
function isOnlyOurs(root) {
  try {
    const cache = path.dirname(root);
    return (
      isGuarded(path.dirname(cache)) !== false && [cache, root].every((folder) => isPrivateFolder(folder) !== false)
    );
  } catch {
    return false;
  }
}

/** Whether the folder can be made, and files removed in it, without doing that in a place that another user chose. */
function mayChange(root) {
  if (user === undefined) return true;
  let above = path.dirname(path.dirname(root));
  while (!fs.existsSync(above)) above = path.dirname(above);
  for (let folder = fs.realpathSync.native(above); isGuarded(folder); folder = path.dirname(folder))
    if (folder === path.dirname(folder)) return isOnlyOurs(root);
  return false;
}

/**
 * Whether other users can exchange nothing in a folder above the cache; undefined where there is none. Links are the
 * system's or the user's own there: /tmp is one on macOS. A group may write, as many systems give each user a group; what
 * it puts into the cache is not the user's, and so not read.
 */
function isGuarded(folder) {
  if (user === undefined) return true;
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const isSticky = (stat.mode & 0o1000) !== 0;
  return (stat.uid === 0 || stat.uid === user) && ((stat.mode & 0o002) === 0 || isSticky);
}

/** Whether it is the user's, and only the user may write in it; undefined where there is none. No link leads to one. */
function isPrivateFolder(folder) {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  return stat && stat.isDirectory() && isPrivate(stat, 0o022);
}

function isPrivate({ uid, mode }, closed) {
  return user === undefined || (uid === user && (mode & closed) === 0);
}

/**
 * A pack is the checksum of all that follows, a length, what is in it as JSON, and the code of each file at its place;
 * code lies at multiples of 8. What is damaged, of another build or open to others counts as empty, and is written anew.
 */
function readPack(file, build) {
  const none = { commands: [], code: new Map() };
  try {
    if (!isPrivateFolder(path.dirname(file))) return none;
    const bytes = readPrivate(file);
    if (digestOf(bytes.subarray(digits)) !== bytes.toString('latin1', 0, digits)) return none;
    const start = digits + 4;
    const end = start + bytes.readUInt32LE(digits);
    const { build: builtBy, commands, files } = JSON.parse(bytes.toString('utf8', start, end));
    if (builtBy !== build) return none;
    const code = new Map(files.map(([name, source, from, to]) => [name, { source, data: bytes.subarray(from, to) }]));
    return { commands, code };
  } catch {
    return none;
  }
}

/** The bytes of a file that is the user's alone. All is asked of what was opened, so that nothing can take its place meanwhile. */
function readPrivate(file) {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  // Without O_NONBLOCK, opening a named pipe would wait for its writer.
  const handle = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile() || !isPrivate(stat, 0o077) || stat.size > mostBytes) throw new Error('not a pack');
    return fs.readFileSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Whatever goes wrong here, the command has done its work, and the next one will do without. */
function writePack(file, root, build, pack, command, scripts) {
  try {
    const code = new Map(pack.code);
    for (const [name, { source, script }] of scripts) code.set(name, { source, data: script.createCachedData() });
    const commands = [...new Set([...pack.commands, command])].slice(-50);
    place(file, root, packOf(build, commands, code));
  } catch {}
}

function packOf(build, commands, code) {
  const contents = (files) => Buffer.from(JSON.stringify({ build, commands, files }));
  const start = digits + 4;
  // What follows a file's name: its digest, and two numbers of up to 8 digits.
  const room = start + contents([...code].map(([name]) => [name])).length + (digits + 24) * code.size;
  const files = [];
  let size = 8 * Math.ceil(room / 8);
  for (const [name, { source, data }] of code) {
    files.push([name, source, size, size + data.length]);
    size = 8 * Math.ceil((size + data.length) / 8);
  }
  const described = contents(files);
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32LE(described.length, digits);
  described.copy(bytes, start);
  for (const [name, , from] of files) code.get(name).data.copy(bytes, from);
  bytes.write(digestOf(bytes.subarray(digits)), 0, 'latin1');
  return bytes;
}

function place(file, root, bytes) {
  // A server writes its pack long after it looked.
  if (!mayChange(root)) return;
  const folder = path.dirname(file);
  if (!fs.existsSync(folder)) {
    makeFolder(folder);
    sweep(root);
  }
  if (!isPrivateFolder(folder)) return;
  // The process's number alone is not unique: in containers it is often the same, and an earlier one may have left a file.
  const beside = `${file}.${process.pid}-${process.hrtime.bigint().toString(36)}`;
  try {
    // Nothing waits for the disk: half a pack after a crash of the machine fails its checksum.
    fs.writeFileSync(beside, bytes, { flag: 'wx', mode: 0o600 });
    fs.renameSync(beside, file);
  } catch (error) {
    fs.rmSync(beside, { force: true });
    throw error;
  }
}

// The platform's own recursive mkdir never ends where a parent refuses new entries, as /proc does.
function makeFolder(folder) {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  fs.mkdirSync(folder, { mode: 0o700 });
}

/** Removes what other versions kept, unless it is in use. */
function sweep(folder) {
  for (const name of fs.readdirSync(folder)) {
    const old = path.join(folder, name);
    if (Date.now() - fs.lstatSync(old).mtimeMs > unusedDays * 86_400_000) fs.rmSync(old, { recursive: true });
  }
}
