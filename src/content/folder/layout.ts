import { gunzipSync, gzipSync } from 'node:zlib';
import { isObject } from '../../shared/is-object.ts';
import { type Base, isText, jsonOfBase, readBase } from './base.ts';
import { type PushEntry, readPushLog } from './push-log.ts';

/**
 * The parts of a folder that cannot be stored in pages: file names that do not follow from the addresses of pages, the
 * text of SUMMARY.md, and the source text of links that were sent in another form. It is stored as a file in the space, so
 * that a pull into an empty folder restores the pushed bytes. Files are never replaced, so each version has a number, and
 * the highest one counts.
 */
export interface Layout {
  serial: number;
  summary?: { path: string; text: string };
  /** Files by the path of their page. */
  pages: ReadonlyMap<string, string>;
  /** Paths by the name of the file in the space. */
  files: ReadonlyMap<string, string>;
  /** Former paths of old and deleted versions of files, by their names in the space. */
  old: ReadonlyMap<string, string>;
  /** By the path of the page, in the order of the text. */
  links: ReadonlyMap<string, readonly SentLink[]>;
  /** The state of the folder at its last push; missing in layouts of earlier versions. */
  base?: Base;
  /** The state after a push that takes several requests. It counts if the push is interrupted. */
  pending?: Base;
  /** The latest pushes, oldest first. With `pending`, the last one is the interrupted push. */
  pushes?: readonly PushEntry[];
  /** The ID of the push that wrote this. */
  push?: string;
}

/** The address as sent, and its source text in the file. */
export type SentLink = [sent: string, written: string];

const shape = /^\.docsctl\/layout-(\d+)\.json$/;

export const layoutName = (serial: number) => `.docsctl/layout-${serial}.json`;

export function isLayout(name: string): boolean {
  return shape.test(name);
}

const serialOf = (name: string) => Number(shape.exec(name)?.[1] ?? 0);

/** The latest layouts. There are several if change requests with concurrent pushes were merged. */
export function latestLayouts<File extends { name: string }>(files: Iterable<File>): File[] {
  const layouts = [...files].filter(({ name }) => isLayout(name));
  const last = Math.max(...layouts.map(({ name }) => serialOf(name)));
  return layouts.filter(({ name }) => serialOf(name) === last);
}

/** Larger layouts are compressed, because each push with changes writes one. */
const maxPlainBytes = 64 * 1024;
/** Layouts of 100,000 pages are smaller. Larger ones are attacks on memory. */
const maxBytes = 64 * 1024 * 1024;

export function writeLayout(layout: Layout): Uint8Array {
  const bytes = Buffer.from(`${JSON.stringify(jsonOf(layout), undefined, 1)}\n`);
  return bytes.length > maxPlainBytes ? gzipSync(bytes) : bytes;
}

function jsonOf({ serial, pages, files, old, links, summary, base, pending, pushes, push }: Layout) {
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
    ...(pushes && pushes.length > 0 && { pushes }),
    push,
  };
}

/** The layout with the names of files as the folder had them that was pushed. */
export function withOwnNames(layout: Layout): Layout {
  const { names } = layout.base ?? {};
  if (!names) return layout;
  const own = new Set(names.values());
  const files = [...layout.files].filter(([, path]) => !names.has(path));
  return {
    ...layout,
    files: new Map([...files, ...[...names].map(([path, name]) => [name, path] as const)]),
    old: new Map([...layout.old].filter(([name]) => !own.has(name))),
  };
}

/** Whether two layouts are equal, apart from their serials, bases and logs. */
export function isSameLayout(one: Layout, other: Layout): boolean {
  const unset = { base: undefined, pending: undefined, pushes: undefined, push: undefined };
  const textOf = (layout: Layout) => JSON.stringify(jsonOf({ ...layout, ...unset, serial: 0 }));
  return textOf(one) === textOf(other);
}

/**
 * Reads a layout. Invalid bytes result in an empty one. Paths are checked where they are used, because everyone with write
 * access to the space can change a layout.
 *
 * @param limit in bytes
 */
export function readLayout(bytes: Uint8Array | undefined, limit = maxBytes): Layout {
  const { serial, summary, pages, files, old, links, base, pending, pushes, push } = readJson(bytes, limit);
  const bases = { base: readBase(base), pending: readBase(pending) };
  const log = readPushLog(pushes);
  return {
    serial: typeof serial === 'number' && Number.isSafeInteger(serial) ? serial : 0,
    ...summaryOf(summary),
    pages: entriesOf(pages, isText),
    files: entriesOf(files, isText),
    old: entriesOf(old, isText),
    links: entriesOf(links, isLinks),
    ...(bases.base && { base: bases.base }),
    ...(bases.pending && { pending: bases.pending }),
    ...(log.length > 0 && { pushes: log }),
    ...(isText(push) && { push }),
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

// A map, because a page can be called "constructor".
function entriesOf<Value>(value: unknown, is: (value: unknown) => value is Value): Map<string, Value> {
  const entries = Object.entries(isObject(value) ? value : {});
  return new Map(entries.flatMap(([key, each]): [string, Value][] => (is(each) ? [[key, each]] : [])));
}

const isLinks = (value: unknown): value is SentLink[] =>
  Array.isArray(value) && value.every((link) => Array.isArray(link) && link.length === 2 && link.every(isText));
