import { exit } from '../program/exit-status.ts';
import { CommandError, UsageError } from '../program/failure.ts';
import { visible } from '../output/index.ts';
import type { Call, Invocation } from './command.ts';

const shownTargets = 5;

/** Asks before something is destroyed. @throws UsageError without a terminal and without --yes; CommandError when the answer is no */
export async function confirmCalls(invocation: Invocation, calls: Call[]): Promise<void> {
  const { command, globals, io } = invocation;
  if (globals.yes || !command.confirm) return;
  const { when } = command.confirm;
  if (when && !calls.some(({ body = {} }) => when(body))) return;
  const targets = calls.map((call) => Object.values(call.params).at(-1)!);
  const { question, typed, holds } = command.confirm;
  if (!typed || calls.length !== 1 || !io.interactive) {
    const { length } = targets;
    // Without a terminal nobody is there to read titles.
    const shown = io.interactive ? await withTitles(invocation, calls.slice(0, shownTargets)) : targets;
    return confirmQuestion(invocation, questionFor(question, shown.slice(0, shownTargets), length));
  }
  const client = await invocation.client();
  const object = await client.call(typed.view, { params: calls[0]!.params });
  const title = typed.title(object);
  await io.err.write(`${questionFor(question, [`${title} (${targets[0]})`])}\n`);
  const held = holds?.(object).filter(([count]) => count > 0) ?? [];
  if (held.length > 0)
    await io.err.write(`With it ${held[0]![0] === 1 && held.length === 1 ? 'goes' : 'go'} ${listed(held)}.\n`);
  const { openPrompt } = await import('../prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  const answer = await prompt.input({ message: `Type ${visible(title)} to go on:` });
  // What cannot be typed is typed as it is shown.
  if (![title.trim(), visible(title).trim()].includes(answer)) throw stopped();
}

const listed = (held: [count: number, noun: string][]) =>
  held.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(', ');

const shownTitle = 60;

/** Ids behind their titles, as far as the service tells them. */
async function withTitles(invocation: Invocation, calls: Call[]): Promise<string[]> {
  const [{ titlesOf }, { loadTextWidth }] = await Promise.all([
    import('./choose.ts'),
    import('../output/text-width.ts'),
  ]);
  const { cut } = await loadTextWidth();
  const titles = await titlesOf(invocation, calls);
  return calls.map(({ params }, at) => {
    const id = Object.values(params).at(-1)!;
    const title = titles[at]?.trim();
    return title && title !== id ? `${cut(visible(title), shownTitle)} (${id})` : id;
  });
}

/** Asks a yes-or-no question. @throws UsageError without a terminal and without --yes; CommandError when the answer is no */
export async function confirmQuestion(invocation: Invocation, question: string, start = false): Promise<void> {
  if (invocation.globals.yes) return;
  if (!invocation.io.interactive) {
    throw new UsageError(`This needs a confirmation: ${question}`, 'Add --yes to do it without being asked.');
  }
  const { openPrompt } = await import('../prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  if (!(await prompt.confirm({ message: question, start }))) throw stopped();
}

const stopped = () => new CommandError('Nothing was done.', { exitCode: exit.interrupted });

function questionFor(question: string, shown: string[], all = shown.length): string {
  const more = all > shown.length ? ` and ${all - shown.length} more` : '';
  return question.replace('{}', () => shown.map(visible).join(', ') + more);
}
