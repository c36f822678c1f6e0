import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { foreseen } from './foresee.mjs';
import { isReplaced, late, slim } from './slim.mjs';

/**
 * What is loaded together lies together: finding and opening a file costs more than reading a larger one. A module goes
 * to the first that needs it.
 */
const together = [
  // What programs that use the library need too.
  {
    name: 'contract',
    roots: [
      'src/contract/endpoint.ts',
      'src/contract/common.ts',
      'src/contract/fields.ts',
      'src/cli/settings/paths.ts',
      'src/shared/version.ts',
    ],
  },
  // Every command.
  { name: 'core', roots: ['src/main.ts'] },
  // Every command that an endpoint describes.
  { name: 'run', roots: ['src/cli/command/run.ts', 'src/client/client.ts'] },
  // The instance, in this process or as a server.
  { name: 'instance', roots: ['src/server/open-embedded.ts'] },
  { name: 'http', roots: ['src/client/http.ts'] },
];

/** What is loaded when something of it is used, which most commands never do: no schema is made at start. */
const onUse = { name: 'zod', modules: /[\\/]node_modules[\\/]zod[\\/]/ };

/** What few of their importers need stays out of these. */
const apart = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-|to-json-schema)/;

/**
 * The program and the library as CommonJS in chunks: what a command needs is loaded, and no more. ES modules would take
 * some 10 ms longer to link, and importing one of the platform's modules from them reads every member it has.
 *
 * @returns {Promise<{ fileName: string, code: string, exports: string[], isEntry: boolean, modules: string[] }[]>}
 */
export async function bundle() {
  const bundled = await rolldown({
    input: { main: 'src/main.ts', index: 'src/index.ts', 'text-thread': 'src/server/text/thread.ts' },
    platform: 'node',
    external: (name, importer) =>
      (name.startsWith('node:') && !isReplaced(name, importer)) || name === '@napi-rs/keyring',
    plugins: [slim, late, foreseen],
    preserveEntrySignatures: 'allow-extension',
    onLog(level, log, tell) {
      // Some modules are loaded late by one and at once by another; which of them is in time is measured, not warned of.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') tell(level, log);
    },
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
    codeSplitting: { groups: [{ name: placer(), debugName: 'together', includeDependenciesRecursively: false }] },
  });
  await bundled.close();
  return output.map(({ fileName, code, exports, isEntry, modules }) => ({
    fileName,
    code: lazily(code),
    exports,
    isEntry,
    modules: Object.keys(modules),
  }));
}

/** Names of a chunk are looked up in it where they are used, so the chunk need not be there before. */
function lazily(code) {
  const required = new RegExp(`require\\(("[./]*/${onUse.name}-[^"]+")\\)`, 'g');
  return code.replaceAll(required, '(held=>new Proxy({},{get:(_,name)=>(held??=require($1))[name]}))()');
}

/** Which chunk a module goes to; null leaves it to the bundler. */
function placer() {
  let places;
  return (id, graph) => {
    places ??= placesOf(graph);
    if (onUse.modules.test(id) && !apart.test(id)) return onUse.name;
    return places.get(id) ?? null;
  };
}

function placesOf(graph) {
  const places = new Map();
  for (const { name, roots } of together) {
    const waiting = roots.map((root) => resolve(root));
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const module = graph.getModuleInfo(id);
      if (!module || module.isExternal || places.has(id) || apart.test(id)) continue;
      places.set(id, name);
      waiting.push(...module.importedIds);
    }
  }
  return places;
}
