/**
 * Leaves out what the bundled libraries carry for uses that docsctl does not make of them. Each entry is a module as it
 * is resolved, and what stands in its place.
 */
const left = [
  // The settings are judged where they are read, and their file has one shape: neither a validator nor migrations.
  { from: /[\\/]conf[\\/]/, name: /^(ajv\/dist\/2020\.js|ajv-formats|semver)$/, code: unused('conf with a schema') },
  // Ora takes one spinner of some eighty.
  { from: /[\\/]ora[\\/]/, name: /^cli-spinners$/, code: spinners },
  // HTTP/2 is switched off; a second HTTP/1 parser is an experiment behind a variable.
  { from: /[\\/]undici[\\/]/, name: /[\\/]client-h2(\.js)?$/, code: unused('HTTP/2', 'commonjs') },
  {
    from: /[\\/]undici[\\/]/,
    name: /[\\/]parser-h1\.js$/,
    code: () => 'exports.getMiloEnabled = () => false;',
  },
  // The same parser twice, with and without SIMD: the plain one runs everywhere, and answers are parsed in no time.
  { from: /[\\/]undici[\\/]/, name: /[\\/]llhttp_simd-wasm\.js$/, code: () => 'module.exports = new Uint8Array();' },
];

function unused(what, format = 'module') {
  const refuse = `function refuse() { throw new Error(${JSON.stringify(`docsctl is built without ${what}.`)}); }`;
  return () =>
    format === 'module'
      ? `${refuse} export default refuse; export { refuse as Ajv2020 };`
      : `${refuse} module.exports = refuse;`;
}

function spinners() {
  return 'export default { dots: { interval: 80, frames: [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"] }, line: { interval: 130, frames: [..."-\\\\|/"] } };';
}

export const slim = {
  name: 'slim',
  resolveId(name, importer) {
    const index = left.findIndex((entry) => entry.name.test(name) && importer && entry.from.test(importer));
    return index < 0 ? null : `\0slim:${index}`;
  },
  load(id) {
    const index = /^\0slim:(\d+)$/.exec(id)?.[1];
    return index === undefined ? null : left[index].code();
  },
};

/** Modules of the platform that cost milliseconds to load and are used rarely: loaded when one of their members is read. */
export const late = {
  name: 'late',
  transform(code, id) {
    // Commander starts programs for commands that are files of their own, which docsctl has none of.
    if (!/[\\/]commander[\\/]lib[\\/]command\.js$/.test(id)) return null;
    return code
      .replace("import childProcess from 'node:child_process';", '')
      .replaceAll('childProcess.spawn', "process.getBuiltinModule('node:child_process').spawn");
  },
};
