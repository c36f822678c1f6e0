import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const folder = join('node_modules', '.cache', 'docsctl');

/** The best compression takes seconds, so its result is kept for the next build. */
export async function compressed(content) {
  const file = join(folder, `${createHash('sha256').update(content).digest('hex').slice(0, 32)}.br`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return kept;
  const bytes = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  await mkdir(folder, { recursive: true });
  await writeFile(file, bytes);
  return bytes;
}

/** A module that loads the compressed one beside it. Both the platform and `bin/load.js` give modules `_compile`. */
export const loader =
  'const f=process.getBuiltinModule;' +
  'module._compile(f("node:zlib").brotliDecompressSync(f("node:fs").readFileSync(__filename+".br"))+"",__filename);\n';
