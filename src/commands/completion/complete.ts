import { complete } from '../../cli/complete/complete.ts';
import type { Command } from '../../cli/command/command.ts';

/** Asked by the completion scripts: a line for each suggestion, its description behind a tab; or what paths stand here, and behind what. */
const command: Command = {
  use: '__complete [words...]',
  hidden: true,
  help: {
    summary: 'Complete a command line.',
  },
  input: {
    flags: [{ flags: '--begun <word>', description: 'the word that is being written', default: '' }],
  },
  async run(invocation) {
    const words = (invocation.args.words as string[] | undefined) ?? [];
    // A shell that waits for suggestions has no use for an error.
    const { suggestions, paths, before } = await complete(invocation, words, invocation.flags.begun).catch(() => ({
      suggestions: [],
      paths: undefined,
      before: undefined,
    }));
    const lines = suggestions.map(({ value, description }) => `${value}\t${description.replaceAll(/\s+/g, ' ')}\n`);
    if (paths) lines.push(`\t${paths}${before === undefined ? '' : `\t${before}`}\n`);
    await invocation.io.out.write(lines.join(''));
  },
};
export default command;
