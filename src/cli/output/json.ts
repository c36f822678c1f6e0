import type { OutputOptions, Writer } from './options.ts';
import { visibleJson } from './visible.ts';

/** One value as JSON: indented and without characters that act on a terminal where it goes to one. */
export function jsonText(value: unknown, options: OutputOptions): string {
  // What JSON cannot say (a value of a derived column may be undefined) is null, as in an array.
  if (!options.terminal) return JSON.stringify(value) ?? 'null';
  return visibleJson(JSON.stringify(value, null, 2) ?? 'null');
}

/** One array over all pages: exactly the text of `JSON.stringify` for the whole list. */
export function createJsonWriter(options: OutputOptions): Writer {
  const [open, between, close] = options.terminal ? ['[\n  ', ',\n  ', '\n]\n'] : ['[', ',', ']\n'];
  let isOpen = false;
  const itemText = options.terminal
    ? (item: unknown) => jsonText(item, options).replaceAll('\n', '\n  ')
    : (item: unknown) => jsonText(item, options);
  return {
    page(items) {
      if (items.length === 0) return '';
      const text = (isOpen ? between : open) + items.map(itemText).join(between);
      isOpen = true;
      return text;
    },
    end: () => (isOpen ? close : '[]\n'),
    abort: () => (isOpen ? close : ''),
  };
}

export function createJsonLinesWriter(options: OutputOptions): Writer {
  const lineOf = (item: unknown) => `${jsonText(item, { ...options, terminal: false })}\n`;
  return {
    page(items) {
      const text = items.map(lineOf).join('');
      return options.terminal ? visibleJson(text) : text;
    },
    end: () => '',
    abort: () => '',
  };
}
