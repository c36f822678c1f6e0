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

/**
 * @param {string} entry file to load
 * @param {string | undefined} folder of packs; without one nothing is kept
 * @param {readonly string[]} words the command line, which says what pack it is
 */
exports.load = function load(entry, folder, words) {
  const command = commandOf(words);
  const read = (file) => fs.readFileSync(file, 'utf8');
  const source = read(entry);
  // The first line of the entry tells builds apart, as names do with all other files.
  const build = `${/^\/\/(\S+)/.exec(source)?.[1]}-${process.version}-${process.arch}`;
  const file = folder && command && path.join(folder, build, `${command.split(' ', 1)[0]}.pack`);
  const pack = file ? readPack(file) : undefined;
  const modules = new Map();
  const scripts = new Map();
  let isNews = pack !== undefined && !pack.commands.includes(command);

  function run(name, text) {
    const module = { exports: {} };
    modules.set(name, module);
    const cachedData = pack?.code.get(path.basename(name));
    const script = new vm.Script(`${head}${text}\n})`, {
      filename: name,
      columnOffset: -head.length,
      cachedData,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(path.basename(name), script);
    if (script.cachedDataRejected !== false) isNews = true;
    const folderOf = path.dirname(name);
    const requireFrom = (wanted) => {
      if (wanted[0] !== '.') return require(wanted);
      // Joining goes over a path letter by letter, so often that V8 would set out to optimize that.
      const other = wanted.startsWith('./') ? `${folderOf}/${wanted.slice(2)}` : path.join(folderOf, wanted);
      return (modules.get(other) ?? run(other, read(other))).exports;
    };
    script.runInThisContext().call(module.exports, module.exports, requireFrom, module, name, folderOf);
    return module;
  }

  if (file) {
    const keep = () => {
      if (isNews) writePack(file, pack, command, scripts);
      isNews = false;
    };
    // What runs on, as a server does, has begun by then.
    setTimeout(keep, longestMs).unref();
    process.on('exit', (status) => {
      if (status === 0) keep();
    });
  }
  return run(entry, source).exports;
};

/** The words before what is the user's own: `members view` of `members view jsU4MwG0hann --json`. */
function commandOf(words) {
  const end = words.findIndex((word) => !/^[a-z-]+$/.test(word) || word[0] === '-');
  return words.slice(0, end < 0 ? 3 : Math.min(end, 3)).join(' ');
}

/** A pack is a length, what is in it as JSON, and the code of each file at its place; code lies at multiples of 8. */
function readPack(file) {
  const none = { commands: [], code: new Map() };
  try {
    const bytes = fs.readFileSync(file);
    const end = 4 + bytes.readUInt32LE(0);
    const { commands, files } = JSON.parse(bytes.toString('utf8', 4, end));
    const code = new Map(files.map(([name, from, to]) => [name, bytes.subarray(from, to)]));
    return { commands, code };
  } catch {
    return none;
  }
}

/** Whatever goes wrong here, the command has done its work, and the next one will do without. */
function writePack(file, pack, command, scripts) {
  try {
    const code = new Map(pack.code);
    for (const [name, script] of scripts) code.set(name, script.createCachedData());
    const commands = [...new Set([...pack.commands, command])].slice(-50);
    const room = 8 * Math.ceil((4 + JSON.stringify({ commands, files: [...code.keys()] }).length + 24 * code.size) / 8);
    const files = [];
    let size = room;
    for (const [name, { length }] of code) {
      files.push([name, size, size + length]);
      size = 8 * Math.ceil((size + length) / 8);
    }
    const told = Buffer.from(JSON.stringify({ commands, files }));
    const bytes = Buffer.alloc(size);
    bytes.writeUInt32LE(told.length, 0);
    told.copy(bytes, 4);
    for (const [name, from] of files) code.get(name).copy(bytes, from);
    place(file, bytes);
  } catch {}
}

function place(file, bytes) {
  const folder = path.dirname(file);
  if (!fs.existsSync(folder)) {
    makeFolder(folder);
    sweep(path.dirname(folder));
  }
  const beside = `${file}.${process.pid}`;
  try {
    // Half a pack after a crash of the machine would be code that nobody wrote.
    fs.writeFileSync(beside, bytes, { flag: 'wx', mode: 0o600, flush: true });
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
    if (Date.now() - fs.statSync(old).mtimeMs > unusedDays * 86_400_000) fs.rmSync(old, { recursive: true });
  }
}
