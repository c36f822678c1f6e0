import type { Streams } from './cli/program/io.ts';
import { runProgram } from './cli/program/main.ts';
import { entries } from './commands/index.ts';
import { keepThreadCode } from './shared/program-files.ts';

/**
 * The root of the program: the one place that knows the command line and the service.
 *
 * @param streams default: those of the process
 * @param packs the folder of compiled code (`bin/load.js`)
 */
export function main(argv: readonly string[], streams?: Streams, packs?: string): Promise<number> {
  keepThreadCode(packs);
  return runProgram(argv, {
    streams,
    entries,
    openEmbedded: async (options) => {
      const { openEmbedded } = await import('./server/open-embedded.ts');
      return openEmbedded({ ...options, allowPrivate: process.env.DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS === '1' });
    },
  });
}

// Node.js 22 warns that SQLite is experimental, but the parts that are used here are the same in 24. All versions warn
// about the way in which a pack finds modules of the platform. Users can do nothing about either.
const experiments = /^(SQLite|vm\.USE_MAIN_CONTEXT_DEFAULT_LOADER) is an experimental feature/;
const warn = process.emitWarning.bind(process) as (...warning: unknown[]) => void;
process.emitWarning = (...warning: unknown[]) => {
  if (!experiments.test(String(warning[0]))) warn(...warning);
};

// Does nothing if this file is loaded by another one. Not awaited: the bundle is CommonJS, which has no await here.
if (process.argv[1] === import.meta.filename) {
  void main(process.argv.slice(2)).then((status) => {
    process.exitCode = status;
  });
}
