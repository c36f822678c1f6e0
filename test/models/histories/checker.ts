/** What somebody did, as they saw it. Times are those of one clock. */
interface Operation {
  began: number;
  /** Infinite while the answer is unknown: it may have happened at any time since, or never. */
  ended: number;
}

/** A value that was added at the end of a list. */
export interface Append extends Operation {
  value: string;
}

/** A list, as it was read. */
export interface Read extends Operation {
  values: readonly string[];
}

/** The states of a list must have one order that all of its operations and their times agree with. */
export function listAnomalies(appends: readonly Append[], reads: readonly Read[], final: readonly string[]): string[] {
  const places = new Map(final.map((value, index) => [value, index + 1]));
  const known = new Set(appends.map(({ value }) => value));
  const acknowledged = appends.filter(({ ended }) => Number.isFinite(ended));
  const wrong = reads.filter(({ values }) => values.some((value, index) => final[index] !== value));
  const steps = [
    ...appends.flatMap(({ value, ...times }) => {
      const place = places.get(value);
      return place === undefined ? [] : [{ ...times, place, least: place - 1, text: `the append of ${value}` }];
    }),
    ...reads.map(({ values, ...times }) => {
      return { ...times, place: values.length, least: values.length, text: `a read of ${values.length} values` };
    }),
  ];
  return [
    ...(places.size < final.length ? [`a value is there twice: ${final.join(' ')}`] : []),
    ...final.filter((value) => !known.has(value)).map((value) => `nobody wrote ${value}`),
    ...acknowledged
      .filter(({ value }) => !places.has(value))
      .map(({ value }) => `${value} was acknowledged and is lost`),
    ...wrong.map(({ values }) => `a read is not the beginning of the list: ${values.join(' ')} / ${final.join(' ')}`),
    ...orderAnomalies(steps),
  ];
}

/** Numbers that a counter gave: each once, without gaps but for answers that are unknown, and in the order of time. */
export function counterAnomalies(numbers: readonly (Operation & { number: number })[], unknown: number): string[] {
  const all = new Set(numbers.map(({ number }) => number));
  const highest = Math.max(0, ...all);
  const steps = numbers.map(({ number, ...times }) => ({
    ...times,
    place: number,
    least: number - 1,
    text: `number ${number}`,
  }));
  return [
    ...(all.size < numbers.length ? ['a number was given twice'] : []),
    ...(highest > all.size + unknown ? [`${highest} is the highest of ${all.size} numbers`] : []),
    ...orderAnomalies(steps),
  ];
}

/**
 * Reads of several values at once, each of which has one writer and grows: of two reads, one must be as old as the other in
 * all of them, or else there is a cycle between reads and writes.
 */
export function snapshotAnomalies(
  writes: readonly (Operation & { index: number; version: number })[],
  reads: readonly (Operation & { versions: readonly number[] })[],
): string[] {
  const isOlder = (one: readonly number[], other: readonly number[]) =>
    one.every((version, index) => version <= other[index]!);
  const anomalies: string[] = [];
  for (const [index, read] of reads.entries()) {
    const name = `a read of ${read.versions.join(' ')}`;
    for (const other of reads.slice(index + 1)) {
      const [before, after] = read.ended < other.began ? [read, other] : [other, read];
      const isOrdered = before.ended < after.began;
      const fits = isOlder(before.versions, after.versions) || (!isOrdered && isOlder(after.versions, before.versions));
      if (!fits) anomalies.push(`${name} and one of ${other.versions.join(' ')} have no order`);
    }
    for (const write of writes) {
      const seen = read.versions[write.index]!;
      if (write.ended < read.began && seen < write.version) anomalies.push(`${name} misses version ${write.version}`);
      if (write.began > read.ended && seen >= write.version) anomalies.push(`${name} is ahead of ${write.version}`);
    }
  }
  return anomalies;
}

/** Whoever begins when another one has ended must be behind it. */
function orderAnomalies(steps: readonly (Operation & { place: number; least: number; text: string })[]): string[] {
  const ended = steps.toSorted((one, other) => one.ended - other.ended);
  let next = 0;
  let last: (typeof ended)[number] | undefined;
  return steps
    .toSorted((one, other) => one.began - other.began)
    .flatMap((step) => {
      for (; ended[next] !== undefined && ended[next]!.ended < step.began; next += 1) {
        if (!last || ended[next]!.place > last.place) last = ended[next];
      }
      return last && step.least < last.place ? [`${step.text} does not follow ${last.text}, which ended before`] : [];
    });
}
