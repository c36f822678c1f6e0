'use strict';
// What a worker thread of the single executable runs, as `bin/thread.js` in the package.
const { loadContained } = require('../../bin/contained.js');
const { writePack } = require('../../bin/write-pack.js');

const [, , name, folder] = process.argv;
loadContained(name, folder, [name.replace('.cjs', '')], writePack, true);
