import { nearest } from '../../shared/suggest.ts';
import { selectsPeople } from '../command/batch/people.ts';
import { UsageError } from '../program/failure.ts';
import type { CommandList, ListedCommand, Mistake } from './listed-command.ts';
import type { CsvRow } from '../../shared/csv.ts';

const placeholder = /\{\{|\}\}|\{([^{}]*)\}/g;

/**
 * The words of a command with `{column}` replaced by the cells of each row. `{{` and `}}` are braces. A cell is always one
 * word, or a part of one: whatever it contains, it is no option, no file and no selector.
 *
 * @throws UsageError for a column that does not exist, or without any column
 */
export function expandRows(template: readonly string[], header: readonly string[], rows: readonly CsvRow[]) {
  const names = template.flatMap((word) => [...word.matchAll(placeholder)].flatMap(([, name]) => name ?? []));
  for (const name of names) indexOf(name, header);
  if (names.length === 0)
    throw new UsageError(
      'The command uses no column, so it would be the same for all rows.',
      `Put a column in braces: ${header.map((title) => `{${title}}`).join(', ')}`,
    );
  const list: CommandList & { commands: ListedCommand[]; mistakes: Mistake[] } = { commands: [], mistakes: [] };
  for (const row of rows) {
    const mistakes: Mistake[] = [];
    const words = template.map((word) => expand(word, header, row, (mistake) => mistakes.push(mistake)));
    if (mistakes.length > 0) list.mistakes.push(...mistakes);
    else list.commands.push({ line: row.line, words });
  }
  return list;
}

function indexOf(name: string, header: readonly string[]): number {
  const index = header.findIndex((title) => title.toLowerCase() === name.trim().toLowerCase());
  if (index !== -1) return index;
  const near = nearest(name, header);
  throw new UsageError(
    `{${name}}: the file has no column "${name}".`,
    near === undefined ? `Its columns: ${header.join(', ')}. For a brace, write two.` : `Did you mean {${near}}?`,
  );
}

function expand(
  word: string,
  header: readonly string[],
  { line, cells }: CsvRow,
  report: (mistake: Mistake) => void,
): string {
  return word.replaceAll(placeholder, (match: string, name: string | undefined, at: number) => {
    if (name === undefined) return match.slice(1);
    const index = indexOf(name, header);
    const cell = cells[index] ?? '';
    const problem = problemOf(cell, word.slice(0, at));
    if (problem) report({ line, message: `Column "${header[index]}" ${problem[0]}.`, hint: problem[1] });
    return cell;
  });
}

/** Why a cell cannot stand at a place. @param before the text in front of it */
function problemOf(cell: string, before: string): [message: string, hint?: string] | undefined {
  if (cell === '') return ['is empty', "Leave such rows out: --where 'COLUMN!=null'."];
  if (cell.includes('\0')) return ['contains a null character'];
  const isAlone = before === '' || before.endsWith('=');
  if (cell === '-' && isAlone) return ['is "-", which would read standard input'];
  if (before === '' && cell.startsWith('-'))
    return [`begins with "-": "${cell}" would be an option`, 'Write the option with "=": --title={title}.'];
  if (isAlone && cell.startsWith('@')) return [`begins with "@": "${cell}" would read a file`];
  const isName = isAlone || /[,!]$/.test(before);
  if (isName ? selectsPeople(cell) : cell.includes(',') && selectsPeople(before.replace(/^--[\w-]+=/, '')))
    return [`selects several people: "${cell}"`, 'Write selectors into the command itself.'];
  return undefined;
}
