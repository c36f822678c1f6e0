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
 * Three-way merge of texts by lines. Lines beside each other may be changed by different sides; `hunks` are the places
 * that both changed, there `text` keeps ours.
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
  for (let at = 0; at < changes.length;) {
    const group = [changes[at]!];
    let { to } = changes[at]!;
    for (at += 1; at < changes.length && overlaps(group, to, changes[at]!); at += 1) {
      group.push(changes[at]!);
      to = Math.max(to, changes[at]!.to);
    }
    const from = group[0]!.from;
    text += lines.slice(done, from).join('');
    done = to;
    const versions = {
      ours: applied(group, 'ours', lines, from, to),
      theirs: applied(group, 'theirs', lines, from, to),
    };
    const sides = new Set(group.map((change) => change.side));
    if (sides.size === 1) text += versions[group[0]!.side];
    else {
      text += versions.ours;
      if (versions.ours !== versions.theirs) {
        hunks.push({ line: from + 1, base: lines.slice(from, to).join(''), ...versions });
      }
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

// Two insertions at one place have no order of their own, and a line without an end cannot have another behind it.
function overlaps(group: (Change & { side: string })[], to: number, next: Change & { side: string }): boolean {
  if (next.from < to) return true;
  if (next.from > to || group.every((change) => change.side === next.side)) return false;
  const inserted = group.some((change) => change.from === change.to) && next.from === next.to;
  return inserted || group.at(-1)!.lines.at(-1)?.endsWith('\n') === false;
}

function applied(
  group: (Change & { side: string })[],
  side: string,
  lines: readonly string[],
  from: number,
  to: number,
): string {
  let text = '';
  let done = from;
  for (const change of group) {
    if (change.side !== side) continue;
    text += lines.slice(done, change.from).join('') + change.lines.join('');
    done = change.to;
  }
  return text + lines.slice(done, to).join('');
}

// Line ends belong to their lines, so that a text's own kind of them survives.
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

// The search for common lines takes the square of how many differ. Lines that each side has once divide the text before
// it; where too much differs between two of them, that counts as one change.
const maxSteps = 2_000_000;

function changesOf(base: readonly string[], side: readonly string[]): Change[] {
  const changes: Change[] = [];
  let left = maxSteps;
  let [from, start] = [0, 0];
  for (const [to, end] of [...sharedOnce(base, side), [base.length, side.length] as const]) {
    if (from < to || start < end) {
      const between = changesBetween(base.slice(from, to), side.slice(start, end), Math.floor(Math.sqrt(left)));
      left -= between.steps;
      for (const change of between.changes) changes.push({ ...change, from: change.from + from, to: change.to + from });
    }
    from = to + 1;
    start = end + 1;
  }
  return changes;
}

/** Where the lines stand, here and there, that both have once and in one order. */
function sharedOnce(base: readonly string[], side: readonly string[]): [number, number][] {
  const here = placesOfSingle(base);
  const there = placesOfSingle(side);
  const shared = [...here.keys()].filter((line) => there.has(line));
  return longestIncreasingSubsequence(shared, (line) => there.get(line)!).map((line) => [
    here.get(line)!,
    there.get(line)!,
  ]);
}

function placesOfSingle(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
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
  let at = head;
  let edits = 0;
  for (const { value, added, removed } of parts) {
    if (added || removed) {
      edits += value.length;
      const last = changes.at(-1);
      const change = last?.to === at ? last : { from: at, to: at, lines: [] };
      if (change !== last) changes.push(change);
      if (added) change.lines = change.lines.concat(value);
      else change.to += value.length;
    }
    if (!added) at += value.length;
  }
  return { changes, steps: edits ** 2 };
}
