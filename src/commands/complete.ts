import { complete } from '../cli/complete.ts';
import type { Command } from '../cli/tree.ts';

/** Asked by the completion scripts: a line for each suggestion, its description behind a tab. */
const command: Command = {
  use: '__complete [words...]',
  summary: 'Complete a command line.',
  hidden: true,
  async run(invocation) {
    // A shell that waits for suggestions has no use for an error.
    const found = await complete(invocation, (invocation.args.words as string[] | undefined) ?? ['']).catch(() => []);
    await invocation.io.out.write(
      found.map(({ value, description }) => `${value}\t${description.replaceAll(/\s+/g, ' ')}\n`).join(''),
    );
  },
};
export default command;
