import { runProgram } from './cli/program.ts';
import { entries } from './commands/index.ts';

/** The root of the program: the one place that knows the command line and the service. */
export const main = (argv: readonly string[]): Promise<number> =>
  runProgram(argv, {
    entries,
    openEmbedded: async (options) => {
      const { openEmbedded } = await import('./server/embedded.ts');
      return openEmbedded({ ...options, allowPrivateImports: process.env.DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS === '1' });
    },
  });

// Node.js 22 warns of SQLite, in which what is used here is the same in 24, and users can do nothing about it.
const warn = process.emitWarning.bind(process) as (...given: unknown[]) => void;
process.emitWarning = (...given: unknown[]) => {
  if (!String(given[0]).startsWith('SQLite is an experimental feature')) warn(...given);
};

// Loaded by others, it does nothing by itself. Not awaited here: the bundle is CommonJS, which cannot.
if (process.argv[1] === import.meta.filename) {
  void main(process.argv.slice(2)).then((status) => {
    process.exitCode = status;
  });
}
