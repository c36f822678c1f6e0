import { writeFileAtomicSync } from '../../shared/atomic-write.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { markdownCell, markdownCode } from '../program/build-server.ts';
import { CommandError } from '../program/failure.ts';
import type { Mistake } from './listed-command.ts';
import type { Result } from './outcome.ts';

/** A comment on GitHub may have 65,536 characters. */
const maxCharacters = 60_000;

/** A file with the summaries of all commands of a run. */
export class SummaryFile {
  readonly #path: string;
  readonly #parts: string[] = [];

  /** @throws CommandError if it cannot be written, before any command runs */
  constructor(path: string) {
    this.#path = path;
    this.write();
  }

  add(markdown: string): void {
    this.#parts.push(markdown);
  }

  write(): void {
    try {
      // Replaces the file, because a repository may contain a link with this name to a place outside.
      writeFileAtomicSync(this.#path, shortened(this.#parts));
    } catch (error) {
      throw new CommandError(`--summary: ${this.#path} cannot be written: ${fileReason(error, 'folder')}.`, {
        hint: 'Use another file.',
      });
    }
  }
}

/** The last part summarizes all commands, and comes first so that it is never cut off. */
function shortened(parts: readonly string[]): string {
  const lines = [...parts.slice(-1), ...parts.slice(0, -1)].join('\n\n').split('\n');
  let characters = 0;
  const count = lines.findIndex((line) => (characters += line.length + 1) > maxCharacters);
  if (count === -1) return lines.length === 1 && lines[0] === '' ? '' : `${lines.join('\n')}\n`;
  return `${lines.slice(0, count).join('\n')}\n\n... and ${lines.length - count} more lines.\n`;
}

/** A table of the commands for the page of a pipeline run. */
export function resultsSummary(results: readonly Result[]): string {
  const failed = results.filter(({ result }) => result === 'failed').length;
  const title = failed === 0 ? 'Commands' : `${failed} of ${results.length} commands failed`;
  const rows = results.map((result) => `| ${result.line} | ${markdownCode(result.command)} | ${outcomeOf(result)} |`);
  return [`### ${title}`, '', '| line | command | result |', '|---|---|---|', ...rows].join('\n');
}

function outcomeOf(result: Result): string {
  if (result.result === 'not-run') return 'not run';
  if (result.result === 'done') return 'done';
  const { status, error } = result;
  return `status ${status}${error === undefined ? '' : `: ${markdownCell(error.message)}`}`;
}

export const mistakesSummary = (mistakes: readonly Mistake[]): string =>
  [
    '### Nothing was run: the list has errors',
    '',
    '| line | mistake |',
    '|---|---|',
    ...mistakes.map(({ line, message }) => `| ${line} | ${markdownCell(message)} |`),
  ].join('\n');
