import type { OutputOptions, Sink } from './options.ts';

/** A list whose items are passed through as bytes, without becoming objects. */
export interface RawListOutput {
  /** @param items separated by commas, without the brackets around them; read before the next page is asked for */
  page(items: Uint8Array): Promise<void>;
  end(): Promise<void>;
  abort(): Promise<void>;
}

/** Whether a list can be passed through: JSON for a program, with no member left out or added. */
export const passesThrough = ({ format, terminal, columns, jq }: OutputOptions): boolean =>
  (format === 'json' || format === 'jsonl') && !terminal && columns === undefined && jq === undefined;

/** Prints what `createListOutput` prints, byte for byte if the service sends compact JSON. */
export function createRawListOutput({ format }: OutputOptions, sink: Sink): RawListOutput {
  return format === 'json' ? arrayOf(sink) : linesOf(sink);
}

const text = (ascii: string) => Buffer.from(ascii);

function arrayOf(sink: Sink): RawListOutput {
  let isOpen = false;
  return {
    async page(items) {
      if (items.length === 0) return;
      await sink.write(text(isOpen ? ',' : '['));
      isOpen = true;
      await sink.write(items);
    },
    end: async () => sink.write(text(isOpen ? ']\n' : '[]\n')),
    abort: async () => (isOpen ? sink.write(text(']\n')) : undefined),
  };
}

function linesOf(sink: Sink): RawListOutput {
  return {
    async page(items) {
      if (items.length === 0) return;
      await sink.write(inLines(items) ? items : text(rewritten(items)));
      await sink.write(text('\n'));
    },
    async end() {},
    async abort() {},
  };
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const newline = 0x0a;

/** Puts each item on its own line, in place. @returns false, with nothing changed, if there is white space between the parts */
function inLines(bytes: Uint8Array): boolean {
  const commas: number[] = [];
  let depth = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte === quote) {
      index++;
      while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === comma) {
      if (depth === 0) commas.push(index);
    } else if (byte <= 0x20) return false;
  }
  for (const index of commas) bytes[index] = newline;
  return true;
}

function rewritten(items: Uint8Array): string {
  const parsed: unknown[] = JSON.parse(`[${Buffer.from(items).toString()}]`);
  return parsed.map((item) => JSON.stringify(item)).join('\n');
}
