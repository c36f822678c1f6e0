/**
 * Leaves out what the bundled libraries carry for uses that docsctl does not make of them. Each entry is a module as it
 * is resolved, and what stands in its place.
 */
const left = [
  // The settings are judged where they are read, and their file has one shape: neither a validator nor migrations.
  {
    from: /[\\/]conf[\\/]/,
    name: /^(ajv\/dist\/2020\.js|ajv-formats|semver)$/,
    code: unused('conf with a schema', ['Ajv2020']),
  },
  // Ora takes one spinner of some eighty.
  { from: /[\\/]ora[\\/]/, name: /^cli-spinners$/, code: spinners },
  // HTTP/2 is switched off; a second HTTP/1 parser is an experiment behind a variable.
  { from: /[\\/]undici[\\/]/, name: /[\\/]client-h2(\.js)?$/, code: unused('HTTP/2') },
  {
    from: /[\\/]undici[\\/]/,
    name: /[\\/]parser-h1\.js$/,
    code: () => 'exports.getMiloEnabled = () => false;',
  },
  // It makes the stream of standard error, to find out about colours.
  {
    from: /[\\/]undici[\\/]/,
    name: /^node:assert$/,
    code: () => `
      module.exports = function assert(claim, message = 'An assertion of the HTTP client does not hold.') {
        if (!claim) throw message instanceof Error ? message : new Error(message);
      };
      module.exports.equal = module.exports.strictEqual = (a, b, message) => module.exports(a === b, message);
      module.exports.notStrictEqual = (a, b, message) => module.exports(a !== b, message);`,
  },
  // Loaded for the size that headers may have, and to tell answers of the platform's own client.
  {
    from: /[\\/]undici[\\/]/,
    name: /^node:http$/,
    code: () => 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class IncomingMessage {};',
  },
  // The same parser twice, with and without SIMD: the plain one runs everywhere, and answers are parsed in no time.
  { from: /[\\/]undici[\\/]/, name: /[\\/]llhttp_simd-wasm\.js$/, code: () => 'module.exports = new Uint8Array();' },
  // A tree of some hundred names of headers, made at each start to find the few of an answer in it.
  {
    from: /[\\/]undici[\\/]/,
    name: /^\.\/tree(\.js)?$/,
    code: () => 'exports.tree = { lookup: () => null };',
  },
  // Bodies are text and bytes: nothing of what fetch makes of a body.
  {
    from: /[\\/]undici[\\/]/,
    name: /[\\/]web[\\/](fetch[\\/](body|formdata)(\.js)?|webidl)$/,
    code: unused('the bodies of fetch'),
  },
  // Queries are built, nothing else: tables are made by migrations in SQL.
  {
    from: /[\\/]kysely[\\/]/,
    name: /[\\/](schema-module|dynamic|with-schema-plugin|merge-query-builder|json-path-builder|sqlite-introspector)\.js$/,
    code: unused('what SQLite or docsctl has no use for', [
      'SchemaModule',
      'DynamicModule',
      'WithSchemaPlugin',
      'MergeQueryBuilder',
      'JSONPathBuilder',
      'TraversedJSONPathBuilder',
      'SqliteIntrospector',
    ]),
  },
  // Fonts in WOFF2 are for browsers; the platform can read them all the same.
  {
    from: /[\\/]fontkit[\\/]/,
    name: /^brotli\/decompress\.js$/,
    code: () => "export default (bytes) => process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes);",
  },
];

/** A module whose exports refuse to be called; of CommonJS where no names are given. */
function unused(what, names) {
  const refuse = `function refuse() { throw new Error(${JSON.stringify(`docsctl is built without ${what}.`)}); }`;
  return () =>
    names
      ? `${refuse} export default refuse; export { ${names.map((name) => `refuse as ${name}`).join(', ')} };`
      : `${refuse} module.exports = refuse;`;
}

function spinners() {
  return 'export default { dots: { interval: 80, frames: [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"] }, line: { interval: 130, frames: [..."-\\\\|/"] } };';
}

const placeOf = (name, importer) =>
  left.findIndex((entry) => importer && entry.name.test(name) && entry.from.test(importer));

/** Whether something stands in the place of a module. */
export const isReplaced = (name, importer) => placeOf(name, importer) >= 0;

export const slim = {
  name: 'slim',
  resolveId(name, importer) {
    const index = placeOf(name, importer);
    return index < 0 ? null : `\0slim:${index}`;
  },
  load(id) {
    const index = /^\0slim:(\d+)$/.exec(id)?.[1];
    return index === undefined ? null : left[index].code();
  },
};

/** Changes a few lines of libraries that cost milliseconds at every start. */
export const late = {
  name: 'late',
  transform(code, id) {
    const changes = changed.find(({ file }) => file.test(id))?.changes;
    if (!changes) return null;
    return changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${id} is not as it was: "${from}" is gone from it.`);
      return text.replaceAll(from, to);
    }, code);
  },
};

const changed = [
  {
    file: /[\\/]commander[\\/]lib[\\/]command\.js$/,
    changes: [
      // It starts programs for commands that are files of their own, which docsctl has none of.
      ["import childProcess from 'node:child_process';", ''],
      // As a default import each is copied, member by member.
      ["import path from 'node:path';", "const path = process.getBuiltinModule('node:path');"],
      ["import fs from 'node:fs';", "const fs = process.getBuiltinModule('node:fs');"],
      ["import process from 'node:process';", ''],
      ['childProcess.spawn', "process.getBuiltinModule('node:child_process').spawn"],
    ],
  },
  {
    file: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/,
    // Its one large function would use up its budget within a few headers, and V8 hand it to the optimizing compiler:
    // 40 ms and more, for a parser of a few answers.
    changes: [
      ['new WebAssembly.Module(', 'compiledOnce('],
      [
        'function lazyllhttp () {',
        `function compiledOnce(bytes) {
          const { setFlagsFromString } = process.getBuiltinModule('node:v8');
          setFlagsFromString('--wasm-tiering-budget=1000000000');
          try {
            return new WebAssembly.Module(bytes);
          } finally {
            setFlagsFromString('--wasm-tiering-budget=13000000');
          }
        }
        function lazyllhttp () {`,
      ],
    ],
  },
];
