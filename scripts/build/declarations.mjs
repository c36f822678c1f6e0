import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { describeTypes } from '../generate/types.ts';

const run = promisify(execFile);

/**
 * The library's type declarations by file name. Those of the client are what the compiler emits; those of the contract are
 * written from its schemas, so that a program needs no zod to compile against them.
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
    const written = new Map([
      ['contract/all.d.ts', contract],
      ['contract/endpoint.d.ts', await readFile('scripts/build/endpoint.d.ts', 'utf8')],
    ]);
    return await readReachable('index.d.ts', async (name) => written.get(name) ?? readFile(join(folder, name), 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const specifier = /(from |import\()(['"])(\.{1,2}\/[^'"]+?)\.(?:ts|js)\2/g;

/** A file and all that it imports, with specifiers that end in `.js` as Node.js resolves them. */
async function readReachable(entry, read) {
  const texts = new Map();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (texts.has(name)) continue;
    const text = await read(name);
    texts.set(name, text.replaceAll(specifier, '$1$2$3.js$2'));
    for (const [, , , path] of text.matchAll(specifier)) waiting.push(`${posix.join(posix.dirname(name), path)}.d.ts`);
  }
  return texts;
}
