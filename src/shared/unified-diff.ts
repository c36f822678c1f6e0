import type { StructuredPatch } from 'diff';

/** Texts that differ in many places are not compared line by line, because that could take minutes. */
const timeoutMs = 2000;

/** The changed lines of a text with three lines of context, as `diff -u` prints them. Empty if nothing changed. */
export async function unifiedDiff(before: string, after: string): Promise<string[]> {
  if (before === after) return [];
  const { formatPatch, OMIT_HEADERS, structuredPatch } = await import('diff');
  const options = { context: 3, timeout: timeoutMs };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options) ?? replacement(before, after);
  return formatPatch(patch, OMIT_HEADERS).split('\n').slice(0, -1);
}

/** A patch that removes all lines of one text and adds those of the other. */
function replacement(before: string, after: string): StructuredPatch {
  const [removed, added] = [linesOf(before), linesOf(after)];
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  const hunk = { oldStart: 1, oldLines: removed.length, newStart: 1, newLines: added.length, lines };
  return { oldFileName: '', newFileName: '', oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
