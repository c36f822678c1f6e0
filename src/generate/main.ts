import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles, generatedFolders, manList } from './files.ts';

// `npm run generate`: writes what is generated, and removes what no longer is.
const root = join(import.meta.dirname, '..', '..');
const files = await generatedFiles();
for (const folder of generatedFolders) {
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder))) {
    if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name), { recursive: true });
  }
}
for (const [path, text] of files) writeFileSync(join(root, path), text);

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
manifest.man = manList(files);
writeFileSync(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
