import { diffArrays } from 'diff';
import { longestIncreasingSubsequence } from '../../shared/longest-increasing-subsequence.ts';

export interface Hunk {
  /** In the common ancestor, from 1. */
  line: number;
  base: string;
  ours: string;
  theirs: string;
}

/**
 * Three-way merge of texts by lines. The sides can change adjacent lines. `hunks` are the conflicts, in which `text` has
 * our lines.
 *
 * @param names of the sides: conflicts then have the lines of both sides, between the conflict marks of Git
 */
export function mergeLines(base: string, ours: string, theirs: string, names?: SideNames): MergedLines {
  if (ours === theirs || theirs === base) return { text: ours, hunks: [] };
  if (ours === base) return { text: theirs, hunks: [] };
  const lines = linesOf(base);
  const changes = [
    ...changesOf(lines, linesOf(ours)).map((change) => ({ ...change, side: 'ours' as const })),
    ...changesOf(lines, linesOf(theirs)).map((change) => ({ ...change, side: 'theirs' as const })),
  ].toSorted((a, b) => a.from - b.from || a.to - b.to);
  const hunks: Hunk[] = [];
  let text = '';
  let done = 0;
  for (const group of overlappingChanges(changes)) {
    const { from, to } = group;
    text += lines.slice(done, from).join('');
    done = to;
    const versions = { ours: changedLines(group, 'ours', lines), theirs: changedLines(group, 'theirs', lines) };
    const isByTheirsOnly = group.changes.every(({ side }) => side === 'theirs');
    const isByBoth = !isByTheirsOnly && group.changes.some(({ side }) => side === 'theirs');
    const isConflict = isByBoth && versions.ours !== versions.theirs;
    if (isConflict) hunks.push({ line: from + 1, base: lines.slice(from, to).join(''), ...versions });
    if (isConflict && names) text += marked(versions, names);
    else text += isByTheirsOnly ? versions.theirs : versions.ours;
  }
  return { text: text + lines.slice(done).join(''), hunks };
}

interface SideNames {
  ours: string;
  theirs: string;
}

interface MergedLines {
  text: string;
  hunks: Hunk[];
}

/** Both versions between conflict marks. */
export function marked({ ours, theirs }: Pick<Hunk, 'ours' | 'theirs'>, names: SideNames): string {
  const end = /\r\n/.test(ours + theirs) ? '\r\n' : '\n';
  const closed = (lines: string) => (lines === '' || lines.endsWith('\n') ? lines : lines + end);
  return [
    `<<<<<<< ${names.ours}${end}`,
    closed(ours),
    `=======${end}`,
    closed(theirs),
    `>>>>>>> ${names.theirs}${end}`,
  ].join('');
}

interface Change {
  /** The replaced lines of the base; none for an insertion. */
  from: number;
  to: number;
  lines: string[];
}

interface SideChange extends Change {
  side: 'ours' | 'theirs';
}

/** Overlapping changes, and the lines of the base from the first to the last of them. */
interface Group {
  from: number;
  to: number;
  changes: SideChange[];
}

function overlappingChanges(changes: readonly SideChange[]): Group[] {
  const groups: Group[] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    if (group && overlaps(group, change)) {
      group.changes.push(change);
      group.to = Math.max(group.to, change.to);
    } else groups.push({ from: change.from, to: change.to, changes: [change] });
  }
  return groups;
}

// Two insertions at the same place have no order, and nothing can follow a line without a line end.
function overlaps({ to, changes }: Group, next: SideChange): boolean {
  if (next.from < to) return true;
  if (next.from > to || changes.every((change) => change.side === next.side)) return false;
  const areInsertions = changes.some((change) => change.from === change.to) && next.from === next.to;
  return areInsertions || changes.at(-1)?.lines.at(-1)?.endsWith('\n') === false;
}

/** The lines of a group on one side. */
function changedLines({ from, to, changes }: Group, side: string, lines: readonly string[]): string {
  let text = '';
  let done = from;
  for (const change of changes) {
    if (change.side !== side) continue;
    text += lines.slice(done, change.from).join('') + change.lines.join('');
    done = change.to;
  }
  return text + lines.slice(done, to).join('');
}

// Lines include their line ends, so that a text keeps its kind of line ends.
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

// Finding common lines takes quadratic time in the number of differences. Therefore, the lines that occur exactly once on
// both sides divide the text first. If too much differs between two of them, everything in between is one change.
const maxSteps = 2_000_000;

function changesOf(base: readonly string[], side: readonly string[]): Change[] {
  const changes: Change[] = [];
  let stepsLeft = maxSteps;
  let [from, start] = [0, 0];
  for (const [to, end] of [...sharedOnce(base, side), [base.length, side.length] as const]) {
    if (from < to || start < end) {
      const between = changesBetween(base.slice(from, to), side.slice(start, end), Math.floor(Math.sqrt(stepsLeft)));
      stepsLeft -= between.steps;
      for (const change of between.changes) changes.push({ ...change, from: change.from + from, to: change.to + from });
    }
    from = to + 1;
    start = end + 1;
  }
  return changes;
}

/** The numbers, in the base and in the side, of lines that occur once in both, in the same order. */
function sharedOnce(base: readonly string[], side: readonly string[]): [number, number][] {
  const inSide = linesThatAreUnique(side);
  const shared = [...linesThatAreUnique(base)].flatMap(([line, inBase]): [number, number][] => {
    const number = inSide.get(line);
    return number === undefined ? [] : [[inBase, number]];
  });
  return longestIncreasingSubsequence(shared, ([, number]) => number);
}

function linesThatAreUnique(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return new Map([...lines.entries()].flatMap(([number, line]) => (counts.get(line) === 1 ? [[line, number]] : [])));
}

function changesBetween(
  base: readonly string[],
  side: readonly string[],
  maxEdits: number,
): { changes: Change[]; steps: number } {
  let head = 0;
  while (head < base.length && head < side.length && base[head] === side[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(base.length, side.length) - head && base.at(-1 - tail) === side.at(-1 - tail)) tail += 1;
  const from = base.slice(head, base.length - tail);
  const to = side.slice(head, side.length - tail);
  if (from.length === 0 && to.length === 0) return { changes: [], steps: 0 };
  const whole = { from: head, to: head + from.length, lines: to };
  if (from.length === 0 || to.length === 0) return { changes: [whole], steps: 0 };
  const parts = diffArrays(from, to, { maxEditLength: maxEdits });
  if (!parts) return { changes: [whole], steps: maxEdits ** 2 };
  const changes: Change[] = [];
  let position = head;
  let edits = 0;
  for (const { value, added, removed } of parts) {
    if (added || removed) {
      edits += value.length;
      const last = changes.at(-1);
      const change = last?.to === position ? last : { from: position, to: position, lines: [] };
      if (change !== last) changes.push(change);
      if (added) change.lines = change.lines.concat(value);
      else change.to += value.length;
    }
    if (!added) position += value.length;
  }
  return { changes, steps: edits ** 2 };
}
