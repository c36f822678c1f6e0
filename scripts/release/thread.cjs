'use strict';
// What a worker thread of the single executable runs. Its argument is a file of `dist/`.
const { loadContained } = require('../../bin/contained.js');

loadContained(process.argv[2], undefined, []);
