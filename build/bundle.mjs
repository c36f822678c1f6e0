import { rolldown } from 'rolldown';
import { late, slim } from './slim.mjs';

/**
 * The program and the library as CommonJS in chunks: what a command needs is loaded, and no more. ES modules would take
 * some 10 ms longer to link, and importing one of the platform's modules from them reads every member it has.
 *
 * @returns {Promise<{ fileName: string, code: string, exports: string[], isEntry: boolean, modules: string[] }[]>}
 */
export async function bundle() {
  const bundled = await rolldown({
    input: { main: 'src/main.ts', index: 'src/index.ts' },
    platform: 'node',
    external: [/^node:/, '@napi-rs/keyring'],
    plugins: [slim, late],
    // Its entry brings a linter with all its rules; used are the types of OpenAPI's objects.
    treeshake: { moduleSideEffects: [{ test: /[\\/]@redocly[\\/]openapi-core[\\/]/, sideEffects: false }] },
  });
  const { output } = await bundled.generate({
    format: 'cjs',
    exports: 'named',
    minify: true,
    comments: { legal: false },
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
  });
  await bundled.close();
  return output.map(({ fileName, code, exports, isEntry, modules }) => ({
    fileName,
    code,
    exports,
    isEntry,
    modules: Object.keys(modules),
  }));
}
