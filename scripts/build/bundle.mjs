import { rolldown } from 'rolldown';
import { chunkGroups, isGroup } from './chunks.mjs';
import { replaceModules } from './replaced-modules.mjs';

/**
 * The program and the library as CommonJS in chunks: a command loads those it needs. ES modules would take 10 ms longer to
 * link, and importing one of the platform's modules from them reads every member it has.
 *
 * @param {string[]} without names of replacements (`replaced-modules.mjs`) that are skipped
 * @returns {Promise<{ fileName: string, code: string, exports: string[], isEntry: boolean, isGroup: boolean, modules: string[] }[]>}
 */
export async function bundle(without) {
  const bundled = await rolldown({
    input: {
      main: 'src/main.ts',
      index: 'src/index.ts',
      'text-thread': 'src/server/text/thread.ts',
      'folder-thread': 'src/sync/folder-thread.ts',
      'check-thread': 'src/site/folder/check-thread.ts',
      'site-thread': 'src/site/site-thread.ts',
      'description-thread': 'src/commands/shared/description-thread.ts',
    },
    platform: 'node',
    external: ['@napi-rs/keyring'],
    plugins: [replaceModules(without)],
    preserveEntrySignatures: 'allow-extension',
    onLog(level, log, handle) {
      // Some modules are imported statically by one module and dynamically by another, on purpose.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') handle(level, log);
    },
    // Its entry brings checks of other kinds of descriptions too, which are not used.
    treeshake: { moduleSideEffects: [{ test: /[\\/]@redocly[\\/]openapi-core[\\/]/, sideEffects: false }] },
  });
  const { output } = await bundled.generate({
    format: 'cjs',
    exports: 'named',
    minify: true,
    comments: { legal: false },
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    codeSplitting: { groups: chunkGroups() },
  });
  await bundled.close();
  return output.map(({ fileName, name, code, exports, isEntry, modules }) => ({
    fileName,
    code,
    exports,
    isEntry,
    isGroup: isGroup(name),
    modules: Object.keys(modules),
  }));
}
