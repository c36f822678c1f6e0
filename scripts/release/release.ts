import { execFile } from 'node:child_process';
import { chmodSync, cpSync, lutimesSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What all steps of a release have in common. */
export interface Release {
  version: string;
  /** The commit that is built. */
  commit: string;
  /** Its time in seconds since 1970, which all files have, so that two builds are identical. */
  epoch: number;
  /** Where the artifacts go. */
  out: string;
  /** A folder for files in between, removed at the end. */
  work: string;
}

export const root = join(import.meta.dirname, '..', '..');
export const manifest: { version: string; description: string; license: string; devDependencies: { node: string } } =
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const architectures = ['x64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** Runs a program. @returns its standard output @throws if it fails, with its standard error */
export async function run(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const { env, cwd = root } = options;
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    env: { ...process.env, ...env, LC_ALL: 'C.UTF-8' },
    maxBuffer: 256 * 1024 * 1024,
  });
  return stdout;
}

/** Copies files that are read only, or run, by everybody, whatever the umask of the build is. */
export function install(from: string, to: string, mode: 0o644 | 0o755 = 0o644): void {
  cpSync(from, to);
  chmodSync(to, mode);
}

/** Gives all that is in a folder the modes and the times of a release. */
export function normalize(folder: string, { epoch }: Release): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    lutimesSync(path, epoch, epoch);
  }
  chmodSync(folder, 0o755);
}

/** Packs a folder, always into the same bytes. */
export async function packTarball(parent: string, name: string, target: string, { epoch }: Release): Promise<void> {
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const options = ['--create', '--format=gnu', '--sort=name', `--mtime=@${epoch}`, ...owner, '--mode=u+rw,go=rX'];
  // One thread: with several, the bytes depend on their number.
  await run('tar', [...options, '--use-compress-program=xz -5 -T1', '--file', target, '-C', parent, name]);
}
