import { isDeepStrictEqual } from 'node:util';
import { hasMembers } from '../../shared/is-object.ts';
import type { Paint } from './paint.ts';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import { shortText } from './value.ts';

/** A changed value; without `before` if it is not known. */
export interface ChangedValue {
  field: string;
  before?: unknown;
  after: unknown;
}

/** Values up to this length are shown on one line. */
const maxShort = 80;

/** `title: Old -> New`; the added and removed items of a list; the changed lines of a long text. */
export async function changeLines(
  change: ChangedValue,
  paint: Paint,
  safe: (text: string) => string,
): Promise<string[]> {
  const { field, before, after } = change;
  if (!('before' in change)) return [`${safe(field)}: ${paint(safe(oneLine(after)), 'good')}`];
  const items = itemsChanged(before, after);
  if (items)
    return [
      `${safe(field)}:`,
      ...items.removed.map((item) => `  ${paint(`- ${safe(item)}`, 'bad')}`),
      ...items.added.map((item) => `  ${paint(`+ ${safe(item)}`, 'good')}`),
    ];
  if (isLong(before) || isLong(after)) {
    const lines = await unifiedDiff(longText(before), longText(after));
    return [`${safe(field)}:`, ...lines.map((line) => `  ${paintDiffLine(safe(line), paint)}`)];
  }
  return [`${safe(field)}: ${paint(safe(oneLine(before)), 'bad')} -> ${paint(safe(oneLine(after)), 'good')}`];
}

/** The difference of two lists of words; undefined if that is not the whole difference. */
function itemsChanged(before: unknown, after: unknown): { added: string[]; removed: string[] } | undefined {
  const [from, to] = [before ?? [], after ?? []];
  if (!isWords(from) || !isWords(to) || (before === null && after === null)) return undefined;
  const added = to.filter((item) => !from.includes(item));
  const removed = from.filter((item) => !to.includes(item));
  const isReordered = !isDeepStrictEqual(
    from.filter((item) => to.includes(item)),
    to.filter((item) => from.includes(item)),
  );
  return isReordered || added.length + removed.length === 0 ? undefined : { added, removed };
}

const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function oneLine(value: unknown): string {
  if (value === '') return '""';
  return shortText(value, undefined, undefined) || (hasMembers(value) ? JSON.stringify(value) : 'none');
}

const isStructure = (value: unknown) => hasMembers(value) && !isWords(value);

function isLong(value: unknown): boolean {
  if (isStructure(value)) return JSON.stringify(value).length > maxShort;
  const text = oneLine(value);
  return text.includes('\n') || text.length > maxShort;
}

function longText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = isStructure(value) ? JSON.stringify(value, null, 2) : oneLine(value);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** A line of a unified difference in the colour of its kind. */
export function paintDiffLine(line: string, paint: Paint): string {
  if (line.startsWith('@@')) return paint(line, 'dim');
  if (line.startsWith('+')) return paint(line, 'good');
  return line.startsWith('-') ? paint(line, 'bad') : line;
}
