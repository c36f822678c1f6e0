import type { ChildProcess } from 'node:child_process';

export interface PagerOptions {
  /** What starts the pager, as a shell reads it. */
  command: string;
  /** Whether the user chose it: then it is worth a message if it cannot be started. */
  isChosen: boolean;
  env: Record<string, string | undefined>;
  /** Size of the screen. */
  rows: number;
  columns: number;
}

/** A pager that has read as much has started. Until then the output is kept, to be printed if it cannot be started. */
const maxKept = 1024 * 1024;

/** Statuses of a shell for a command that it cannot run. */
const notStarted: ReadonlySet<number | null> = new Set([126, 127]);

/** The process of a pager. */
export class Pager {
  /** What was written so far, while the pager may turn out not to have started. */
  kept: Uint8Array[] = [];
  #keptBytes = 0;
  #hasStarted = false;
  hasFailed = false;
  #isEnding = false;
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;

  constructor({ command, env }: PagerOptions, onQuit: () => void) {
    const { spawn } = process.getBuiltinModule('node:child_process');
    const stdio = ['pipe', 'inherit', 'inherit'] as const;
    // As git does: quit if all fits on the screen, pass colours through, leave the text on the screen.
    const options = { env: { LESS: 'FRX', LV: '-c', ...env }, stdio: [...stdio] };
    const [program = '', ...args] = command.split(/\s+/);
    // Plain words need no shell; then it is known at once whether the program is there.
    const isPlain = /^[\w./\s+-]+$/.test(command);
    this.#child = isPlain ? spawn(program, args, options) : spawn(command, { ...options, shell: true });
    if (isPlain) this.#child.on('spawn', () => this.#started());
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    this.#child.on('error', () => {
      this.hasFailed = true;
      resolve();
    });
    this.#child.on('close', (status) => {
      this.hasFailed ||= !this.#hasStarted && notStarted.has(status);
      resolve();
      if (!this.#isEnding && !this.hasFailed) onQuit();
    });
    // A write fails when the user has left the pager, which is no failure.
    this.#child.stdin?.on('error', () => {});
    // A pager that outlives this process would compete with the shell for the keyboard.
    process.once('exit', () => this.#child.kill());
  }

  async write(bytes: Uint8Array): Promise<void> {
    const copy = Uint8Array.from(bytes);
    if (!this.#hasStarted) this.kept.push(copy);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#child.stdin?.write(copy, () => resolve());
    await Promise.race([promise, this.#closed]);
    this.#keptBytes += copy.length;
    if (this.#keptBytes > maxKept && !this.hasFailed) this.#started();
  }

  #started(): void {
    this.#hasStarted = true;
    this.kept = [];
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.#child.stdin?.end();
    await this.#closed;
  }
}
