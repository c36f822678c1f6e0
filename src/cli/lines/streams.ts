import type { Invocation } from '../command/command.ts';
import { createListOutput, type Sink } from '../output/index.ts';
import type { Streams } from '../program/io.ts';
import type { Result } from './outcome.ts';

const pipe = { terminal: false, color: false, width: Infinity };

/** Prints one JSON line for each command with -o json. */
export class ResultPrinter {
  readonly isJson: boolean;
  readonly #streams: Streams;

  constructor({ globals, lines }: Pick<Invocation, 'globals' | 'lines'>) {
    this.isJson = globals.output === 'json' || globals.output === 'jsonl';
    this.#streams = lines.streams;
  }

  async print(result: Result): Promise<void> {
    if (!this.isJson) return;
    const options = { format: 'jsonl', color: false, terminal: false, width: Infinity } as const;
    const output = createListOutput(options, [], this.#streams.out);
    await output.page([result]);
    await output.end();
  }
}

/** Where the output of one command goes. */
export interface LineStreams {
  streams: Streams;
  /** Passes on what was held back. @returns the output, parsed if it is JSON, if it was captured */
  end(): Promise<{ output?: unknown }>;
  /** The captured output as text. */
  text(): string;
}

interface Place extends Pick<Invocation, 'lines' | 'io'> {
  /** With -o json: captures the output. */
  isJson: boolean;
  /** The output is the result of the command, and is not printed. */
  isResult: boolean;
  /** In front of each line on standard error, if several commands run at the same time. */
  prefix?: string | undefined;
  /** Standard error above a progress indicator. */
  err: Sink;
}

export function lineStreams({ lines, io, isJson, isResult, prefix, err }: Place): LineStreams {
  const out = new Kept();
  const messages = new Kept();
  const isHeld = prefix !== undefined;
  const streams: Streams = {
    out: isJson || isResult || isHeld ? out : lines.streams.out,
    err: isHeld ? messages : err,
    screen: isJson || isResult ? pipe : io.screen,
    ...(isHeld && { isStill: true }),
  };
  return {
    streams,
    text: () => out.text(),
    async end() {
      // With -o json, errors are JSON documents.
      if (isHeld) await err.write(isJson ? messages.bytes() : messages.text().replaceAll(/^(?=[^\n])/gm, () => prefix));
      if (isJson) return out.text() === '' ? {} : { output: parsed(out.text()) };
      const bytes = out.bytes();
      if (isResult) return {};
      if (bytes.length > 0) await lines.streams.out.write(bytes);
      return {};
    },
  };
}

class Kept implements Sink {
  readonly #chunks: Uint8Array[] = [];

  write(text: string | Uint8Array): void {
    this.#chunks.push(Buffer.from(text));
  }

  bytes = (): Uint8Array => Buffer.concat(this.#chunks);
  text = (): string => Buffer.concat(this.#chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
