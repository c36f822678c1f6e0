import { exit } from './exit.ts';
import { CommandError, UsageError } from './failure.ts';
import type { Invocation } from './invocation.ts';
import { visible } from './output/index.ts';
import type { Call } from './run.ts';

const shownTargets = 5;

/** Asks before something is destroyed. @throws UsageError without a terminal and without --yes; CommandError when the answer is no */
export async function confirm(invocation: Invocation, calls: Call[]): Promise<void> {
  const { command, globals, io } = invocation;
  if (globals.yes || !command.confirm) return;
  const targets = calls.map((call) => Object.values(call.params).at(-1)!);
  const { question, typed } = command.confirm;
  if (!typed || calls.length !== 1 || !io.interactive)
    return confirmQuestion(invocation, questionFor(question, targets));
  const client = await invocation.client();
  const title = typed.title(await client.call(typed.view, { params: calls[0]!.params } as never));
  await io.err.write(`${questionFor(question, [`${title} (${targets[0]})`])}\n`);
  const { openPrompt } = await import('./prompt.ts');
  const prompt = await openPrompt(invocation);
  const answer = await prompt.input({ message: `Type ${visible(title)} to go on:` });
  // What cannot be typed is typed as it is shown.
  if (![title.trim(), visible(title).trim()].includes(answer)) throw stopped();
}

/** Asks a yes-or-no question. @throws UsageError without a terminal and without --yes; CommandError when the answer is no */
export async function confirmQuestion(invocation: Invocation, question: string, start = false): Promise<void> {
  if (invocation.globals.yes) return;
  if (!invocation.io.interactive) {
    throw new UsageError(`This needs a confirmation: ${question}`, 'Add --yes to do it without being asked.');
  }
  const { openPrompt } = await import('./prompt.ts');
  const prompt = await openPrompt(invocation);
  if (!(await prompt.confirm({ message: question, start }))) throw stopped();
}

const stopped = () => new CommandError('Nothing was done.', { exitCode: exit.interrupted });

function questionFor(question: string, targets: string[]): string {
  const shown = targets.slice(0, shownTargets).map(visible).join(', ');
  const more = targets.length > shownTargets ? ` and ${targets.length - shownTargets} more` : '';
  return question.replace('{}', () => shown + more);
}
