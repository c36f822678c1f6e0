import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from '../program/io.ts';
import { visible } from '../output/index.ts';
import { type Check, type Choice, type Find, interrupted, type Prompt } from './prompt.ts';

const shown = 15;

/** Questions that are lines one after another: nothing is redrawn, every choice has a number. */
export function linePrompt(io: Io, signal: AbortSignal): Prompt {
  const say = (text: string) => io.err.write(`${text}\n`);

  async function ask(label: string, check: Check | undefined, hidden = false): Promise<string> {
    for (;;) {
      const answer = (await readLine(label, signal, hidden)).trim();
      const fault = await check?.(answer);
      if (fault === undefined) return answer;
      await say(`  ${visible(fault)}`);
    }
  }

  async function number(message: string, count: number, start: number | undefined): Promise<number> {
    const label = start === undefined ? `${message} ` : `${message} [${start + 1}] `;
    const answer = await ask(label, (text) => {
      const isGood = (text === '' && start !== undefined) || (/^\d+$/.test(text) && +text >= 1 && +text <= count);
      return isGood ? undefined : `Type a number from 1 to ${count}.`;
    });
    return answer === '' ? start! : Number(answer) - 1;
  }

  return {
    async input({ message, start, check }) {
      const label = start === undefined ? `${visible(message)} ` : `${visible(message)} [${visible(start)}] `;
      const answer = await ask(label, (text) => check?.(text === '' ? (start ?? '') : text));
      return answer === '' ? (start ?? '') : answer;
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
      await sayChoices(say, choices);
      const at = choices.findIndex(({ value }) => value === start);
      return choices[await number('Number:', choices.length, at < 0 ? undefined : at)]!.value;
    },
    async pick({ message, find }) {
      await say(visible(message));
      return pickPlainly(find, say, (label) => ask(label, undefined));
    },
    lines: ({ message, take }) => readLines(message, take, io, signal, false),
  };
}

async function sayChoices(say: (text: string) => unknown, choices: Choice<unknown>[], first = 1) {
  for (const [at, { title, note }] of choices.entries())
    await say(`  ${first + at}. ${visible(title)}${note === undefined ? '' : ` - ${visible(note)}`}`);
}

async function pickPlainly(find: Find, say: (text: string) => unknown, ask: (label: string) => Promise<string>) {
  let term = '';
  let count = shown;
  let said = 0;
  for (;;) {
    const { choices, complete } = await find(term, count);
    await sayChoices(say, choices.slice(said), said + 1);
    if (choices.length === 0) await say(`  Nothing fits "${visible(term)}".`);
    said = choices.length;
    const answer = await ask(complete ? 'Number, or text to search: ' : 'Number, text to search, or Enter for more: ');
    const at = /^\d+$/.test(answer) ? Number(answer) - 1 : -1;
    if (choices[at]) return choices[at].value;
    if (answer === '' && !complete) count += shown;
    else {
      term = answer;
      count = shown;
      said = 0;
    }
  }
}

/**
 * Reads lines until an empty one and says something about each. What is pasted with line breaks in it arrives whole.
 *
 * @param edits whether the line that is typed may be redrawn, for keys that move within it
 */
export async function readLines(
  message: string,
  take: (line: string) => Promise<string[]>,
  io: Io,
  signal: AbortSignal,
  edits: boolean,
): Promise<void> {
  await io.err.write(`${visible(message)}\n`);
  const { reader, ended, end, fail } = open<void>(signal, edits ? process.stderr : undefined);
  const ask = () => (edits ? reader.prompt() : void process.stderr.write('> '));
  reader.setPrompt('> ');
  // One after another, in the order of the lines.
  let work = Promise.resolve();
  let isOver = false;
  let waiting = 0;
  reader.on('line', (line) => {
    waiting++;
    work = work
      .then(async () => {
        waiting--;
        if (isOver) return;
        isOver = line.trim() === '';
        if (isOver) return end();
        for (const remark of await take(line)) await io.err.write(`  ${visible(remark)}\n`);
        // What was pasted is on the screen already, with all that comes after this line.
        if (waiting === 0) ask();
      })
      .catch(fail);
  });
  ask();
  await ended;
}

/** One line. The terminal itself takes care of typing and mending, unless nothing may be shown. */
async function readLine(label: string, signal: AbortSignal, hidden: boolean): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(label);
  const { reader, ended, end } = open<string>(signal, hidden ? nowhere : undefined);
  let isAnswered = false;
  reader.once('line', (line) => {
    isAnswered = true;
    end(line);
  });
  return ended.finally(() => {
    // What is printed next begins on a line of its own.
    if (hidden || !isAnswered) process.stderr.write('\n');
  });
}

/** Reads standard input until it is ended. With an output, keys are read one by one and drawn there. */
function open<T>(signal: AbortSignal, output: NodeJS.WritableStream | undefined) {
  const reader = createInterface({ input: process.stdin, output, terminal: output !== undefined, historySize: 0 });
  const { promise, resolve: end, reject: fail } = Promise.withResolvers<T>();
  const stop = () => fail(interrupted(signal.reason));
  signal.addEventListener('abort', stop, { once: true });
  reader.on('SIGINT', stop);
  reader.on('close', stop);
  const ended = promise.finally(() => {
    signal.removeEventListener('abort', stop);
    reader.close();
  });
  return { reader, ended, end, fail };
}
