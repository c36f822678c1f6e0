import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';

// Bundled CommonJS packages ask for the platform's modules with require().
const banner = "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);\n";

/** Importing node:process as a module reads every property of it, which opens all three streams: 10 ms. */
const leanProcess = {
  name: 'lean-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?process$/ }, () => ({ path: 'process', namespace: 'lean' }));
    onLoad({ filter: /.*/, namespace: 'lean' }, () => ({
      contents: `const it = globalThis.process;
        export default it;
        export const { env, platform, argv, execPath, pid, version, versions, cwd, exit, nextTick, hrtime } = it;`,
    }));
  },
};

const out = process.env.DOCSCTL_DIST ?? 'dist';
const result = await build({
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  entryPoints: { main: 'src/main.ts', index: 'src/index.ts' },
  outdir: out,
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['@napi-rs/keyring'],
  plugins: [leanProcess],
  write: false,
});

await rm(out, { recursive: true, force: true });
for (const { path, text } of result.outputFiles) {
  await mkdir(dirname(path), { recursive: true });
  // Making a require costs each chunk a little, and few need one.
  await writeFile(path, /\brequire\b/.test(text) ? banner + text : text);
}
await chmod('bin/docsctl.js', 0o755);
