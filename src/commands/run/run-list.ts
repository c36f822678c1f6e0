import type { Invocation } from '../../cli/command/command.ts';
import { argument } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { readCommandList } from '../../cli/lines/command-list.ts';
import { runLines } from '../../cli/lines/run-lines.ts';
import { UsageError } from '../../cli/program/failure.ts';

type RunInvocation = Invocation<
  { file?: string | undefined },
  { keepGoing?: boolean | undefined; summary?: string | undefined; ci?: boolean | undefined }
>;

/** Runs the commands of a file. */
export async function runList(invocation: RunInvocation): Promise<void> {
  const file = argument(invocation, 'file');
  const name = file === '-' ? 'standard input' : file;
  const list = readCommandList(fileText(file, '<file>'));
  if (list.commands.length === 0 && list.mistakes.length === 0)
    throw new UsageError(`${name} contains no commands.`, 'Write one command per line, such as "spaces list".');
  await runLines(invocation, { name, file, ...list }, invocation.flags);
}
