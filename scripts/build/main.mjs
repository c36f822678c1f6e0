/**
 * Builds `dist/`.
 *
 *   --clean         leaves nothing of an earlier build, as a published package requires
 *   --out FOLDER    builds another folder
 *   --without NAME  leaves out a replacement of `replaced-modules.mjs`, to measure what it saves
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bundle } from './bundle.mjs';
import { compressed, loader } from './compressed.mjs';
import { declarations } from './declarations.mjs';
import { licenses } from './licenses.mjs';
import { OutputFolder } from './output.mjs';
import { siteAssets } from './site-assets.mjs';

const { values: options } = parseArgs({
  options: {
    clean: { type: 'boolean', default: false },
    out: { type: 'string', default: 'dist' },
    without: { type: 'string', multiple: true },
  },
});
/** WebAssembly, which `src/cli/output/jq/jq.ts` and `src/content/pdf/pictures/pixels.ts` read from beside the program. */
const wasmFiles = {
  'jq.wasm.br': 'jq-wasm/jq.wasm',
  'webp.wasm.br': '@jsquash/webp/codec/dec/webp_dec.wasm',
};
const output = new OutputFolder(options.out);

/** Modules for a few commands are compressed from this size on: the size of the package counts. */
const compressedFrom = 160_000;

const [files, types, assets] = await Promise.all([bundle(options.without), declarations(), siteAssets()]);
const entry = (name) => files.find(({ fileName, isEntry }) => isEntry && fileName === name);

for (const file of files) if (!file.isEntry) await writeChunk(file);
for (const [name, module] of Object.entries(wasmFiles)) await output.write(name, await compressedFile(module));
for (const [name, content] of assets.files) await output.write(join('site', name), content);
for (const [name, text] of types) await output.write(join('types', name), text);
await output.write('licenses.txt', await licenses([...files.flatMap(({ modules }) => modules), ...assets.modules]));
await output.write('index.mjs', exportNames(entry('index.cjs').exports));
await output.write('help.txt', await rootHelp(entry('main.cjs').code));
// Last: an entry names its chunks, so a program that starts during the build finds either the old build or the new one
// complete.
for (const { fileName, code, isEntry } of files)
  if (isEntry) await output.write(fileName, `//${digest(code)}\n${code}`);
await output.removeOld({ isClean: options.clean });
await chmod('bin/docsctl.js', 0o755);

/** Different for each build: an entry names its chunks, and their names have a hash of their content. */
function digest(code) {
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}

async function writeChunk({ fileName, code, isGroup }) {
  if (isGroup || code.length < compressedFrom) return output.writeHashed(fileName, code);
  await output.writeHashed(`${fileName}.br`, await compressed(code));
  return output.writeHashed(fileName, loader);
}

/** A file of a library, compressed. */
async function compressedFile(module) {
  return compressed(await readFile(createRequire(import.meta.url).resolve(module)));
}

/** The library as an ES module. Node.js cannot tell all names that a minified CommonJS file exports. */
function exportNames(names) {
  const named = names.filter((name) => name !== 'default').join(', ');
  return `import library from './index.cjs';\nexport const { ${named} } = library;\n`;
}

/** What the program prints for `--help`: `bin/docsctl.js` prints it without loading the program. */
async function rootHelp(code) {
  const file = await output.write(`main-${process.pid}.cjs`, code);
  const { stdout } = await promisify(execFile)(process.execPath, [file, '--help']);
  await rm(file);
  return stdout;
}
