'use strict';
/**
 * Loads the program in the single executable. `scripts/release/executable.ts` puts all modules into one asset: at each
 * start, the platform reads the list of all assets.
 */
const { getRawAsset } = require('node:sea');
const { load } = require('./load.js');

/** Modules have paths in this folder, which does not exist. */
const dist = '/docsctl/dist';

const modules = Buffer.from(getRawAsset('modules'));
/** Where each module is, by its path in `dist/`, and whether it is compressed. @type {Record<string, [number, number, boolean]>} */
const index = JSON.parse(Buffer.from(getRawAsset('modules.json')));

const contained = {
  read(file) {
    const [start, end, isCompressed] = index[file.slice(dist.length + 1)];
    const bytes = modules.subarray(start, end);
    return isCompressed ? process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes) : bytes;
  },
  // Nobody can edit these files, and a pack is of one build.
  modified: () => 0,
};

/** As in `load.js`. @param {string} name a file of `dist/` */
function loadContained(name, folder, args, writePack, isThread) {
  return load(`${dist}/${name}`, folder, args, writePack, contained, isThread);
}

module.exports = { loadContained };
