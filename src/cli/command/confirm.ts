import { exit } from '../program/exit-status.ts';
import { CommandError, UsageError } from '../program/failure.ts';
import { visible } from '../output/index.ts';
import type { Call, Invocation } from './command.ts';

/** How many of the objects a question names. */
const maxNamed = 5;

/** Asks before something is deleted. @throws UsageError without a terminal and without --yes; CommandError when the answer is no */
export async function confirmCalls(invocation: Invocation, calls: Call[]): Promise<void> {
  const { command, globals, io } = invocation;
  if (globals.yes || !command.confirm) return;
  const { question, typed, holds, when } = command.confirm;
  if (when && !calls.some(({ body = {} }) => when(body))) return;
  const [call, ...others] = calls;
  if (typed && call && others.length === 0 && io.interactive) {
    const client = await invocation.client();
    const object = await client.call(typed.view, { params: call.params });
    const contents = holds?.(object).filter(([count]) => count > 0) ?? [];
    return confirmByTitle(invocation, question, { id: idOf(call), title: typed.title(object), contents });
  }
  const named = calls.slice(0, maxNamed);
  // Without a terminal there is nobody to read titles.
  const names = io.interactive ? await withTitles(invocation, named) : named.map(idOf);
  return confirmQuestion(invocation, questionFor(question, names, calls.length));
}

interface Target {
  id: string;
  title: string;
  /** What is deleted with it. */
  contents: [count: number, noun: string][];
}

/** Asks for the title of the object. */
async function confirmByTitle(invocation: Invocation, question: string, { id, title, contents }: Target) {
  const { io } = invocation;
  await io.err.write(`${questionFor(question, [`${title} (${id})`])}\n`);
  if (contents.length > 0) await io.err.write(`This also deletes ${listed(contents)}.\n`);
  const { openPrompt } = await import('../prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  const answer = await prompt.input({ message: `Type ${visible(title)} to confirm:` });
  // Characters that cannot be typed may be typed as they are shown.
  if (![title.trim(), visible(title).trim()].includes(answer)) throw stopped();
}

/** The last parameter of the path is the id of the object. */
const idOf = ({ params }: Call) => Object.values(params).at(-1) ?? '';

const listed = (contents: Target['contents']) =>
  contents.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(', ');

const maxTitleWidth = 60;

/** Titles with their ids, for the objects that the service gives a title. */
async function withTitles(invocation: Invocation, calls: Call[]): Promise<string[]> {
  const [{ titlesOf }, { loadTextWidth }] = await Promise.all([
    import('./choose.ts'),
    import('../output/text-width.ts'),
  ]);
  const { cut } = await loadTextWidth();
  const titles = await titlesOf(invocation, calls);
  return calls.map((call, index) => {
    const id = idOf(call);
    const title = titles[index]?.trim();
    return title && title !== id ? `${cut(visible(title), maxTitleWidth)} (${id})` : id;
  });
}

/** Asks a yes-or-no question. @throws UsageError without a terminal and without --yes; CommandError when the answer is no */
export async function confirmQuestion(invocation: Invocation, question: string, start = false): Promise<void> {
  if (invocation.globals.yes) return;
  if (!invocation.io.interactive) {
    throw new UsageError(`Confirmation required: ${question}`, 'Add --yes to run the command without a question.');
  }
  const { openPrompt } = await import('../prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  if (!(await prompt.confirm({ message: question, start }))) throw stopped();
}

const stopped = () => new CommandError('Nothing was done.', { exitCode: exit.interrupted });

function questionFor(question: string, names: string[], count = names.length): string {
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return question.replace('{}', () => names.map(visible).join(', ') + more);
}
