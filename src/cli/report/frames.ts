import { readFileSync, statSync } from 'node:fs';
import { loadPaint, type Paint } from '../output/paint.ts';
import { visible } from '../../shared/visible.ts';
import type { Io } from '../program/io.ts';
import { formatFinding, isFile, type Level, placeOf, type ReportFinding } from './finding.ts';

const tones = { breaking: 'bad', error: 'bad', warning: 'warn', info: 'dim' } as const satisfies Record<Level, string>;
/** Larger files are not read again. */
const maxBytes = 50 * 1024 * 1024;
const tab = '  ';

/** Findings as text: in a terminal with colours and with the lines of the file, elsewhere one line each. */
export class FindingText {
  readonly #paint: Paint;
  readonly #width: number | undefined;
  readonly #files = new Map<string, readonly string[]>();

  private constructor(paint: Paint, width: number | undefined) {
    this.#paint = paint;
    this.#width = width;
  }

  static async for({ screen }: Pick<Io, 'screen'>): Promise<FindingText> {
    if (!screen.terminal) return new FindingText((text) => text, undefined);
    return new FindingText(await loadPaint(screen.color), screen.width);
  }

  /** Nothing in it can act on a terminal. @param more further lines about the finding */
  lines(finding: ReportFinding, more: readonly string[] = []): string[] {
    const rest = more.map(visible);
    if (this.#width === undefined) return [visible(formatFinding(finding)), ...rest];
    const { level, message, rule } = finding;
    const place = placeOf(finding);
    const head = [
      ...(place === '' ? [] : [this.#paint(visible(place), 'head')]),
      this.#paint(level, tones[level]),
      visible(message),
      this.#paint(`(${visible(rule)})`, 'dim'),
    ];
    return [head.join(' '), ...this.#frame(finding, this.#width), ...rest.map((line) => this.#paint(line, 'dim'))];
  }

  /** The line of a finding, the one before it, and a mark below its column. */
  #frame({ file, line, column, level }: ReportFinding, width: number): string[] {
    if (file === undefined || line === undefined || !isFile(file)) return [];
    const source = this.#linesOf(file);
    const text = source[line - 1];
    if (text === undefined) return [];
    const digits = String(line).length;
    const room = Math.max(20, width - digits - 6);
    const before = text.slice(0, (column ?? 1) - 1);
    // Of a long line, the part around the column is shown.
    const start = before.length > room / 2 ? Math.floor(before.length - room / 2) : 0;
    const cut = (each: string) => visible(each.replaceAll('\t', tab)).slice(0, room);
    const row = (number: number, each: string) =>
      `  ${this.#paint(String(number).padStart(digits), 'dim')} ${this.#paint('|', 'dim')} ${cut(each.slice(start))}`;
    const above = source[line - 2];
    const indent = cut(before.slice(start)).replaceAll(/./gsu, ' ');
    return [
      ...(above === undefined || above.trim() === '' ? [] : [row(line - 1, above)]),
      row(line, text),
      ...(column === undefined
        ? []
        : [`  ${' '.repeat(digits)} ${this.#paint('|', 'dim')} ${indent}${this.#paint('^', tones[level])}`]),
    ];
  }

  /** Empty for a file that is not here, such as one of a commit. */
  #linesOf(file: string): readonly string[] {
    let lines = this.#files.get(file);
    if (!lines) {
      lines = readLines(file);
      this.#files.set(file, lines);
    }
    return lines;
  }
}

function readLines(file: string): string[] {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > maxBytes) return [];
    return readFileSync(file, 'utf8').split(/\r\n|\r|\n/);
  } catch {
    return [];
  }
}
