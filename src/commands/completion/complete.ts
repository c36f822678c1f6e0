import { complete } from '../../cli/complete/complete.ts';
import { command } from '../../cli/command/define.ts';

/**
 * Called by the completion scripts. Prints one suggestion per line, with a tab before its description. If the shell
 * should complete paths, prints a line with their kind and the prefix before them.
 */
export default command({
  use: '__complete [words...]',
  hidden: true,
  summary: 'Complete a command line.',
  flags: [{ flags: '--begun <word>', description: 'the word to complete', default: '' }],
  async run(invocation) {
    const { args, flags, io } = invocation;
    // The shell cannot show errors while it completes.
    const completion = await complete(invocation, args.words ?? [], flags.begun ?? '').catch(() => undefined);
    if (!completion) return;
    const { suggestions, paths, before } = completion;
    const lines = suggestions.map(({ value, description }) => `${value}\t${description.replaceAll(/\s+/g, ' ')}\n`);
    if (paths) lines.push(`\t${paths}${before === undefined ? '' : `\t${before}`}\n`);
    await io.out.write(lines.join(''));
  },
});
