/**
 * What a folder has that pages cannot say: the names of files that do not follow from the pages' addresses, SUMMARY.md
 * word for word, and how a page spelled the links that had to be sent differently. It lies among the content's files,
 * so that a pull into an empty folder gives the pushed bytes. Each version has a name of its own, as files are never
 * replaced; the highest counts.
 */
export interface Layout {
  version: 1;
  serial: number;
  summary?: { path: string; text: string };
  /** From a page's path to its file. */
  pages: Record<string, string>;
  /** From a file's name in the content to its path. */
  files: Record<string, string>;
  /** By page path: the address that was sent, and the bytes that spell it in the file, in their order. */
  links: Record<string, [sent: string, written: string][]>;
}

const shape = /^\.docsctl\/layout-(\d+)\.json$/;

export const layoutName = (serial: number) => `.docsctl/layout-${serial}.json`;

export function isLayout(name: string): boolean {
  return shape.test(name);
}

/** Of these files the one whose layout counts. */
export function latestLayout<File extends { name: string }>(files: Iterable<File>): File | undefined {
  let latest: File | undefined;
  let serial = 0;
  for (const file of files) {
    const found = Number(shape.exec(file.name)?.[1] ?? 0);
    if (found <= serial) continue;
    serial = found;
    latest = file;
  }
  return latest;
}

export function writeLayout(layout: Layout): Uint8Array {
  return Buffer.from(`${JSON.stringify(layout, undefined, 1)}\n`);
}

/**
 * The layout in a file; an empty one when somebody else's bytes are there. Anybody who can write to the space can write
 * one: its paths are checked where they are used.
 */
export function readLayout(bytes: Uint8Array | undefined): Layout {
  const empty: Layout = { version: 1, serial: 0, pages: recordOf({}), files: recordOf({}), links: recordOf({}) };
  if (!bytes) return empty;
  try {
    const value = JSON.parse(Buffer.from(bytes).toString()) as Layout;
    const { path, text } = value.summary ?? {};
    return {
      ...empty,
      serial: Number.isSafeInteger(value.serial) ? value.serial : 0,
      ...(typeof path === 'string' && typeof text === 'string' && { summary: { path, text } }),
      pages: recordOf(onlyTexts(value.pages)),
      files: recordOf(onlyTexts(value.files)),
      links: recordOf(Object.fromEntries(Object.entries(value.links ?? {}).filter(([, pairs]) => pairs.every(isPair)))),
    };
  } catch {
    return empty;
  }
}

// Without a prototype: a page may be called "constructor".
function recordOf<Value>(entries: Record<string, Value>): Record<string, Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries);
}

function onlyTexts(paths: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(paths ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isPair(pair: unknown): boolean {
  return Array.isArray(pair) && pair.length === 2 && pair.every((each) => typeof each === 'string');
}
