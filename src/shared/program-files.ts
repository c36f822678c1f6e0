import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * The files that are shipped with the program. The npm package has them on disk; the single executable contains them, and
 * the paths of its modules do not exist.
 */

const isExecutable = (): boolean => process.getBuiltinModule('node:sea').isSea();

/** This module is in `dist/` or `dist/chunks/`, or in `src/shared/`. */
function packageFolder(): string {
  const here = dirname(import.meta.filename);
  return join(here, here.endsWith('chunks') || import.meta.filename.endsWith('.ts') ? '../..' : '..');
}

/** Whether the executable contains a file compressed: its size is limited. */
export const isCompressedInExecutable = (path: string): boolean => /^dist\/site\/.*\.(?:css|js)$/.test(path);

/** Reads a shipped file. Code that runs from source uses the last build. @param path such as `dist/site/site.css` */
export function programFile(path: string): Uint8Array<ArrayBuffer> {
  if (isExecutable()) {
    // The memory of the executable is read-only, so this is a copy.
    const bytes = new Uint8Array(process.getBuiltinModule('node:sea').getAsset(path));
    if (!isCompressedInExecutable(path)) return bytes;
    return Uint8Array.from(process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes));
  }
  const file = join(packageFolder(), path);
  if (!existsSync(file)) throw new Error(`${file} is missing. Run \`npm run build\`.`);
  return Uint8Array.from(readFileSync(file));
}

/** When the program was built or installed, in ms since 1970: different for builds of the same version. */
export const programModified = (): number => statSync(isExecutable() ? process.execPath : import.meta.filename).mtimeMs;

/** The folder of compiled code (`bin/load.js`); undefined where threads compile their code themselves. */
let packs: string | undefined;

export function keepThreadCode(folder: string | undefined): void {
  packs = folder;
}

/**
 * What a worker thread runs, for `new Worker(...)`.
 *
 * @param module the module that starts the thread
 * @param source the file of the thread beside that module
 * @param built its file in `dist/`
 */
export function threadProgram(module: string, source: string, built: string): ThreadProgram {
  if (isExecutable()) {
    const code = process.getBuiltinModule('node:sea').getAsset('thread.js', 'utf8');
    return { file: code, options: { eval: true, argv: packs === undefined ? [built] : [built, packs] } };
  }
  if (module.endsWith('.ts')) return { file: join(dirname(module), source) };
  if (packs === undefined) return { file: join(dirname(module), '..', built) };
  return { file: join(packageFolder(), 'bin', 'thread.js'), options: { argv: [built, packs] } };
}

export interface ThreadProgram {
  /** Its path, or its code. */
  file: string;
  options?: { eval?: true; argv: string[] };
}
