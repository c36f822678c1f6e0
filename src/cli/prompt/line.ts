import { visible } from '../output/index.ts';
import type { Io } from '../program/io.ts';
import type { Check, Choice, Find, Prompt } from './prompt.ts';
import { readLine, readLines } from './read-lines.ts';

/** How many choices are listed before "Enter for more". */
const choicesPerPage = 15;

type Say = (text: string) => unknown;

/** Questions as plain lines: nothing is redrawn, and every choice has a number. */
export function linePrompt(io: Io, signal: AbortSignal): Prompt {
  const say = (text: string) => io.err.write(`${text}\n`);

  async function ask(label: string, check?: Check, isHidden = false): Promise<string> {
    for (;;) {
      const answer = (await readLine(label, signal, isHidden)).trim();
      const problem = await check?.(answer);
      if (problem === undefined) return answer;
      await say(`  ${visible(problem)}`);
    }
  }

  return {
    async input({ message, start = '', check }) {
      const label = start === '' ? `${visible(message)} ` : `${visible(message)} [${visible(start)}] `;
      const answer = await ask(label, (text) => check?.(text || start));
      return answer || start;
    },
    secret: ({ message, check }) => ask(`${visible(message)} (not shown) `, check, true),
    async confirm({ message, start }) {
      const answer = await ask(`${visible(message)} ${start ? '[Y/n]' : '[y/N]'} `, (text) =>
        /^(y|yes|n|no|)$/i.test(text) ? undefined : 'Type y or n.',
      );
      return answer === '' ? start : /^y/i.test(answer);
    },
    async select({ message, choices, start }) {
      await say(visible(message));
      await listChoices(say, choices);
      const preset = choices.findIndex(({ value }) => value === start) + 1;
      for (;;) {
        const answer = await ask(preset > 0 ? `Number: [${preset}] ` : 'Number: ');
        const choice = choiceByNumber(choices, answer || String(preset));
        if (choice) return choice.value;
        await say(`  Type a number from 1 to ${choices.length}.`);
      }
    },
    async pick({ message, find }) {
      await say(visible(message));
      return pickByNumber(find, say, ask);
    },
    lines: ({ message, take }) => readLines({ message, take, io, signal, isEditable: false }),
  };
}

/** The choice whose number was typed; undefined if the text is not the number of one. */
const choiceByNumber = <T>(choices: Choice<T>[], text: string): Choice<T> | undefined =>
  /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined;

async function listChoices(say: Say, choices: Choice<unknown>[], firstNumber = 1) {
  for (const [index, { title, note }] of choices.entries())
    await say(`  ${firstNumber + index}. ${visible(title)}${note === undefined ? '' : ` - ${visible(note)}`}`);
}

async function pickByNumber(find: Find, say: Say, ask: (label: string) => Promise<string>): Promise<string> {
  let term = '';
  let count = choicesPerPage;
  let listed = 0;
  for (;;) {
    const { choices, complete } = await find(term, count);
    await listChoices(say, choices.slice(listed), listed + 1);
    if (choices.length === 0) await say(`  Nothing matches "${visible(term)}".`);
    listed = choices.length;
    const answer = await ask(complete ? 'Number, or text to search: ' : 'Number, text to search, or Enter for more: ');
    const choice = choiceByNumber(choices, answer);
    if (choice) return choice.value;
    if (answer === '' && !complete) count += choicesPerPage;
    else {
      term = answer;
      count = choicesPerPage;
      listed = 0;
    }
  }
}
