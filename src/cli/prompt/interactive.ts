import { confirm, input, password, select } from '@inquirer/prompts';
import { visible } from '../output/index.ts';
import type { Io } from '../program/io.ts';
import { type Check, type Choice, interrupted, type Prompt } from './prompt.ts';
import { readLines } from './read-lines.ts';

type Context = { signal: AbortSignal; output: NodeJS.WriteStream };

/** Questions that redraw themselves, on standard error. */
export function interactivePrompt(io: Io, signal: AbortSignal): Prompt {
  const ask = <T>(question: (context: Context) => Promise<T>): Promise<T> =>
    rejectOnClose(question({ signal, output: process.stderr }));

  return {
    async input({ message, start, check }) {
      const config = { message: visible(message), validate: validateWith(check) };
      const answer = await ask((context) =>
        input(start === undefined ? config : { ...config, default: start }, context),
      );
      return answer.trim();
    },
    async secret({ message, check }) {
      const config = { message: visible(message), toggleMask: false, validate: validateWith(check) };
      const answer = await ask((context) => password(config, context));
      return answer.trim();
    },
    confirm: ({ message, start }) => ask((context) => confirm({ message: visible(message), default: start }, context)),
    select: ({ message, choices, start }) =>
      ask((context) =>
        select(
          {
            message: visible(message),
            choices: choices.map(visibleChoice),
            ...(start === undefined ? {} : { default: start }),
            loop: false,
          },
          context,
        ),
      ),
    async pick({ message, find }) {
      const { loadSearchPrompt } = await import('./search-prompt.ts');
      const searchPrompt = await loadSearchPrompt();
      return ask((context) => searchPrompt({ message: visible(message), find }, context));
    },
    lines: ({ message, take }) => readLines({ message, take, io, signal, isEditable: true }),
  };
}

const validateWith = (check: Check | undefined) => async (answer: string) => (await check?.(answer.trim())) ?? true;

const visibleChoice = <T>({ value, title, note }: Choice<T>) => ({
  value,
  name: visible(title),
  ...(note === undefined ? {} : { description: visible(note) }),
});

/**
 * Rejects a question when standard input is closed with Ctrl-D. The question itself would stay open, and the process
 * would end without an error, because nothing keeps it running.
 */
async function rejectOnClose<T>(question: Promise<T>): Promise<T> {
  const { promise: closed, reject } = Promise.withResolvers<never>();
  const onClose = () => reject(interrupted());
  process.once('beforeExit', onClose);
  try {
    return await Promise.race([question, closed]);
  } catch (error) {
    const isInterrupted = error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name);
    throw isInterrupted ? interrupted(error) : error;
  } finally {
    process.off('beforeExit', onClose);
  }
}
