import { interruptibly } from '../program/signals.ts';
import { OutputError } from './error.ts';
import { fieldsFor, pickerOf } from './field.ts';
import type { Column, OutputOptions, Writer } from './options.ts';
import { stderr } from './stdout.ts';
import { visible, visibleJson, visibleLines } from './visible.ts';

/** Runs the expression over the whole list as one array, so the memory it needs grows with the list. */
export function createJqWriter(options: OutputOptions, columns: readonly Column[]): Writer {
  const items: string[] = [];
  let pick: ((item: unknown) => unknown) | undefined;
  return {
    page(page) {
      if (options.columns && page.length > 0) pick ??= pickerOf(fieldsFor(options, columns, page));
      for (const item of page) items.push(JSON.stringify(pick ? pick(item) : item) ?? 'null');
      return '';
    },
    end: () => jqText(`[${items.join(',')}]`, options),
    abort: () => '',
  };
}

/**
 * The results of `options.jq` for a JSON text, one after another: strings as plain text, everything else as JSON. With
 * `--output json` or `jsonl`, strings are JSON too.
 */
export async function jqText(json: string, options: OutputOptions): Promise<string> {
  const expression = options.jq ?? '.';
  checkFormat(options);
  // A filter may begin with a dash: after `--`, jq does not read it as an option.
  const flags = options.terminal && options.format !== 'jsonl' ? ['--indent', '2', '--'] : ['-c', '--'];
  const { loadJq } = await import('jq-wasm');
  const jq = await loadJq();
  // With the signals at their defaults, an endless expression can be stopped.
  const result = interruptibly(() => runGuarded(() => jq.raw(json, expression, flags)));
  if (result.exitCode !== 0) throw failure(expression, result.stderr);
  if (result.stderr !== '') await stderr().write(`${visibleLines(result.stderr)}\n`);
  if (result.stdout === '') return '';
  // Inside a value, every line but the first is indented: a line that begins with a quote is a string by itself.
  const lines = result.stdout.split('\n').map((line) => (line.startsWith('"') ? stringLine(line, options) : line));
  const text = `${lines.join('\n')}\n`;
  return options.terminal ? visibleLines(text) : text;
}

function stringLine(line: string, options: OutputOptions): string {
  if (options.format === undefined) return String(JSON.parse(line));
  return options.terminal ? visibleJson(line) : line;
}

/** Refuses the formats that jq's results cannot take. Called before anything is fetched. */
export function checkFormat(options: OutputOptions): void {
  if (options.jq === undefined || options.format === undefined) return;
  if (options.format === 'json' || options.format === 'jsonl') return;
  throw new OutputError(`--jq prints JSON: leave out --output ${options.format}, or use json or jsonl.`);
}

function runGuarded<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    // When its memory or stack is used up, the WebAssembly of jq throws instead of giving a status.
    throw new OutputError('--jq: the expression needs more memory than jq can use.', 1, cause);
  }
}

function failure(expression: string, stderrText: string): OutputError {
  const first = stderrText.split('\n')[0] ?? '';
  if (!first.startsWith('jq: error')) return new OutputError(`--jq: ${visible(stderrText)}`, 1);
  const reason = first
    .replace(/^jq: error[^:]*: /, '')
    .replace(/ at <top-level>, line (\d+), column (\d+):?$/, ' (line $1, column $2)')
    .replace(/:$/, '');
  return new OutputError(`--jq "${visible(expression)}": ${visible(reason)}.`);
}
