import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { JournalEntry } from '../journal/journal-files.ts';
import { isObject } from '../shared/is-object.ts';
import type { PostedEvent } from './events.ts';

/** A comment has at most 10,000 characters. */
const partLength = 9000;
const maxParts = 300;
const maxBytes = 64 * 1024 * 1024;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The journal entries of an apply as texts of comments; none if they are too large. */
export function journalParts(entries: readonly JournalEntry[]): { parts: string[]; hash: string } {
  const text = gzipSync(JSON.stringify(entries)).toString('base64');
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += partLength) parts.push(text.slice(start, start + partLength));
  return { parts: parts.length > maxParts || entries.length === 0 ? [] : parts, hash: hashOf(text) };
}

/**
 * The journal entries that the person who applied a proposal stored.
 *
 * @returns undefined if they are missing or were edited
 */
export function storedJournal(
  events: readonly PostedEvent[],
  { user, count, hash }: { user: string; count: number; hash: string },
): JournalEntry[] | undefined {
  const parts = new Map<number, string>();
  for (const { user: by, event } of events)
    if (event.docsctl === 'journal' && by.id === user) parts.set(event.part, event.data);
  const text = Array.from({ length: count }, (_, part) => parts.get(part) ?? '').join('');
  if (count === 0 || hashOf(text) !== hash) return undefined;
  const bytes = gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: maxBytes });
  const entries: unknown = JSON.parse(bytes.toString());
  if (!Array.isArray(entries)) return undefined;
  return entries.filter(isEntry);
}

const isEntry = (value: unknown): value is JournalEntry =>
  isObject(value) && Array.isArray(value['changes']) && Array.isArray(value['command']);
