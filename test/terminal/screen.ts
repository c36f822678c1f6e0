import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { bin, type Home } from '../support/cli.ts';

const timeoutMs = 30_000;

/** A command in a real terminal, as a person sees and types it. */
export interface Screen {
  /** What stands on the screen now, with what scrolled away above it. */
  text(): Promise<string>;
  /** Waits until the screen shows this. @returns the screen then */
  shows(expected: RegExp | string): Promise<string>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: Enter, C-c, Down. */
  press(...keys: string[]): Promise<void>;
  /** Types text and presses Enter. */
  answer(text: string): Promise<void>;
  /** Pastes text as one piece, line breaks and all. */
  paste(text: string): Promise<void>;
  /** Waits for the end. @returns the exit status */
  ends(): Promise<number>;
  /** Every byte that reached the terminal. */
  printed(): Promise<string>;
}

/** Waits until a text that changes holds what is expected. @param what whose text it is, for the error */
export const showing = (what: string, text: () => Promise<string>) => async (expected: RegExp | string) => {
  const isThere = (screenText: string) =>
    typeof expected === 'string' ? screenText.includes(expected) : expected.test(screenText);
  for (const until = Date.now() + timeoutMs; ; await sleep(50)) {
    const screenText = await text();
    if (isThere(screenText)) return screenText;
    if (Date.now() > until) throw new Error(`${what} never showed ${String(expected)}:\n${screenText.trimEnd()}`);
  }
};

/** Starts the built binary, or another program, in a window of its own. It is gone when the test is. */
export async function openScreen(
  home: Home,
  words: string[],
  {
    width = 80,
    height = 40,
    env = {},
    program = [process.execPath, bin],
  }: { width?: number; height?: number; env?: Record<string, string>; program?: string[] } = {},
): Promise<Screen> {
  const name = randomUUID();
  const log = join(home.dir, `${name}.log`);
  const tmux = (...args: string[]) => execa('tmux', ['-L', name, '-f', '/dev/null', ...args]);
  const variables = Object.entries({ TERM: 'screen-256color', LANG: 'C.UTF-8', ...home.env, ...env });
  const command = ['env', '-i', ...variables.map(([key, value]) => `${key}=${value}`), ...program, ...words];
  onTestFinished(async () => {
    await tmux('kill-server').catch(() => {});
  });
  // The window waits until everything that is printed is also written down.
  const gate = join(home.dir, `${name}.gate`);
  // tmux sometimes misses the status of what it ran. The shell must outlive the interrupt that is meant for the command.
  const end = join(home.dir, `${name}.end`);
  const script = `trap : INT; while [ ! -e ${quoted(gate)} ]; do sleep 0.01; done; cd ${quoted(home.dir)}; ${command.map(quoted).join(' ')}; echo $? >${quoted(`${end}.part`)}; mv ${quoted(`${end}.part`)} ${quoted(end)}; sleep 60`;
  await tmux(
    'new-session',
    '-d',
    '-x',
    String(width),
    '-y',
    String(height),
    script,
    ';',
    'pipe-pane',
    `cat > ${quoted(log)}`,
  );
  await execa('touch', [gate]);

  const text = async () => (await tmux('capture-pane', '-p', '-J', '-S', '-500')).stdout;
  const shows = showing('The screen', text);
  const type = async (typedText: string) => {
    await tmux('send-keys', '-l', typedText);
  };
  const press = async (...keys: string[]) => {
    await tmux('send-keys', ...keys);
  };
  return {
    text,
    shows,
    type,
    press,
    async answer(typedText) {
      if (typedText !== '') await type(typedText);
      await press('Enter');
    },
    async paste(typedText) {
      await tmux('set-buffer', '--', typedText);
      await tmux('paste-buffer');
    },
    async ends() {
      for (const until = Date.now() + timeoutMs; ; await sleep(50)) {
        const status = await readFile(end, 'utf8').catch(() => undefined);
        if (status !== undefined) return Number(status);
        if (Date.now() > until) throw new Error(`The command never ended:\n${await text()}`);
      }
    },
    printed: () => readFile(log, 'utf8'),
  };
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
