/**
 * Builds the artifacts of a release into `release/`, the same bytes each time.
 *
 *   --out FOLDER    builds into another folder
 *   --only WORD     only these artifacts: npm, x64, arm64; without npm, with the last build
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { executable } from './executable.ts';
import { npmPackage } from './npm-package.ts';
import { describeRelease } from './metadata.ts';
import { archive, debianPackage, rpmPackage } from './linux-packages.ts';
import { type Architecture, architectures, manifest, type Release, root, run } from './release.ts';

const { values: options } = parseArgs({
  options: { out: { type: 'string', default: 'release' }, only: { type: 'string', multiple: true } },
});
const isWanted = (name: string) => options.only?.includes(name) ?? true;
const unknown = new Set(options.only).difference(new Set(['npm', ...architectures]));
if (unknown.size > 0)
  throw new Error(`--only is npm, ${architectures.join(' or ')}, not ${[...unknown].join(' or ')}.`);
if (!isWanted('npm') && !['dist', 'man'].every((folder) => existsSync(join(root, folder))))
  throw new Error('There is no build: add --only npm.');

process.umask(0o022);
const commit = (await run('git', ['rev-parse', 'HEAD'])).trim();
const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? (await run('git', ['log', '-1', '--format=%ct'])));
const release: Release = {
  version: manifest.version,
  commit,
  epoch,
  out: resolve(root, options.out),
  work: mkdtempSync(join(tmpdir(), 'docsctl-release-')),
};
process.env.SOURCE_DATE_EPOCH = String(epoch);
process.env.TZ = 'UTC';
rmSync(release.out, { recursive: true, force: true });
mkdirSync(release.out, { recursive: true });
try {
  if (isWanted('npm')) await npmPackage(release);
  for (const architecture of architectures.filter(isWanted)) {
    const program = await executable(architecture, release, interpreter(architecture));
    await Promise.all([
      archive(architecture, program, release),
      debianPackage(architecture, program, release),
      rpmPackage(architecture, program, release),
    ]);
  }
  await describeRelease(release);
} finally {
  rmSync(release.work, { recursive: true, force: true });
}

/** What runs Node.js of another architecture here, to compile the code cache. */
function interpreter(architecture: Architecture): string[] {
  if (architecture === process.arch) return [];
  return architecture === 'arm64'
    ? ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu']
    : ['qemu-x86_64-static', '-L', '/usr/x86_64-linux-gnu'];
}
