import { gunzipSync, gzipSync } from 'node:zlib';
import { isObject } from '../../shared/is-object.ts';
import { type Base, jsonOfBase, readBase } from './base.ts';

/**
 * The parts of a folder that pages cannot store: names of files that do not follow from the pages' addresses,
 * SUMMARY.md word for word, and the source text of links that were sent in another form. It is one of the content's
 * files, so that a pull into an empty folder gives the same bytes as were pushed. Each version has a name of its own,
 * as files are never replaced; the one with the highest number counts.
 */
export interface Layout {
  serial: number;
  summary?: { path: string; text: string };
  /** From a page's path to its file. */
  pages: ReadonlyMap<string, string>;
  /** From a file's name in the content to its path. */
  files: ReadonlyMap<string, string>;
  /** Older versions of files, and removed ones, by their names in the content: what was their path. They are in no folder. */
  old: ReadonlyMap<string, string>;
  /** By page path, in the order of the text. */
  links: ReadonlyMap<string, readonly SentLink[]>;
  /** What the folder had at its last push; absent in layouts of earlier versions. */
  base?: Base;
  /** What a push that takes several calls is about to make of it. It counts where the push was interrupted. */
  pending?: Base;
}

/** The address that was sent, and its source text in the file. */
export type SentLink = [sent: string, written: string];

const shape = /^\.docsctl\/layout-(\d+)\.json$/;

export const layoutName = (serial: number) => `.docsctl/layout-${serial}.json`;

export function isLayout(name: string): boolean {
  return shape.test(name);
}

const serialOf = (name: string) => Number(shape.exec(name)?.[1] ?? 0);

/** The files whose layout counts: more than one where change requests that were pushed to at the same time are merged. */
export function latestLayouts<File extends { name: string }>(files: Iterable<File>): File[] {
  const layouts = [...files].filter(({ name }) => isLayout(name));
  const last = Math.max(...layouts.map(({ name }) => serialOf(name)));
  return layouts.filter(({ name }) => serialOf(name) === last);
}

/** Larger layouts are compressed: each push of a change writes one. */
const maxPlainBytes = 64 * 1024;
/** Layouts of 100,000 pages are smaller. Anybody who can write to the space can write one that expands to more. */
const maxBytes = 64 * 1024 * 1024;

export function writeLayout(layout: Layout): Uint8Array {
  const bytes = Buffer.from(`${JSON.stringify(jsonOf(layout), undefined, 1)}\n`);
  return bytes.length > maxPlainBytes ? gzipSync(bytes) : bytes;
}

function jsonOf({ serial, pages, files, old, links, summary, base, pending }: Layout) {
  return {
    version: 1,
    serial,
    pages: Object.fromEntries(pages),
    files: Object.fromEntries(files),
    ...(old.size > 0 && { old: Object.fromEntries(old) }),
    links: Object.fromEntries(links),
    summary,
    ...(base && { base: jsonOfBase(base) }),
    ...(pending && { pending: jsonOfBase(pending) }),
  };
}

/** Whether two layouts are equal apart from their serials and bases. */
export function isSameLayout(one: Layout, other: Layout): boolean {
  const textOf = (layout: Layout) => JSON.stringify({ ...jsonOf(layout), serial: 0, base: 0, pending: 0 });
  return textOf(one) === textOf(other);
}

/**
 * The layout in a file; an empty one where the bytes are not a layout. Anybody who can write to the space can write
 * one: its paths are checked where they are used.
 *
 * @param limit of its bytes
 */
export function readLayout(bytes: Uint8Array | undefined, limit = maxBytes): Layout {
  const { serial, summary, pages, files, old, links, base, pending } = readJson(bytes, limit);
  const bases = { base: readBase(base), pending: readBase(pending) };
  return {
    serial: typeof serial === 'number' && Number.isSafeInteger(serial) ? serial : 0,
    ...summaryOf(summary),
    pages: entriesOf(pages, isText),
    files: entriesOf(files, isText),
    old: entriesOf(old, isText),
    links: entriesOf(links, isLinks),
    ...(bases.base && { base: bases.base }),
    ...(bases.pending && { pending: bases.pending }),
  };
}

function readJson(bytes: Uint8Array | undefined, maxOutputLength: number): Record<string, unknown> {
  if (!bytes) return {};
  try {
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isCompressed ? gunzipSync(bytes, { maxOutputLength }) : Buffer.from(bytes);
    const value: unknown = JSON.parse(plain.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function summaryOf(summary: unknown): Pick<Layout, 'summary'> {
  const { path, text } = isObject(summary) ? summary : {};
  return isText(path) && isText(text) ? { summary: { path, text } } : {};
}

// A map instead of a plain object: a page may be called "constructor".
function entriesOf<Value>(value: unknown, is: (value: unknown) => value is Value): Map<string, Value> {
  const entries = Object.entries(isObject(value) ? value : {});
  return new Map(entries.flatMap(([key, each]): [string, Value][] => (is(each) ? [[key, each]] : [])));
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isLinks = (value: unknown): value is SentLink[] =>
  Array.isArray(value) && value.every((link) => Array.isArray(link) && link.length === 2 && link.every(isText));
