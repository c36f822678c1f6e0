import { Buffer } from 'node:buffer';
import { withoutLinks } from '../output/hyperlink.ts';
import { type Sink, visible } from '../output/index.ts';
import type { Pager, PagerOptions } from './pager-process.ts';

type Variables = Record<string, string | undefined>;

/** The pager of the user; undefined for none. */
export function pagerOf(env: Variables): Pick<PagerOptions, 'command' | 'isChosen'> | undefined {
  const chosen = env.DOCSCTL_PAGER ?? env.PAGER;
  const command = (chosen ?? 'less').trim();
  return command === '' || command === 'cat' ? undefined : { command, isChosen: chosen !== undefined };
}

/**
 * Standard output in a terminal: what is longer than the screen goes through a pager, which is started when it is needed.
 * Messages on standard error wait until the pager has ended.
 */
export class PagedOutput {
  readonly #options: PagerOptions;
  readonly #streams: { out: Sink; err: Sink };
  readonly #onQuit: () => void;
  /** Written, but not yet printed: it may fit on the screen. Undefined once it is printed. */
  #held: Uint8Array[] | undefined = [];
  #lines = 0;
  #pager: Pager | undefined;
  #isStarting = false;
  #messages: (string | Uint8Array)[] = [];

  /** @param onQuit called when the user leaves the pager before the end of the output */
  constructor(options: PagerOptions, streams: { out: Sink; err: Sink }, onQuit: () => void = () => process.exit(0)) {
    this.#options = options;
    this.#streams = streams;
    this.#onQuit = onQuit;
  }

  /** Whether a pager has the screen. */
  get isPaging(): boolean {
    return this.#pager !== undefined;
  }

  readonly out: Sink = {
    write: (text) => this.#write(typeof text === 'string' ? Buffer.from(text) : text),
    hasScreen: () => this.isPaging || this.#isStarting,
  };

  readonly err: Sink = {
    write: async (text) => {
      if (this.isPaging) this.#messages.push(text);
      else {
        // What was written before the message is read before it.
        await this.flush();
        await this.#streams.err.write(text);
      }
    },
  };

  /** Prints what was held back: before a message or a question. */
  async flush(): Promise<void> {
    const held = this.#held;
    if (!held || this.isPaging || held.length === 0) return;
    this.#held = undefined;
    await this.#streams.out.write(Buffer.concat(held));
  }

  /** Prints the rest, and waits until the user has left the pager. */
  async end(): Promise<void> {
    await this.flush();
    await this.#pager?.end();
    await this.#leavePager();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#pager) {
      await this.#pager.write(withoutLinks(bytes));
      if (this.#pager.hasFailed) await this.#leavePager();
      return;
    }
    if (!this.#held) return this.#streams.out.write(bytes);
    // The bytes of a raw page are valid only until the next page.
    this.#held.push(Uint8Array.from(bytes));
    this.#lines += linesOf(withoutLinks(bytes), this.#options.columns);
    if (this.#lines < this.#options.rows) return;
    // Set before the first await: a progress bar must be gone when the pager draws.
    this.#isStarting = true;
    const { Pager } = await import('./pager-process.ts');
    this.#isStarting = false;
    // A message may have flushed the output while the module was loading.
    const held = this.#held && Buffer.concat(this.#held);
    if (!held) return;
    this.#held = undefined;
    this.#pager = new Pager(this.#options, this.#onQuit);
    await this.#write(held);
  }

  /** Prints what had to wait for the end of the pager, and all of the output if it could not be started. */
  async #leavePager(): Promise<void> {
    const pager = this.#pager;
    this.#pager = undefined;
    if (pager?.hasFailed) {
      const hint = 'Set DOCSCTL_PAGER to another one, or pass --no-pager.';
      const message = `The pager "${visible(this.#options.command)}" cannot be started. ${hint}\n`;
      if (this.#options.isChosen) await this.#streams.err.write(message);
      for (const bytes of pager.kept) await this.#streams.out.write(bytes);
    }
    for (const message of this.#messages.splice(0)) await this.#streams.err.write(message);
  }
}

/** How many lines of the screen a text takes, about: colours count as text, and wide characters as several. */
function linesOf(bytes: Uint8Array, columns: number): number {
  let lines = 0;
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines += Math.max(1, Math.ceil((end - start) / columns));
    start = end + 1;
  }
  return lines + Math.ceil((bytes.length - start) / columns);
}
