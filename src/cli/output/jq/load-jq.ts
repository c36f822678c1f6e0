import { UsageError } from '../../program/failure.ts';
import type { Column, OutputOptions, Writer } from '../options.ts';

/** The rest of this folder, which only commands with `--jq` load. */
const load = () => import('./jq.ts');

/** @throws UsageError for a format that results of jq cannot take, before anything is fetched */
export function createJqWriter(options: OutputOptions, columns: readonly Column[]): Writer {
  checkFormat(options);
  const writer = load().then((jq) => jq.createJqWriter(options, columns));
  // A failure is that of the first use.
  writer.catch(() => {});
  return {
    page: async (items) => (await writer).page(items),
    end: async () => (await (await writer).end?.()) ?? '',
  };
}

/**
 * The results of `options.jq` for a value, one after another: strings as plain text, everything else as JSON. With
 * `--output json` or `jsonl`, strings are JSON too.
 */
export async function jqText(value: unknown, options: OutputOptions): Promise<string> {
  checkFormat(options);
  const jq = await load();
  return jq.jqText(value, options);
}

function checkFormat(options: OutputOptions): void {
  if (options.jq === undefined || options.format === undefined) return;
  if (options.format === 'json' || options.format === 'jsonl') return;
  throw new UsageError(`--jq prints JSON: leave out --output ${options.format}, or use json or jsonl.`);
}
