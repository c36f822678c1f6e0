/**
 * Leaves out what the bundled libraries carry for uses that docsctl does not make of them. Each entry is a module as it
 * is resolved, and what stands in its place. A build in which one of them replaces nothing fails: the library no longer
 * has that module or no longer imports it from there, so what was meant to stay out may be in again under another name.
 */
const left = [
  // The settings are judged where they are read, and their file has one shape: neither a validator nor migrations.
  {
    from: /[\\/]conf[\\/]/,
    names: [/^ajv\/dist\/2020\.js$/, /^ajv-formats$/, /^semver$/],
    code: unused('conf with a schema', ['Ajv2020']),
  },
  // Ora takes one spinner of some eighty.
  { from: /[\\/]ora[\\/]/, names: [/^cli-spinners$/], code: spinners },
  // HTTP/2 is switched off; a second HTTP/1 parser is an experiment behind a variable.
  { from: /[\\/]undici[\\/]/, names: [/[\\/]client-h2(\.js)?$/], code: unused('HTTP/2') },
  {
    from: /[\\/]undici[\\/]/,
    names: [/[\\/]parser-h1\.js$/],
    code: () => 'exports.getMiloEnabled = () => false;',
  },
  // It makes the stream of standard error, to find out about colours.
  {
    from: /[\\/]undici[\\/]/,
    names: [/^node:assert$/],
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
    names: [/^node:http$/],
    code: () => 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class IncomingMessage {};',
  },
  // The same parser twice, with and without SIMD: the plain one runs everywhere, and answers are parsed in no time.
  { from: /[\\/]undici[\\/]/, names: [/[\\/]llhttp_simd-wasm\.js$/], code: () => 'module.exports = new Uint8Array();' },
  // A tree of some hundred names of headers, made at each start to find the few of an answer in it.
  {
    from: /[\\/]undici[\\/]/,
    names: [/^\.\/tree(\.js)?$/],
    code: () => 'exports.tree = { lookup: () => null };',
  },
  // Bodies are text and bytes: nothing of what fetch makes of a body.
  {
    from: /[\\/]undici[\\/]/,
    names: [/[\\/]web[\\/]fetch[\\/]body(\.js)?$/, /[\\/]web[\\/]fetch[\\/]formdata(\.js)?$/, /[\\/]web[\\/]webidl$/],
    code: unused('the bodies of fetch'),
  },
  // Queries are built, nothing else: tables are made by migrations in SQL.
  {
    from: /[\\/]kysely[\\/]/,
    names: [
      /[\\/]schema-module\.js$/,
      /[\\/]dynamic\.js$/,
      /[\\/]with-schema-plugin\.js$/,
      /[\\/]merge-query-builder\.js$/,
      /[\\/]json-path-builder\.js$/,
      /[\\/]sqlite-introspector\.js$/,
    ],
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
    names: [/^brotli\/decompress\.js$/],
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
  left.findIndex((entry) => importer && entry.names.some((one) => one.test(name)) && entry.from.test(importer));

/** Patterns below that were of use to the bundle at hand. */
const used = new Set();

/** @param {[pattern: RegExp, what: string][]} patterns */
function assertUsed(patterns) {
  const gone = patterns.filter(([pattern]) => !used.has(pattern)).map(([, what]) => what);
  if (gone.length === 0) return;
  throw new Error(
    `scripts/build/slim.mjs replaces or changes what is not in this bundle:\n  ${gone.join('\n  ')}\nSee what the library has in its place, or remove the entry.`,
  );
}

/** Whether something stands in the place of a module. */
export const isReplaced = (name, importer) => placeOf(name, importer) >= 0;

export const slim = {
  name: 'slim',
  resolveId(name, importer) {
    const index = placeOf(name, importer);
    if (index < 0) return null;
    for (const one of left[index].names) if (one.test(name)) used.add(one);
    return `\0slim:${index}`;
  },
  load(id) {
    const index = /^\0slim:(\d+)$/.exec(id)?.[1];
    return index === undefined ? null : left[index].code();
  },
  buildStart: () => used.clear(),
  buildEnd(error) {
    if (error) return;
    assertUsed(left.flatMap(({ from, names }) => names.map((name) => [name, `${name} imported by ${from}`])));
  },
};

/** Changes a few lines of libraries: those that cost milliseconds at every start, and a defect. */
export const late = {
  name: 'late',
  transform(code, id) {
    const changes = changed.find(({ file }) => file.test(id))?.changes;
    if (!changes) return null;
    for (const { file } of changed) if (file.test(id)) used.add(file);
    return changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${id} is not as it was: "${from}" is gone from it.`);
      return text.replaceAll(from, to);
    }, code);
  },
  buildEnd(error) {
    if (!error) assertUsed(changed.map(({ file }) => [file, String(file)]));
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
    changes: [
      // RFC 9110, 15.2: a client has to read past a 100 (Continue) that it did not ask for. undici cuts the connection.
      ['if (statusCode === 100) {', 'if (false) {'],
      // Its one large function would use up its budget within a few headers, and V8 hand it to the optimizing compiler:
      // 40 ms and more, for a parser of a few answers.
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
