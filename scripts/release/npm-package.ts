import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Release, run } from './release.ts';

/** Builds `dist/` and the manual pages, which the other artifacts contain too, and packs the npm package. */
export async function npmPackage({ version, out }: Release): Promise<string> {
  mkdirSync(out, { recursive: true });
  await run('npm', ['pack', '--silent', '--pack-destination', out]);
  const name = `docsctl-${version}-npm.tgz`;
  renameSync(join(out, `docsctl-${version}.tgz`), join(out, name));
  return name;
}
