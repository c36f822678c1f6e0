import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { isObject } from '../../shared/is-object.ts';

/** What happened in a review. */
export type EvidenceEvent =
  | { type: 'created'; by: string; review: string }
  | { type: 'decided'; row: string; owner: string; decision: string; comment: string; saved: string }
  | { type: 'applied'; row: string; by: string; decision: string; outcome: string };

/** An event with its place in the chain: the hash covers the entry before it, so that none can be changed or left out. */
export type Evidence = EvidenceEvent & { number: number; time: string; before: string; hash: string };

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hashOf = (entry: Evidence): string => sha256(JSON.stringify({ ...entry, hash: undefined }));

/** The entries of an evidence file, and what is wrong with it. */
export interface EvidenceFile {
  entries: Evidence[];
  /** The number of the line at which the chain breaks, and why. */
  broken?: { line: number; reason: string };
  /** Bytes up to the end of the last whole line. */
  bytes: number;
  /** Whether the last line was not written to its end. */
  isTorn: boolean;
}

export function readEvidence(file: string): EvidenceFile {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const end = text.lastIndexOf('\n') + 1;
  const result: EvidenceFile = { entries: [], bytes: Buffer.byteLength(text.slice(0, end)), isTorn: end < text.length };
  let before = '';
  for (const [index, line] of text.slice(0, end).split('\n').slice(0, -1).entries()) {
    const entry = entryIn(line);
    const reason =
      entry === undefined
        ? 'the line is not an entry'
        : entry.number !== index + 1
          ? `entry ${index + 1} is missing`
          : entry.before !== before
            ? 'it does not follow the entry before it'
            : hashOf(entry) === entry.hash
              ? undefined
              : 'the entry was changed';
    if (entry === undefined || reason !== undefined)
      return { ...result, broken: { line: index + 1, reason: reason ?? '' } };
    result.entries.push(entry);
    before = entry.hash;
  }
  return result;
}

function entryIn(line: string): Evidence | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry = isObject(value) && typeof value['hash'] === 'string' && typeof value['type'] === 'string';
    // Its hash, which is checked next, covers the other members.
    return isEntry ? (value as unknown as Evidence) : undefined;
  } catch {
    return undefined;
  }
}

/** Adds events to the end of the chain. What a killed run wrote in part is removed first: nothing was sent for it. */
export function appendEvidence(file: string, known: EvidenceFile, events: readonly EvidenceEvent[]): void {
  if (events.length === 0) return;
  if (known.isTorn) truncateSync(file, known.bytes);
  known.isTorn = false;
  let text = '';
  for (const event of events) {
    const last = known.entries.at(-1);
    const entry = {
      ...event,
      number: known.entries.length + 1,
      time: new Date().toISOString(),
      before: last?.hash ?? '',
      hash: '',
    };
    entry.hash = hashOf(entry);
    known.entries.push(entry);
    text += `${JSON.stringify(entry)}\n`;
  }
  const descriptor = openSync(file, 'a', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  known.bytes += Buffer.byteLength(text);
}
