import { isObject } from '../../shared/is-object.ts';

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
  /** By page path, in the order of the text. */
  links: ReadonlyMap<string, readonly SentLink[]>;
}

/** The address that was sent, and its source text in the file. */
export type SentLink = [sent: string, written: string];

const shape = /^\.docsctl\/layout-(\d+)\.json$/;

export const layoutName = (serial: number) => `.docsctl/layout-${serial}.json`;

export function isLayout(name: string): boolean {
  return shape.test(name);
}

/** The one of these files whose layout counts. */
export function latestLayout<File extends { name: string }>(files: Iterable<File>): File | undefined {
  let latest: File | undefined;
  let serial = 0;
  for (const file of files) {
    const fileSerial = Number(shape.exec(file.name)?.[1] ?? 0);
    if (fileSerial <= serial) continue;
    serial = fileSerial;
    latest = file;
  }
  return latest;
}

export function writeLayout(layout: Layout): Uint8Array {
  return Buffer.from(`${JSON.stringify(jsonOf(layout), undefined, 1)}\n`);
}

function jsonOf({ serial, pages, files, links, summary }: Layout) {
  return {
    version: 1,
    serial,
    pages: Object.fromEntries(pages),
    files: Object.fromEntries(files),
    links: Object.fromEntries(links),
    summary,
  };
}

/** Whether two layouts are equal apart from their serials. */
export function isSameLayout(one: Layout, other: Layout): boolean {
  return JSON.stringify(jsonOf({ ...one, serial: 0 })) === JSON.stringify(jsonOf({ ...other, serial: 0 }));
}

/**
 * The layout in a file; an empty one where the bytes are not a layout. Anybody who can write to the space can write
 * one: its paths are checked where they are used.
 */
export function readLayout(bytes: Uint8Array | undefined): Layout {
  const { serial, summary, pages, files, links } = readJson(bytes);
  return {
    serial: typeof serial === 'number' && Number.isSafeInteger(serial) ? serial : 0,
    ...summaryOf(summary),
    pages: entriesOf(pages, isText),
    files: entriesOf(files, isText),
    links: entriesOf(links, isLinks),
  };
}

function readJson(bytes: Uint8Array | undefined): Record<string, unknown> {
  if (!bytes) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
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
