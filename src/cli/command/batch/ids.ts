import { missingValue } from '../../program/failure.ts';
import type { Invocation } from '../command.ts';
import { inputText } from '../read-input.ts';

/** The ids of the arguments, and for `-` those of standard input. Duplicates count once. */
export async function idsOf(invocation: Invocation, name: string): Promise<string[]> {
  const { args, path } = invocation;
  const words = [args[name] ?? []].flat();
  const ids: string[] = [];
  for (const word of words) ids.push(...(word === '-' ? await idsIn(inputText(), name) : [word]));
  if (ids.length === 0 && !words.includes('-')) throw missingValue(`<${name}>`, path);
  return [...new Set(ids)];
}

/** One id per line, up to the first tab; or those of a result file, which has a header. */
async function idsIn(text: string, name: string): Promise<string[]> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = (lines[0] ?? '').split(',');
  if (header[0] !== name || !header.includes('result'))
    return lines.map((line) => line.replace(/\t.*/s, '').trim()).filter(Boolean);
  const { cellText, readCsv } = await import('../../../shared/csv.ts');
  return readCsv(text)
    .slice(1)
    .map(({ cells }) => cellText(cells[0]))
    .filter(Boolean);
}
