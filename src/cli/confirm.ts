import { UsageError } from './failure.ts';
import type { Invocation } from './invocation.ts';
import { visible } from './output/index.ts';
import type { Call } from './run.ts';

const shownTargets = 5;

/** Asks before something is destroyed. @throws UsageError without a terminal and without --yes; AbortError when the answer is no */
export async function confirm(invocation: Invocation, calls: Call[]): Promise<void> {
  const { command, globals, io } = invocation;
  if (globals.yes || !command.confirm) return;
  const targets = calls.map((call) => Object.values(call.params).at(-1)!);
  if (!io.interactive) {
    throw new UsageError(
      `This needs a confirmation: ${questionFor(command.confirm.question, targets)}`,
      'Add --yes to do it without being asked.',
    );
  }
  const { typed } = command.confirm;
  const prompts = await import('@inquirer/prompts');
  const context = { signal: invocation.signal, output: process.stderr };
  if (typed && calls.length === 1) {
    const client = await invocation.client();
    const title = typed.title(await client.call(typed.view, { params: calls[0]!.params } as never));
    await io.note(questionFor(command.confirm.question, [`${visible(title)} (${targets[0]})`]));
    const answer = await prompts.input({ message: `Type ${visible(title)} to go on:` }, context);
    if (answer.trim() !== title.trim()) throw stopped();
    return;
  }
  if (!(await prompts.confirm({ message: questionFor(command.confirm.question, targets), default: false }, context)))
    throw stopped();
}

function questionFor(question: string, targets: string[]): string {
  const shown = targets.slice(0, shownTargets).map(visible).join(', ');
  const more = targets.length > shownTargets ? ` and ${targets.length - shownTargets} more` : '';
  return question.replace('{}', shown + more);
}

const stopped = () => Object.assign(new Error('Nothing was done.'), { exitCode: 130 });
