/** The second row of a table, also in quotes and lists. That of a table with one column can contain only colons. */
export const tableRow = /^(?=[^|:\r\n\u2028\u2029]*[|:])[ \t>*+\d.)|:-]+$/m;

/** What makes a part of a text depend on another one, or lets it contain lines that only look like headings. */
const dependent = /\]:|<(?:[!?]|pre\b|script\b|style\b|textarea\b)|\r(?!\n)|[\u2028\u2029]/i;
/** Headings after a blank line, and lines with the marks of fenced code. */
const notable = /(?<=\n[ \t]*\r?\n)#{1,6}[ \t]|^.*?(?:```|~~~).*$/gm;
const openingFence = /^(`{3,}(?!`)|~{3,}(?!~))[^`]*$/;

/**
 * Divides a text before headings, so that parts with tables are parsed apart from the others: the parser reads each line
 * of a text with tables twice. A text whose parts depend on each other is not divided.
 */
export function splitTables(text: string): string[] {
  if (!tableRow.test(text) || dependent.test(text)) return [text];
  const parts: string[] = [];
  let hadTable: boolean | undefined;
  let start = 0;
  for (const end of [...(headingsIn(text) ?? []), text.length]) {
    const part = text.slice(start, end);
    const hasTable = tableRow.test(part);
    if (hasTable === hadTable) parts.push((parts.pop() ?? '') + part);
    else if (part !== '') parts.push(part);
    hadTable = hasTable;
    start = end;
  }
  return parts;
}

/** Where headings outside of code begin. Undefined if that is not certain. */
function headingsIn(text: string): number[] | undefined {
  const starts: number[] = [];
  let fence: string | undefined;
  for (const { index, 0: line } of text.matchAll(notable)) {
    if (line.startsWith('#')) {
      if (fence === undefined) starts.push(index);
      continue;
    }
    const [, mark] = openingFence.exec(line.trimEnd()) ?? [];
    // Also code in lists and quotes, and code that another mark could end.
    if (mark === undefined || (fence !== undefined && line.trimEnd() !== fence)) return undefined;
    fence = fence === undefined ? mark : undefined;
  }
  return fence === undefined ? starts : undefined;
}
