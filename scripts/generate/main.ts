import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { generate, generatedFolders, manList } from './files.ts';

// `npm run generate` writes the files that are generated and committed, and removes those that no longer exist. `--man
// <folder>` writes the manual pages instead, as packing does.
const root = join(import.meta.dirname, '..', '..');
const generated = await generate();
const [option, folder] = process.argv.slice(2);
if (option === undefined) writeCommitted();
else if (option === '--man' && folder !== undefined) writeMan(folder);
else throw new Error('Run "npm run generate", or "node scripts/generate/main.ts --man <folder>".');

function writeCommitted() {
  const files = generated.committed;
  for (const name of generatedFolders) {
    mkdirSync(join(root, name), { recursive: true });
    for (const file of readdirSync(join(root, name))) {
      if (!files.has(`${name}/${file}`)) rmSync(join(root, name, file), { recursive: true });
    }
  }
  for (const [path, text] of files) writeFileSync(join(root, path), text);

  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  manifest.man = manList(generated);
  writeFileSync(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The folder is created anew: a page of an earlier version must not be packed. */
function writeMan(target: string) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [name, text] of generated.man) writeFileSync(join(target, `${name}.gz`), gzipSync(text, { level: 9 }));
}
