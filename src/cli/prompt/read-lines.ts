import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { visible } from '../output/index.ts';
import type { Io } from '../program/io.ts';
import { interrupted } from './prompt.ts';

interface LinesOptions {
  message: string;
  /** Gives the remarks to print about a line. */
  take: (line: string) => Promise<string[]>;
  io: Io;
  signal: AbortSignal;
  /** Whether the line that is being typed is redrawn when keys move the cursor in it. */
  isEditable: boolean;
}

/** Reads lines until an empty one, and prints remarks about each. Text pasted with line breaks arrives whole. */
export async function readLines({ message, take, io, signal, isEditable }: LinesOptions): Promise<void> {
  await io.err.write(`${visible(message)}\n`);
  const { reader, ended, end, fail } = openInput<void>(signal, isEditable ? process.stderr : undefined);
  const ask = () => (isEditable ? reader.prompt() : void process.stderr.write('> '));
  reader.setPrompt('> ');
  // The lines are handled one after another, in their order.
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
        // While pasted lines are waiting, they are on the screen already.
        if (waiting === 0) ask();
      })
      .catch(fail);
  });
  ask();
  await ended;
}

/** Reads one line. The terminal itself handles typing and corrections, unless the text must stay hidden. */
export async function readLine(label: string, signal: AbortSignal, isHidden: boolean): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { reader, ended, end } = openInput<string>(signal, isHidden ? nowhere : undefined);
  // Only now, because the terminal shows hidden text that is typed earlier.
  process.stderr.write(label);
  let isAnswered = false;
  reader.once('line', (line) => {
    isAnswered = true;
    end(line);
  });
  return ended.finally(() => {
    // What is printed next starts on a new line.
    if (isHidden || !isAnswered) process.stderr.write('\n');
  });
}

/** Reads standard input until `end` or `fail`. With an output, keys are read one by one and echoed there. */
function openInput<T>(signal: AbortSignal, output: NodeJS.WritableStream | undefined) {
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
