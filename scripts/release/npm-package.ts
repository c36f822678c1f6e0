import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Release, root, run } from './release.ts';

/** Builds `dist/` and the manual pages, which the other artifacts contain too, and packs the npm package. */
export async function npmPackage({ version, out, work }: Release): Promise<string> {
  await run('npm', ['run', '--silent', 'prepack']);
  const staging = join(work, 'npm');
  stagePackage(staging);
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], { cwd: staging });
  const name = `docsctl-${version}-npm.tgz`;
  renameSync(join(out, `docsctl-${version}.tgz`), join(out, name));
  return name;
}

/** Copies what the package consists of, with a manifest without what only the checkout needs: npm warns about its scripts. */
export function stagePackage(folder: string, man = join(root, 'man')): void {
  const {
    scripts: _s,
    devDependencies: _d,
    allowScripts: _a,
    ...manifest
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  mkdirSync(folder, { recursive: true });
  for (const name of manifest.files) {
    cpSync(name === 'man' ? man : join(root, name), join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
