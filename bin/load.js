'use strict';
/**
 * Loads the program from code that an earlier command compiled. The platform's compile cache keeps a file as it is right
 * after loading; its functions are compiled again by every process that calls them, which takes longer than running them.
 * Here each group of commands has a pack: the code of all its chunks, with the functions that its commands called.
 */
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { digestOf } = require('./checksum.js');
const { isPrivatePackFolder, readPack } = require('./read-pack.js');

/** How the platform wraps a CommonJS module. */
const wrapper = '(function (exports, require, module, __filename, __dirname) {';
/** V8 drops code that has not run for a while, so a longer run has less to keep. */
const saveAfterMs = 2000;

/**
 * @param {string} entry file to load
 * @param {string | undefined} folder of packs; without one nothing is kept
 * @param {readonly string[]} args the command line, which decides which pack is used
 */
exports.load = function load(entry, folder, args) {
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

  if (pack) saveLater(pack);
  return run(entry, entryBytes).exports;
};

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

function saveLater(pack) {
  const save = () => {
    if (pack.hasNewCode) require('./write-pack.js').writePack(pack);
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
