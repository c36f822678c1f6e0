import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { rolldown } from 'rolldown';

/**
 * MathJax, compressed: `src/content/pdf/math/load-mathjax.ts` reads it from beside the program.
 *
 * @returns {Promise<{ bytes: Uint8Array, modules: string[] }>}
 */
export async function mathJax() {
  const bundled = await rolldown({ input: 'src/content/pdf/math/mathjax.ts', platform: 'node' });
  const { output } = await bundled.generate({
    format: 'cjs',
    exports: 'named',
    minify: true,
    comments: { legal: false },
    codeSplitting: false,
  });
  await bundled.close();
  const [{ code, modules }] = output;
  return { bytes: await compressed(code), modules: Object.keys(modules) };
}

/** The best compression takes seconds, so its result is kept for the next build. */
async function compressed(code) {
  const folder = join('node_modules', '.cache', 'docsctl');
  const file = join(folder, `mathjax-${createHash('sha256').update(code).digest('hex').slice(0, 16)}.br`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return kept;
  const bytes = brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  await mkdir(folder, { recursive: true });
  await writeFile(file, bytes);
  return bytes;
}
