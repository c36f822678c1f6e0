import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';

/** @throws Error for a formula that cannot be drawn */
export type DrawSvg = (tex: string, isBlock: boolean) => string;

let loaded: Promise<DrawSvg> | undefined;

/** Loads MathJax once. */
export const loadMathJax = (): Promise<DrawSvg> => (loaded ??= load());

/** The package has it compressed, because it is a quarter of the size. Run from its sources, it is a module. */
async function load(): Promise<DrawSvg> {
  const file = join(dirname(import.meta.filename), '..', 'mathjax.cjs.br');
  if (!existsSync(file)) {
    // The bundler must not see the name, or it would bundle the module.
    const name = './mathjax.ts';
    const { svgOf } = await import(/* @vite-ignore */ name);
    return svgOf;
  }
  const code = process.getBuiltinModule('node:zlib').brotliDecompressSync(readFileSync(file)).toString();
  const module: { exports: { svgOf?: DrawSvg } } = { exports: {} };
  const run = vm.compileFunction(code, ['exports', 'require', 'module'], { filename: file });
  run(module.exports, createRequire(import.meta.filename), module);
  if (!module.exports.svgOf) throw new Error(`${file} is damaged.`);
  return module.exports.svgOf;
}
