import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from './bundle.mjs';
import { licenses } from './licenses.mjs';
import { place, sweep } from './place.mjs';
import { declarations } from './types.mjs';

/** Nothing of an earlier build is left, as it must be for what is published. */
const isClean = process.argv.includes('--clean');
const out = 'dist';

const [files, types] = await Promise.all([bundle(), declarations()]);
const chunks = files.filter(({ isEntry }) => !isEntry);
const entries = files.filter(({ isEntry }) => isEntry);

for (const { fileName, code } of chunks) await place(out, fileName, code, { isHashed: true });
await place(out, jqFile(files), await readFile(wasmOf('jq-wasm')));
for (const [name, text] of types) await place(out, join('types', name), text);
await place(out, 'licenses.txt', await licenses(files.flatMap(({ modules }) => modules)));
await place(out, 'index.mjs', reexports(entries.find(({ fileName }) => fileName === 'index.cjs').exports));
await place(out, 'help.txt', await rootHelp(entries.find(({ fileName }) => fileName === 'main.cjs').code));
for (const { fileName, code } of entries) await place(out, fileName, `//${digest(code)}\n${code}`);

await sweep(
  out,
  [
    ...files.map(({ fileName }) => fileName),
    ...[...types.keys()].map((name) => join('types', name)),
    jqFile(files),
    'licenses.txt',
    'index.mjs',
    'help.txt',
  ],
  { atOnce: isClean },
);
await chmod('bin/docsctl.js', 0o755);

/** Tells builds apart: an entry names its chunks, and their names say what is in them. */
function digest(code) {
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}

/** jq's code looks for its WebAssembly beside itself. */
function jqFile(bundled) {
  const { fileName } = bundled.find(({ modules }) => modules.some((module) => /[\\/]jq-wasm[\\/]/.test(module)));
  return join(fileName, '..', 'build', 'jq.wasm');
}

function wasmOf(name) {
  return createRequire(import.meta.url).resolve(`${name}/jq.wasm`);
}

/** ES modules see all names of the library this way, whatever they can tell of a CommonJS file. */
function reexports(names) {
  return `import library from './index.cjs';\nexport const { ${names.filter((name) => name !== 'default').join(', ')} } = library;\n`;
}

/** What the program prints for `--help`, so that it can be answered without loading it. */
async function rootHelp(code) {
  const name = `main-${process.pid}.cjs`;
  await place(out, name, code);
  const { stdout } = await promisify(execFile)(process.execPath, [join(out, name), '--help']);
  await rm(join(out, name));
  return stdout;
}
