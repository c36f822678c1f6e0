import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { isObject } from '../../shared/is-object.ts';
import type { OutputLink } from './link-documents.ts';
import type { StaticText } from './static-source.ts';

/** A page of an export, which the next export reuses while it is current. */
export interface KeptPage {
  text: StaticText;
  /** A hash of everything around the text. */
  frame: string;
  /** The document first. */
  files: { path: string; hash: string }[];
  links: OutputLink[];
  ids: string[];
}

/** The places of the compressed entries. */
type Places = Record<string, [offset: number, length: number]>;

interface Directory {
  /** The hash of the program that rendered the pages. */
  renderer: string;
  places: Places;
}

/** The file ends with the length of the directory, in this many digits. */
const lengthDigits = 12;

/** The pages of the last export, in a file of compressed entries with a directory at its end. */
export class KeptPages {
  readonly #bytes: Buffer;
  readonly #places: Places;

  /** There are no pages if the file is missing, damaged, or from another version of the program. */
  constructor(file: string, renderer: string) {
    const bytes = readBytes(file);
    const directory = directoryOf(bytes);
    this.#bytes = bytes;
    this.#places = directory?.renderer === renderer ? directory.places : {};
  }

  entry(key: string): Buffer | undefined {
    const place = Object.hasOwn(this.#places, key) ? this.#places[key] : undefined;
    return place && this.#bytes.subarray(place[0], place[0] + place[1]);
  }

  page(key: string): KeptPage | undefined {
    const entry = this.entry(key);
    const value = entry && inflated(entry);
    return isKeptPage(value) ? value : undefined;
  }
}

/** Writes the pages of an export one by one, to save memory. */
export class PageWriter {
  readonly #renderer: string;
  readonly #file: number;
  readonly #places: Places = {};
  #end = 0;

  constructor(file: string, renderer: string) {
    this.#renderer = renderer;
    this.#file = openSync(file, 'w');
  }

  /** Replaces an earlier entry of the same page. */
  add(key: string, page: KeptPage): void {
    this.addEntry(key, deflateSync(JSON.stringify(page), { level: 1 }));
  }

  /** @param entry of {@link KeptPages.entry} */
  addEntry(key: string, entry: Uint8Array): void {
    this.#places[key] = [this.#end, entry.length];
    this.#write(entry);
  }

  finish(): void {
    const directory: Directory = { renderer: this.#renderer, places: this.#places };
    const bytes = deflateSync(JSON.stringify(directory));
    this.#write(bytes);
    this.#write(Buffer.from(String(bytes.length).padStart(lengthDigits, '0')));
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
    this.#end += bytes.length;
  }
}

function directoryOf(bytes: Buffer): Directory | undefined {
  const end = bytes.length - lengthDigits;
  const length = Number(bytes.subarray(Math.max(0, end)).toString());
  const value = length > 0 && length <= end ? inflated(bytes.subarray(end - length, end)) : undefined;
  return isDirectory(value) ? value : undefined;
}

/** The compressed form has a checksum, which detects damage. */
function inflated(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(inflateSync(bytes).toString());
  } catch {
    return undefined;
  }
}

const isDirectory = (value: unknown): value is Directory =>
  isObject(value) && typeof value.renderer === 'string' && isObject(value.places);

const isKeptPage = (value: unknown): value is KeptPage =>
  isObject(value) && isObject(value.text) && Array.isArray(value.files) && Array.isArray(value.links);

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
