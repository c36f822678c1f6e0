import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { isCompressedInExecutable } from '../../src/shared/program-files.ts';
import { nodeBinary, type NodeBinary } from './node-binary.ts';
import { type Architecture, type Release, root, run } from './release.ts';

/** Larger modules are compressed, unless many commands load them. The size of the executable is limited. */
const compressedFrom = 3_000;
const manyCommands = /^dist\/(?:main\.cjs$|chunks\/(?:contract|run|instance|http)-)/;
/** Programs may carry this fuse, which the tool for injection changes to say that they have a resource. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export interface Executable {
  file: string;
  node: NodeBinary;
}

/** Node.js with the program in it, in one file. @param interpreter runs programs of the architecture on this machine */
export async function executable(
  architecture: Architecture,
  release: Release,
  interpreter: string[] = [],
): Promise<Executable> {
  const node = await nodeBinary(architecture, release);
  const folder = join(release.work, `executable-${architecture}`);
  mkdirSync(folder);
  const [main, thread] = await Promise.all([bundled('bin/docsctl.js'), bundled('scripts/release/thread.cjs')]);
  writeFileSync(join(folder, 'main.js'), main);
  writeFileSync(join(folder, 'thread.js'), thread);
  const blob = join(folder, 'program.blob');
  const config = {
    // Relative, because the executable contains it.
    main: 'main.js',
    output: blob,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: { 'thread.js': join(folder, 'thread.js'), ...assets(folder) },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  // The code cache is for the Node.js that compiled it. Without the flag, its hash codes are different each time.
  const flags = ['--random-seed=1', '--experimental-sea-config', 'config.json'];
  const [program = node.file, ...words] = [...interpreter, node.file, ...flags];
  await run(program, words, { cwd: folder });
  const file = join(folder, 'docsctl');
  copyFileSync(node.file, file);
  await run(process.execPath, [
    join(root, 'node_modules', 'postject', 'dist', 'cli.js'),
    file,
    'NODE_SEA_BLOB',
    blob,
    '--sentinel-fuse',
    fuse,
  ]);
  return { file, node };
}

/** A module with all it requires, as one. */
async function bundled(file: string): Promise<string> {
  const bundle = await rolldown({ input: join(root, file), platform: 'node' });
  const { output } = await bundle.generate({ format: 'cjs', minify: true });
  await bundle.close();
  return output[0].code;
}

/** The modules of the program, as `bin/contained.js` reads them, and the other files of the package that it reads, by their paths. */
function assets(folder: string): Record<string, string> {
  const files = ['package.json', ...filesIn('completions'), ...filesIn('dist')].filter(
    (path) => !/^dist\/(?:types\/|index\.|licenses\.txt)/.test(path),
  );
  const isModule = (path: string) => /\.cjs(?:\.br)?$/.test(path);
  const parts: Buffer[] = [];
  const index: Record<string, [number, number, boolean]> = {};
  let end = 0;
  for (const path of files.filter((each) => isModule(each) && !files.includes(`${each}.br`))) {
    const content = readFileSync(join(root, path));
    const isBuilt = path.endsWith('.br');
    const isCompressed = isBuilt || (content.length >= compressedFrom && !manyCommands.test(path));
    const bytes = isCompressed && !isBuilt ? brotliCompressSync(content) : content;
    index[path.slice('dist/'.length).replace(/\.br$/, '')] = [end, (end += bytes.length), isCompressed];
    parts.push(bytes);
  }
  const [modules, indexFile] = [join(folder, 'modules'), join(folder, 'modules.json')];
  writeFileSync(modules, Buffer.concat(parts));
  writeFileSync(indexFile, JSON.stringify(index));
  const others = files
    .filter((path) => !isModule(path))
    .map((path) => [path, isCompressedInExecutable(path) ? compressedFile(path, folder) : join(root, path)]);
  return { modules, 'modules.json': indexFile, ...Object.fromEntries(others) };
}

function compressedFile(path: string, folder: string): string {
  const file = join(folder, `${path.replaceAll('/', '-')}.br`);
  writeFileSync(file, brotliCompressSync(readFileSync(join(root, path))));
  return file;
}

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
