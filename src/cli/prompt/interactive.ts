import { confirm, input, password, select } from '@inquirer/prompts';
import type { Io } from '../program/io.ts';
import { visible } from '../output/index.ts';
import { type Choice, interrupted, type Prompt } from './prompt.ts';
import { readLines } from './line.ts';

type Context = { signal: AbortSignal; output: NodeJS.WriteStream };

/** Questions with lists to walk through, drawn on standard error. */
export function interactivePrompt(io: Io, signal: AbortSignal): Prompt {
  const asked = <T>(question: (context: Context) => Promise<T>): Promise<T> =>
    endOnClose(question({ signal, output: process.stderr }));

  return {
    input: ({ message, start, check }) =>
      asked((context) =>
        input(
          {
            message: visible(message),
            ...(start === undefined ? {} : { default: start }),
            validate: async (answer) => (await check?.(answer.trim())) ?? true,
          },
          context,
        ),
      ).then((answer) => answer.trim()),
    secret: ({ message, check }) =>
      asked((context) =>
        password(
          {
            message: visible(message),
            toggleMask: false,
            validate: async (answer) => (await check?.(answer.trim())) ?? true,
          },
          context,
        ),
      ).then((answer) => answer.trim()),
    confirm: ({ message, start }) =>
      asked((context) => confirm({ message: visible(message), default: start }, context)),
    select: ({ message, choices, start }) =>
      asked((context) =>
        select(
          {
            message: visible(message),
            choices: choices.map(shownChoice),
            ...(start === undefined ? {} : { default: start }),
            loop: false,
          },
          context,
        ),
      ),
    async pick({ message, find }) {
      const pick = await (await import('./search-prompt.ts')).loadSearchPrompt();
      return asked((context) => pick({ message: visible(message), find }, context));
    },
    lines: ({ message, take }) => readLines(message, take, io, signal, true),
  };
}

const shownChoice = <T>({ value, title, note }: Choice<T>) => ({
  value,
  name: visible(title),
  ...(note === undefined ? {} : { description: visible(note) }),
});

/** Ctrl-D closes the input without an answer: then nothing is left that keeps the process, and the question must end. */
async function endOnClose<T>(question: Promise<T>): Promise<T> {
  const { promise: closed, reject } = Promise.withResolvers<never>();
  const end = () => reject(interrupted());
  process.once('beforeExit', end);
  try {
    return await Promise.race([question, closed]);
  } catch (error) {
    const { name } = error as Error;
    throw name === 'ExitPromptError' || name === 'AbortPromptError' ? interrupted(error) : error;
  } finally {
    process.off('beforeExit', end);
  }
}
