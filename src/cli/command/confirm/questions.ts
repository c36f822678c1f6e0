import { CommandError, UsageError, exit } from '../../program/failure.ts';
import { visible } from '../../output/index.ts';
import { type Call, type Invocation, idOf } from '../command.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { paramNames, pathUpTo } from '../../../contract/path.ts';

/** How many of the objects a question names. */
const maxNamed = 5;

/** The question with all objects that the calls name. */
export async function questionAbout(invocation: Invocation, question: string, calls: Call[]): Promise<string> {
  const [first] = calls;
  if (!first) return questionFor(question, []);
  const names: Record<string, string> = {};
  for (const param of paramNames(question)) [names[param] = ''] = await namesOf(invocation, [parentOf(first, param)]);
  const complete = question.replace(/\{(\w+)\}/g, (whole, param: string) => names[param] ?? whole);
  const about = questionFor(complete, await namesOf(invocation, calls.slice(0, maxNamed)), calls.length);
  return about + (await permanentText(first));
}

/** A sentence that says why calls cannot be undone, or nothing. */
export async function permanentText(...calls: readonly { endpoint: Pick<Endpoint, 'name'> }[]): Promise<string> {
  const { permanentReason } = await import('../../../journal/permanent.ts');
  const reasons = new Set(calls.flatMap(({ endpoint }) => permanentReason(endpoint.name) ?? []));
  return reasons.size === 0 ? '' : ` This cannot be undone: ${[...reasons].join('; ')}.`;
}

/** A call of the object that a path parameter names, for its title. */
function parentOf({ endpoint, params }: Call, param: string): Pick<Call, 'endpoint' | 'params'> {
  return { endpoint: { ...endpoint, path: pathUpTo(endpoint.path, param) }, params };
}

export interface Target {
  id: string;
  title: string;
  /** What is deleted with it. */
  contents: [count: number, noun: string][];
}

/** Asks for the title of the object, until it is typed. */
export async function confirmByTitle(invocation: Invocation, question: string, { id, title, contents }: Target) {
  const { io } = invocation;
  await io.err.write(`${questionFor(question, [title === id ? id : `${title} (${id})`])}\n`);
  if (contents.length > 0) await io.err.write(`This also deletes ${listed(contents)}.\n`);
  // Characters that cannot be typed may be typed as they are shown.
  const accepted = new Set([title.trim(), visible(title).trim()]);
  await ask(invocation, (prompt) =>
    prompt.input({
      message: `Type ${visible(title)} to confirm:`,
      check: (answer) =>
        accepted.has(answer)
          ? undefined
          : `"${answer}" is not the title. Type ${visible(title)}, or press Ctrl-C to stop.`,
    }),
  );
}

const listed = (contents: Target['contents']) =>
  contents.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(', ');

const maxTitleWidth = 60;

/** Titles with their ids, for the objects that the service gives a title. */
async function namesOf(invocation: Invocation, calls: Pick<Call, 'endpoint' | 'params'>[]): Promise<string[]> {
  const [{ lookUp, nameOfObject, withNames }, { loadTextWidth }, { HttpError, isMissing }] = await Promise.all([
    import('../dry-run/named-objects.ts'),
    import('../../output/text-width.ts'),
    import('../../../client/errors/http-error.ts'),
  ]);
  const { cut } = await loadTextWidth();
  const nameOf = async (call: Pick<Call, 'endpoint' | 'params'>) => {
    try {
      const object = await withNames(invocation, call, ({ endpoint, params }) =>
        lookUp(invocation, endpoint.path, params),
      );
      if (object === undefined) return idInPath(call);
      const { id, title } = nameOfObject(object, paramNames(call.endpoint.path).at(-1) ?? '');
      return title.trim() && title !== id ? `${cut(visible(title.trim()), maxTitleWidth)} (${id})` : id;
    } catch (error) {
      // A log names the wrong name before it asks for --yes; in a terminal, the command reports it for each of several.
      if (calls.length === 1 && !invocation.io.interactive && (isMissing(error) || isUnknownName(error))) throw error;
      // An object that cannot be read has no title here; the command itself reports the error.
      if (error instanceof HttpError || error instanceof CommandError) return idInPath(call);
      throw error;
    }
  };
  return Promise.all(calls.map(nameOf));
}

const isUnknownName = (error: unknown) => error instanceof CommandError && error.exitCode === exit.notFound;

/** The id of the object at the end of a path, which may be above that of the call. */
const idInPath = ({ endpoint, params }: Pick<Call, 'endpoint' | 'params'>) =>
  params[paramNames(endpoint.path).at(-1) ?? ''] ?? idOf({ params });

/** Asks a yes-or-no question. @throws UsageError without a terminal and without --yes; CommandError when the answer is no */
export async function confirmQuestion(invocation: Invocation, question: string, start = false): Promise<void> {
  if (invocation.globals.yes) return;
  await confirmWith(invocation, question, 'Add --yes to run the command without confirmation.', start);
}

/** Like `confirmQuestion`, but --yes alone is no answer. @param hint what to do without a terminal */
export async function confirmWith(
  invocation: Invocation,
  question: string,
  hint: string,
  start = false,
): Promise<void> {
  if (!invocation.io.interactive) throw new UsageError(`Confirmation required: ${question}`, hint, 'not-confirmed');
  if (!(await ask(invocation, (prompt) => prompt.confirm({ message: question, start })))) throw stopped();
}

type Prompt = Awaited<ReturnType<typeof import('../../prompt/open-prompt.ts').openPrompt>>;

/** A question that is not answered ends the command with words. */
async function ask<T>(invocation: Invocation, question: (prompt: Prompt) => Promise<T>): Promise<T> {
  const { openPrompt } = await import('../../prompt/open-prompt.ts');
  try {
    return await question(await openPrompt(invocation));
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError' && !invocation.signal.aborted) throw stopped();
    throw error;
  }
}

const stopped = () => new CommandError('Nothing was done.', { exitCode: exit.interrupted });

function questionFor(question: string, names: string[], count = names.length): string {
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return question.replace('{}', () => names.map(visible).join(', ') + more);
}
