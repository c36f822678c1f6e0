import { StringDecoder } from 'node:string_decoder';
import type { Excerpt } from './excerpt.ts';
import type { Output, ToolCall } from './tool.ts';

/** The most characters of a result that are kept in memory. */
const maxWhole = 16_000_000;

/** A result that has to be read to its end. */
export class WholeText {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onTooLong: () => void;
  #text = '';

  constructor(onTooLong: () => void) {
    this.#onTooLong = onTooLong;
  }

  write(chunk: string | Uint8Array): void {
    if (this.#text.length > maxWhole) return;
    this.#text += typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk));
    if (this.#text.length > maxWhole) this.#onTooLong();
  }

  end(): void {
    this.#text += this.#decoder.end();
  }

  /** The printed JSON; the text itself if it is none. */
  value(output: Output): unknown {
    if (output === 'text') return this.#text;
    try {
      return JSON.parse(this.#text);
    } catch {
      return this.#text;
    }
  }
}

/** A result with one JSON value per line. It is read until the excerpt is full. */
export class ItemLines {
  readonly #decoder = new StringDecoder('utf8');
  readonly #excerpt: Excerpt;
  readonly #show: ToolCall['show'];
  readonly #onFull: () => void;
  #begun = '';

  constructor(excerpt: Excerpt, show: ToolCall['show'], onFull: () => void) {
    this.#excerpt = excerpt;
    this.#show = show;
    this.#onFull = onFull;
  }

  write(chunk: string | Uint8Array): void {
    const lines = (this.#begun + (typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk)))).split(
      '\n',
    );
    this.#begun = lines.pop() ?? '';
    for (const line of lines) this.#add(line);
  }

  end(): void {
    this.#add(this.#begun + this.#decoder.end());
    this.#begun = '';
  }

  #add(line: string): void {
    if (line === '' || this.#excerpt.isFull) return;
    this.#excerpt.add(`${shownLine(line, this.#show)}\n`);
    if (this.#excerpt.isFull) this.#onFull();
  }
}

function shownLine(line: string, show: ToolCall['show']): string {
  if (!show) return line;
  const shown = show(JSON.parse(line));
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}
