import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import binaries from './node-binaries.json' with { type: 'json' };
import { type Architecture, manifest, type Release, root, run } from './release.ts';

const cache = join(root, 'node_modules', '.cache', 'docsctl', 'release');

export interface NodeBinary {
  file: string;
  license: string;
  package: string;
  /** As npm writes it: `sha512-` and base64. */
  integrity: string;
}

/**
 * Node.js for an architecture, from the registry of npm: the version that `package.json` names. Without its symbols, which
 * are a seventh of it and must go before the program is added.
 */
export async function nodeBinary(architecture: Architecture, { work }: Release): Promise<NodeBinary> {
  const { package: name, integrity } = binaries[architecture];
  const { node: version } = manifest.devDependencies;
  const tarball = join(cache, `${name}-${version}.tgz`);
  if (!existsSync(tarball)) await download(`${name}@${version}`, tarball);
  const actual = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (actual !== integrity) {
    throw new Error(`${tarball} has ${actual}, and scripts/release/node-binaries.json has ${integrity}.`);
  }
  const folder = join(work, name);
  mkdirSync(folder);
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const file = join(folder, 'bin', 'node');
  await run(architecture === 'x64' ? 'x86_64-linux-gnu-strip' : 'aarch64-linux-gnu-strip', [file]);
  chmodSync(file, 0o755);
  return { file, license: join(folder, 'LICENSE'), package: `${name}@${version}`, integrity };
}

async function download(specifier: string, target: string): Promise<void> {
  const folder = join(cache, String(process.pid));
  mkdirSync(folder, { recursive: true });
  const name = await run('npm', ['pack', '--silent', '--pack-destination', folder, specifier]);
  renameSync(join(folder, name.trim()), target);
}
