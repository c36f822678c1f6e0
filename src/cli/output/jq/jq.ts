import { interruptibly } from '../../program/signals.ts';
import { CommandError, UsageError } from '../../program/failure.ts';
import { fieldsFor, pickerOf } from '../field.ts';
import { pathFilter } from './paths.ts';
import type { Column, OutputOptions, Writer } from '../options.ts';
import { stderr } from '../stdout.ts';
import { programFile } from '../../../shared/program-files.ts';
import { visible, visibleJson, visibleLines } from '../../../shared/visible.ts';

/**
 * Runs the expression over the whole list as one array, so the memory it needs grows with the list. An expression that
 * treats the items one by one runs over the pages as they come.
 */
export function createJqWriter(options: OutputOptions, columns: readonly Column[]): Writer {
  const { jq: expression = '.' } = options;
  const isRead = pathFilter(expression) !== undefined;
  // Compiled on other threads while the first page is fetched.
  if (!isRead) loadedJq().catch(() => {});
  const isPerItem = perItem.test(expression) && !pastItem.test(expression);
  const atOnce = isPerItem ? (isRead ? 1 : itemsPerRun) : Infinity;
  let waiting: unknown[] = [];
  let pick: ((item: unknown) => unknown) | undefined;
  const run = () => {
    const items = waiting;
    waiting = [];
    return jqText(items, options);
  };
  return {
    page(items) {
      if (options.columns && items.length > 0) pick ??= pickerOf(fieldsFor(options, columns, items));
      for (const item of items) waiting.push(pick ? pick(item) : item);
      return waiting.length >= atOnce ? run() : '';
    },
    end: () => (isPerItem && waiting.length === 0 ? '' : run()),
  };
}

/** Each run of jq itself takes several milliseconds, whatever it does. */
const itemsPerRun = 2000;

/** Begins with each item, or with a part of it, and pipes that on: only a pipe binds less than everything behind it. */
const perItem = /^\s*\.\[\](\.[A-Za-z_]\w*|\.?\[\]|\?)*\s*(\|(?!=)|$)/;
/** What ends the run, or reads what comes after an item. */
const pastItem = /\b(halt|halt_error|inputs?|input_line_number)\b/;

/**
 * The results of `options.jq` for a value, one after another: strings as plain text, everything else as JSON. With
 * `--output json` or `jsonl`, strings are JSON too.
 */
export async function jqText(value: unknown, options: OutputOptions): Promise<string> {
  const text = pathText(value, options) ?? (await wasmText(JSON.stringify(value) ?? 'null', options));
  return options.terminal ? visibleLines(text) : text;
}

const isIndented = ({ terminal, format }: OutputOptions) => terminal && format !== 'jsonl';

/** What jq writes in another way than JavaScript: very large and small numbers, and halves of characters. */
const writtenDifferently = /\d[eE][+-]?\d|\d{16}|\\ud[89a-f]/;

/** The results of an expression that is read here; undefined for any other. */
function pathText(value: unknown, options: OutputOptions): string | undefined {
  const results = pathFilter(options.jq ?? '.')?.(value);
  if (!results) return undefined;
  const space = isIndented(options) ? 2 : undefined;
  const lines = results.map((result) => JSON.stringify(result, null, space).replaceAll('\u007f', '\\u007f'));
  if (lines.some((line) => writtenDifferently.test(line))) return undefined;
  return lines.map((line) => `${line.startsWith('"') ? stringLine(line, options) : line}\n`).join('');
}

let loading: ReturnType<typeof loadJq> | undefined;
/** Loaded once, however often it is asked for. */
const loadedJq = () => (loading ??= loadJq());

async function loadJq() {
  const { loadJq: load } = await import('jq-wasm');
  // Compressed: the package is 0.7 MB smaller, for 7 ms.
  const wasmBinary = process.getBuiltinModule('node:zlib').brotliDecompressSync(programFile('dist/jq.wasm.br'));
  return load({ wasmBinary });
}

const halfCharacter = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

async function wasmText(json: string, options: OutputOptions): Promise<string> {
  const { jq: expression = '.' } = options;
  // A filter may begin with a dash: after `--`, jq does not read it as an option.
  const flags = isIndented(options) ? ['--indent', '2', '--'] : ['-c', '--'];
  const jq = await loadedJq();
  // jq refuses halves of characters, which no text should have.
  const input = json.includes('\\ud') ? json.replace(halfCharacter, '$1\\ufffd') : json;
  // With the signals at their defaults, an endless expression can be stopped.
  const result = interruptibly(() => runGuarded(() => jq.raw(input, expression, flags)));
  if (result.exitCode !== 0) throw failure(expression, result.stderr);
  if (result.stderr !== '') await stderr().write(`${visibleLines(result.stderr)}\n`);
  if (result.stdout === '') return '';
  // Inside a value, every line but the first is indented: a line that starts with a quote is a separate string.
  const lines = result.stdout.split('\n').map((line) => (line.startsWith('"') ? stringLine(line, options) : line));
  return `${lines.join('\n')}\n`;
}

function stringLine(line: string, options: OutputOptions): string {
  if (options.format === undefined) return String(JSON.parse(line));
  return options.terminal ? visibleJson(line) : line;
}

function runGuarded<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    // When its memory or stack is used up, the WebAssembly of jq throws instead of giving a status.
    throw new CommandError('--jq: the expression needs more memory than jq can use.', { cause: cause });
  }
}

function failure(expression: string, stderrText: string): UsageError {
  const first = stderrText.split('\n')[0] ?? '';
  if (!first.startsWith('jq: error')) return new CommandError(`--jq: ${visible(stderrText)}`);
  const reason = first
    .replace(/^jq: error( \(at [^)]*\))?: /, '')
    .replace(/ at <top-level>, line (\d+), column (\d+):?$/, ' (line $1, column $2)')
    .replace(/:$/, '');
  return new UsageError(`--jq "${visible(expression)}": ${visible(reason)}.`);
}
