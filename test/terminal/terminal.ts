import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';

const timeoutMs = 120_000;

/** A program in a real terminal, as a person sees and types it. */
export interface Terminal {
  /** The text on the screen, after the lines that scrolled off it. */
  text(): Promise<string>;
  /** Waits until the screen shows this. @returns the text of the screen */
  shows(expected: RegExp | string): Promise<string>;
  /** Waits until the text of the screen meets a condition. @param what the condition, for the error */
  becomes(what: string, isMet: (text: string) => boolean): Promise<string>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys, such as Enter, Down or C-c for Ctrl-C. */
  press(...keys: string[]): Promise<void>;
  /** Types text and presses Enter. */
  answer(text: string): Promise<void>;
  /** Pastes text in one piece, including its line breaks. */
  paste(text: string): Promise<void>;
  /** Waits for the end. @returns the exit status, as a shell reports it */
  ends(): Promise<number>;
  /** Everything that the terminal received. */
  printed(): Promise<string>;
}

export interface TerminalOptions {
  cwd: string;
  /** The whole environment of the program, without TERM and LANG. */
  env: Record<string, string>;
  width: number;
  height: number;
  /** How many lines that scrolled off the screen are kept. */
  scrollback: number;
}

/** Starts a program in a terminal of its own. It is killed when the test ends. */
export function openTerminal(command: string[], options: TerminalOptions): Terminal {
  const { cwd, width: cols, height: rows, scrollback } = options;
  const screen = new xterm.Terminal({ cols, rows, scrollback, allowProposedApi: true });
  // node-pty never leaves TERM empty and adds PWD, so `env` sets the variables.
  const variables = Object.entries({ TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env });
  const words = ['-i', ...variables.map(([key, value]) => `${key}=${value}`), ...command];
  const pty = spawn('env', words, { cwd, cols, rows });
  let printed = '';
  let status: number | undefined;
  pty.onData((data) => {
    printed += data;
    screen.write(data);
  });
  // Shells ask the terminal for its type and the place of the cursor.
  screen.onData((data) => pty.write(data));
  const exited = new Promise<void>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      status = signal ? 128 + signal : exitCode;
      resolve();
    });
  });
  onTestFinished(async () => {
    if (status === undefined) process.kill(-pty.pid, 'SIGKILL');
    await exited;
    screen.dispose();
  });

  const text = async () => {
    // The screen parses what it receives some time later.
    await new Promise<void>((resolve) => screen.write('', resolve));
    return textOf(screen);
  };
  const waitFor = async (failure: string, isMet: (text: string) => boolean) => {
    for (const until = Date.now() + timeoutMs; ; await sleep(20)) {
      const now = await text();
      if (isMet(now)) return now;
      if (Date.now() > until) throw new Error(`${failure}:\n${now.trimEnd()}`);
    }
  };
  const type = async (typed: string) => pty.write(typed);
  const press = async (...keys: string[]) => pty.write(keys.map(sequenceOf).join(''));
  return {
    text,
    type,
    press,
    shows: (expected) =>
      waitFor(`The screen never showed ${String(expected)}`, (now) =>
        typeof expected === 'string' ? now.includes(expected) : expected.test(now),
      ),
    becomes: (what, isMet) => waitFor(`The screen never became ${what}`, isMet),
    answer: (typed) => type(`${typed}${sequenceOf('Enter')}`),
    paste: (pasted) => type(pasted.replaceAll('\n', '\r')),
    async ends() {
      await waitFor('The command never ended', () => status !== undefined);
      return status!;
    },
    printed: async () => printed,
  };
}

/** The lines of the terminal, those that it wrapped as one. */
function textOf({ buffer: { active } }: InstanceType<typeof xterm.Terminal>): string {
  let text = '';
  for (let index = 0; index < active.length; index++) {
    const isWrapped = active.getLine(index + 1)?.isWrapped ?? false;
    text += active.getLine(index)!.translateToString(!isWrapped) + (isWrapped ? '' : '\n');
  }
  return text;
}

const sequences: Record<string, string> = {
  Enter: '\r',
  Tab: '\t',
  Up: '\u001b[A',
  Down: '\u001b[B',
};

/** What a terminal sends for a key. */
function sequenceOf(key: string): string {
  const letter = /^C-([a-z])$/.exec(key)?.[1];
  if (letter !== undefined) return String.fromCharCode(letter.charCodeAt(0) & 0x1f);
  if (key.length === 1) return key;
  const sequence = sequences[key];
  if (sequence === undefined) throw new Error(`The sequence of the key ${key} is unknown.`);
  return sequence;
}
