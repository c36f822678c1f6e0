import type { CommandLines, ParsedLine } from '../command/command-lines.ts';
import { type BuildOptions, buildProgram } from './build-commands.ts';
import { type Failure, exit } from './failure.ts';
import { failureFrom } from './report-error.ts';

const nothing = { write: () => {} };
const streams = { out: nothing, err: nothing, screen: { terminal: false, color: false, width: Infinity } };

/** Parses a command line without running it: unknown commands, flags and values are found. */
export async function checkLine(
  words: readonly string[],
  { entries, openEmbedded }: Pick<BuildOptions, 'entries' | 'openEmbedded'>,
): ReturnType<CommandLines['check']> {
  let parsed: ParsedLine | undefined;
  let failure: Failure | undefined;
  const onParsed = (line: ParsedLine) => {
    parsed = line;
  };
  const hooks = { signal: new AbortController().signal, onStart: () => {}, watch: () => {}, quietly: () => {} };
  try {
    await buildProgram({ entries, openEmbedded, streams, onParsed }, words, hooks).parseAsync([...words], {
      from: 'user',
    });
  } catch (error) {
    failure = failureFrom(error);
  }
  if (failure === undefined && parsed !== undefined) return parsed;
  // A group without a subcommand: commander would print its help.
  const missing = { exitCode: exit.usage, message: 'A subcommand is missing.', hint: 'See "docsctl help".' };
  return { failure: failure === undefined || failure.message === '' ? missing : failure };
}
