// The databases of a model last as long as its world, so they wait for no disk, and a new one is a copy of an empty one: to
// create all tables takes longer than most commands.
import { registerHooks } from 'node:module';

const replacements = [
  ['PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL', 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF'],
  ['import { closeSync,', 'import { readFileSync, writeFileSync, closeSync,'],
  ['const busyTimeoutMs', 'let emptyDatabase;\nconst busyTimeoutMs'],
  [
    'const sqlite = open(file);',
    `const isNew = file !== ':memory:' && !existsSync(file);
  if (isNew && emptyDatabase) writeFileSync(file, emptyDatabase);
  const sqlite = open(file);`,
  ],
  [
    'return { sqlite, fresh: version === 0 };',
    `if (isNew && version === 0) emptyDatabase = readFileSync(file);
    return { sqlite, fresh: isNew || version === 0 };`,
  ],
];

registerHooks({
  load(address, context, nextLoad) {
    const loaded = nextLoad(address, context);
    if (!address.endsWith('/src/store/sqlite/file.ts')) return loaded;
    let source = String(loaded.source);
    for (const [from, to] of replacements) {
      if (source.split(from).length !== 2) throw new Error(`The databases of models no longer fit: ${from}`);
      source = source.replace(from, () => to);
    }
    return { ...loaded, source };
  },
});
