'use strict';
/**
 * What a worker thread of the program runs, so that it has packs as commands do (`load.js`). Its arguments are the name of
 * a file of `dist/` and the folder of packs.
 */
const path = require('node:path');
const { load } = require('./load.js');

const [, , name, folder] = process.argv;
const writePack = (pack) => require('./write-pack.js').writePack(pack);
load(`${path.join(__dirname, '..', 'dist')}/${name}`, folder, [path.parse(name).name], writePack, undefined, true);
