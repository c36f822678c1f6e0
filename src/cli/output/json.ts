import type { OutputOptions, Writer } from './options.ts';
import { visibleJson } from '../../shared/visible.ts';

/** One value as JSON; for a terminal, indented and without characters that act on it. */
export function jsonText(value: unknown, options: OutputOptions): string {
  // The value of a computed column may be undefined: then it is null, as in an array.
  if (!options.terminal) return JSON.stringify(value) ?? 'null';
  return visibleJson(JSON.stringify(value, null, 2) ?? 'null');
}

/** One array for all pages: the same text as `JSON.stringify` of the whole list. */
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
  };
}
