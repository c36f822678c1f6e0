/**
 * Modules of libraries that the bundle has another module for. No library's text is edited. Each replacement saves at
 * least 5 % of a budgeted figure or 250 KB of the package; `bench/README.md` has what was measured.
 *
 * `importer` and `modules` match the importing file and the names it imports, as they are written there.
 *
 * @type {Record<string, { importer: RegExp, modules: Record<string, { imported: RegExp, code: string }> }>}
 */
export const replacements = {
  // HTTP/2 is switched off, and the platform's module for it takes long to load.
  'undici-http2': {
    importer: /[\\/]undici[\\/]/,
    modules: {
      'client-h2': {
        imported: /[\\/]client-h2(\.js)?$/,
        code: unused('HTTP/2'),
      },
    },
  },
  // Parts that requests of text and bytes do not use. Each of them saves 1 to 3 % of a request over TCP.
  'undici-unused-parts': {
    importer: /[\\/]undici[\\/]/,
    modules: {
      // An experimental parser, which is off by default.
      'parser-h1': { imported: /[\\/]parser-h1\.js$/, code: 'exports.getMiloEnabled = () => false;' },
      // The parser compiled for SIMD. undici takes the one without where this is no WebAssembly.
      'llhttp_simd-wasm': { imported: /[\\/]llhttp_simd-wasm\.js$/, code: 'module.exports = new Uint8Array();' },
      // A search tree of a hundred header names, made at every start. undici decodes names that are not in it.
      tree: { imported: /^\.\/tree(\.js)?$/, code: 'exports.tree = { lookup: () => null };' },
      body: { imported: /[\\/]web[\\/]fetch[\\/]body(\.js)?$/, code: unused('the bodies of fetch') },
      formdata: { imported: /[\\/]web[\\/]fetch[\\/]formdata(\.js)?$/, code: unused('the bodies of fetch') },
      webidl: { imported: /[\\/]web[\\/]webidl$/, code: unused('the bodies of fetch') },
      // The default of the platform, and a class to recognize responses of its own client.
      http: {
        imported: /^node:http$/,
        code: 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class IncomingMessage {};',
      },
      // Loaded when an assertion fails.
      assert: {
        imported: /^node:assert$/,
        code: `module.exports = (value, message = 'An assertion of the HTTP client failed.') => {
          if (!value) process.getBuiltinModule('node:assert')(value, message);
        };`,
      },
    },
  },
  // The bundler copies every member of a module of the platform that is imported as a whole. commander never starts
  // another program for docsctl, so the module for that is loaded on use only.
  'commander-platform-modules': {
    importer: /[\\/]commander[\\/]/,
    modules: {
      path: { imported: /^node:path$/, code: "export default process.getBuiltinModule('node:path');" },
      fs: { imported: /^node:fs$/, code: "export default process.getBuiltinModule('node:fs');" },
      process: { imported: /^node:process$/, code: 'export default process;' },
      child_process: {
        imported: /^node:child_process$/,
        code: "export default { spawn: (...args) => process.getBuiltinModule('node:child_process').spawn(...args) };",
      },
    },
  },
  // For GraphQL schemas, which docsctl does not check.
  'redocly-graphql': {
    importer: /[\\/]@redocly[\\/]openapi-core[\\/]/,
    modules: { graphql: { imported: /^graphql$/, code: unused('GraphQL') } },
  },
  // Its decompressor carries a dictionary of 485 KB for fonts in WOFF2, which the platform can decompress as well.
  'fontkit-brotli': {
    importer: /[\\/]fontkit[\\/]/,
    modules: {
      decompress: {
        imported: /^brotli\/decompress\.js$/,
        code: "export default (bytes) => process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes);",
      },
    },
  },
};

/** A CommonJS module whose export throws when it is called. */
function unused(what) {
  const message = JSON.stringify(`docsctl is built without ${what}.`);
  return `module.exports = function () { throw new Error(${message}); };`;
}

/**
 * A plugin of the bundler. The build fails where something that is to be replaced is not imported any more: the library
 * may have it under another name.
 *
 * @param {string[]} without names of replacements that are skipped, to measure what they save
 */
export function replaceModules(without = []) {
  const modules = Object.entries(replacements)
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, { importer, modules: replaced }]) =>
      Object.entries(replaced).map(([key, module]) => ({ id: `\0replaced:${name}/${key}`, importer, ...module })),
    );
  const used = new Set();
  return {
    name: 'replace-modules',
    resolveId(name, importer = '') {
      const replaced = modules.find((module) => module.imported.test(name) && module.importer.test(importer));
      if (!replaced) return null;
      used.add(replaced);
      return replaced.id;
    },
    load: (id) => modules.find((module) => module.id === id)?.code ?? null,
    buildEnd(error) {
      if (error) return;
      const unused = modules.filter((module) => !used.has(module));
      if (unused.length === 0) return;
      const lines = unused.map(({ imported, importer }) => `${imported} imported by ${importer}`);
      throw new Error(
        `scripts/build/replaced-modules.mjs replaces what is not in this bundle:\n  ${lines.join('\n  ')}\n` +
          'See what the library has instead, or remove the replacement.',
      );
    },
  };
}
