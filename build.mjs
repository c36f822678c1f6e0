import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};
// Bundled CommonJS packages ask for the platform's modules with require().
const banner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};

await rm('dist', { recursive: true, force: true });
await build({
  ...shared,
  entryPoints: { main: 'src/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  banner,
  external: ['@napi-rs/keyring'],
});
await chmod('bin/docsctl.js', 0o755);
