import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { describeTypes } from '../generate/types.ts';

const run = promisify(execFile);

/**
 * The library's type declarations by file name: the client's as the compiler emits them, the contract's as they follow
 * from its schemas, so that they stand without the library those are made with.
 *
 * @returns {Promise<Map<string, string>>}
 */
export async function declarations() {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-types-'));
  try {
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const [contract] = await Promise.all([
      describeTypes(),
      run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', folder]),
    ]);
    const known = new Map([
      ['contract/all.d.ts', contract],
      ['contract/endpoint.d.ts', await readFile('scripts/build/endpoint.d.ts', 'utf8')],
    ]);
    return await reachable('index.d.ts', async (name) => known.get(name) ?? readFile(join(folder, name), 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const specifier = /(from |import\()(['"])(\.{1,2}\/[^'"]+?)\.(?:ts|js)\2/g;

async function reachable(entry, read) {
  const found = new Map();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const text = await read(name);
    found.set(name, text.replaceAll(specifier, '$1$2$3.js$2'));
    for (const [, , , to] of text.matchAll(specifier)) waiting.push(`${posix.join(posix.dirname(name), to)}.d.ts`);
  }
  return found;
}
