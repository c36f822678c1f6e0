import type { Invocation } from '../../cli/command/command.ts';
import { createListOutput } from '../../cli/output/index.ts';
import type { ErrorJson } from '../../cli/program/failure.ts';
import type { Streams } from '../../cli/program/io.ts';

interface Command {
  /** Line of the list. */
  line: number;
  /** As it can be typed in a shell. */
  command: string;
}

export interface Ended extends Command {
  status: number;
  ms: number;
  /** With -o json: what the command printed, as a value where it is JSON. */
  output?: unknown;
  error?: ErrorJson;
}

/** What became of one command. */
export type Result = (Command & { result: 'not-run' }) | (Ended & { result: 'done' }) | (Ended & { result: 'failed' });

/** With -o json, keeps what a command prints, and prints its result on a line. Else commands print by themselves. */
export class ResultPrinter {
  readonly isJson: boolean;
  /** Those that the commands print to. */
  readonly streams: Streams;
  readonly #chunks: Uint8Array[] = [];
  readonly #lines: Streams;

  constructor({ globals, lines, io }: Pick<Invocation, 'globals' | 'lines' | 'io'>) {
    this.isJson = globals.output === 'json' || globals.output === 'jsonl';
    this.#lines = lines.streams;
    const keep = { write: (text: string | Uint8Array) => void this.#chunks.push(Buffer.from(text)) };
    const pipe = { terminal: false, color: false, width: Infinity };
    this.streams = this.isJson
      ? { out: keep, err: io.err, screen: pipe }
      : { out: this.#lines.out, err: io.err, screen: io.screen };
  }

  /** What the command has printed, if it was kept. */
  takeOutput(): { output?: unknown } {
    const text = Buffer.concat(this.#chunks.splice(0)).toString();
    if (text === '') return {};
    try {
      return { output: JSON.parse(text) };
    } catch {
      return { output: text };
    }
  }

  async print(result: Result): Promise<void> {
    if (!this.isJson) return;
    const options = { format: 'jsonl', color: false, terminal: false, width: Infinity } as const;
    const output = createListOutput(options, [], this.#lines.out);
    await output.page([result]);
    await output.end();
  }
}
