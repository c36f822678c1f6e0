import { diffArrays } from 'diff';
import { longestIncreasingSubsequence } from '../../shared/longest-increasing-subsequence.ts';

export interface Hunk {
  /** Line of the common ancestor, from 1. */
  line: number;
  base: string;
  ours: string;
  theirs: string;
}

/**
 * Three-way merge of texts by lines. The two sides may change adjacent lines; `hunks` are the places that both changed,
 * and there `text` has the lines of ours.
 */
export function mergeLines(base: string, ours: string, theirs: string): { text: string; hunks: Hunk[] } {
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
    text += isByTheirsOnly ? versions.theirs : versions.ours;
    const isByBoth = !isByTheirsOnly && group.changes.some(({ side }) => side === 'theirs');
    if (isByBoth && versions.ours !== versions.theirs) {
      hunks.push({ line: from + 1, base: lines.slice(from, to).join(''), ...versions });
    }
  }
  return { text: text + lines.slice(done).join(''), hunks };
}

interface Change {
  /** Lines of the base that are replaced; none for an insertion. */
  from: number;
  to: number;
  lines: string[];
}

interface SideChange extends Change {
  side: 'ours' | 'theirs';
}

/** Changes that overlap, and the lines of the base from the first to the last of them. */
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

// Two insertions at one place have no order, and a line without a line end cannot be followed by another.
function overlaps({ to, changes }: Group, next: SideChange): boolean {
  if (next.from < to) return true;
  if (next.from > to || changes.every((change) => change.side === next.side)) return false;
  const areInsertions = changes.some((change) => change.from === change.to) && next.from === next.to;
  return areInsertions || changes.at(-1)?.lines.at(-1)?.endsWith('\n') === false;
}

/** The lines of a group as one side has them. */
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

// A line includes its line end, so that a text keeps its kind of line ends.
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

// The search for common lines takes time in the square of the number of differences. So the lines that both sides have
// exactly once first divide the text; where too much differs between two of them, that counts as one change.
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

/** Numbers of the lines, in the base and in the side, that both have once and in the same order. */
function sharedOnce(base: readonly string[], side: readonly string[]): [number, number][] {
  const inSide = linesThatAreUnique(side);
  const shared = [...linesThatAreUnique(base)].flatMap(([line, inBase]): [number, number][] => {
    const number = inSide.get(line);
    return number === undefined ? [] : [[inBase, number]];
  });
  return longestIncreasingSubsequence(shared, ([, number]) => number);
}

function linesThatAreUnique(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [number, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, number);
  }
  for (const line of repeated) places.delete(line);
  return places;
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
