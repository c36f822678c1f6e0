import { isBuiltin } from 'node:module';
import { resolve, sep } from 'node:path';

/**
 * Modules that are loaded together are bundled into one chunk: finding and opening a file costs more than reading a larger
 * one. A chunk has what its roots import statically, unless an earlier chunk has it.
 */
const chunks = [
  // Every command, and programs that use the library.
  {
    name: 'contract',
    roots: [
      'src/contract/endpoint.ts',
      'src/contract/common.ts',
      'src/contract/fields.ts',
      'src/cli/settings/paths.ts',
      'src/shared/version.ts',
      'src/shared/without-undefined.ts',
    ],
  },
  // Every command.
  { name: 'core', roots: ['src/main.ts', 'src/cli/command/define.ts'] },
  // Every command that is derived from an endpoint.
  {
    name: 'run',
    roots: [
      'src/cli/command/run.ts',
      'src/client/client.ts',
      'src/cli/naming/naming-client.ts',
      'src/cli/naming/names.ts',
    ],
  },
  // The instance, in this process or as a server.
  { name: 'instance', roots: ['src/server/open-embedded.ts', 'src/server/engine/implement.ts'] },
  { name: 'http', roots: ['src/client/http.ts'] },
];

/** Parts of libraries that most commands do not need: the bundler keeps them with the modules that import them. */
const separate =
  /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-|to-json-schema)|[\\/]kysely[\\/].*[\\/]dialect[\\/]postgres[\\/]/;

/** Whether a chunk is one of those that many commands load. */
export const isGroup = (name) => chunks.some((group) => group.name === name);

/** The bundler's `codeSplitting.groups`. */
export function chunkGroups() {
  let chunkOf;
  return [
    {
      name(id, graph) {
        chunkOf ??= assignChunks(graph);
        return chunkOf.get(id) ?? null;
      },
      debugName: 'chunks',
      includeDependenciesRecursively: false,
    },
  ];
}

/** Small modules that threads need as well: a thread must not load the chunks of commands for them. */
const shared = resolve('src/shared') + sep;

/** The names of chunks by module. */
function assignChunks(graph) {
  const chunkOf = new Map();
  const isShared = (id) =>
    id.startsWith(shared) && graph.getModuleInfo(id).importedIds.every((each) => isBuiltin(each) || isShared(each));
  for (const { name, roots } of chunks) {
    const waiting = roots.map((root) => resolve(root));
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const module = graph.getModuleInfo(id);
      if (!module || module.isExternal || chunkOf.has(id) || separate.test(id)) continue;
      chunkOf.set(id, isShared(id) ? 'shared' : name);
      waiting.push(...module.importedIds);
    }
  }
  return chunkOf;
}
