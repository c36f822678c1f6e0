import { dirname, relative, resolve } from 'node:path';
import { decodeAddress } from '../shared/decode.ts';
import { checkReadable, readText, TextFile, UnreadableFile } from './files.ts';
import { isObject } from './identity.ts';
import type { ReferenceRoots } from './reference-roots.ts';

/** A document that was read: the description itself, or a local file that something in it refers to. */
export interface Document {
  /** Its real path or its URL. */
  address: string;
  /** What paths in it are relative to. */
  folder: string;
  /** Undefined for what is neither JSON nor YAML, such as a Markdown text. */
  file?: TextFile;
  root: Place;
  /** What can be referred to by the `$anchor` (`#name`) or the `$id` that it gives itself. */
  named: Map<string, Place>;
  resolved: Map<string, Target>;
  /** Its values that are parts of a description: of nothing else may findings repeat the text. */
  parts: WeakSet<object>;
}

/** A value and the way to it. */
export interface Place {
  document: Document;
  node: unknown;
  parent?: Place;
  key?: string;
}

/**
 * Where a reference leads. A `remote` address is left alone: nothing is downloaded. One that leads nowhere has a reason;
 * none where the file it names has findings of its own.
 */
export type Target = { place: Place; remote?: undefined } | { place?: undefined; remote: string } | Nowhere;
export type Nowhere = {
  place?: undefined;
  remote?: undefined;
  reason: string | undefined;
  /** Set for what was not read, or not taken over, though it may be there: for where it is, or for what it holds. */
  refused?: 'place' | 'content';
};

/** A description to be checked, and where its references may lead. */
export interface Opened {
  file: TextFile;
  /** Its real path or its URL. */
  address: string;
  /** The folder it was opened in, by the name it was opened with. */
  folder: string;
  /** What the file names of findings are relative to. */
  directory: string;
  /** None for what came from a URL: it reads no file. */
  roots?: ReferenceRoots;
}

/** A chain of references this long is a mistake, and following it deeper could overflow the stack. */
const maxChain = 100;
const onlyReferences = { reason: 'leads only to further references' };
const nothingThere = { reason: 'leads nowhere' };
const noAddress: Nowhere = { reason: 'is neither a relative path nor an http address' };
/** Stands for all references that can be neither paths nor addresses. */
const unusable = ':';

/** The documents of one description. */
export class Library {
  readonly #documents = new Map<string, Document | { remote: string } | Nowhere>();
  readonly #directory: string;
  readonly #roots: ReferenceRoots | undefined;

  private constructor({ directory, roots }: Opened) {
    this.#directory = directory;
    this.#roots = roots;
    this.#documents.set(unusable, { ...noAddress, refused: 'place' });
  }

  /** Reads all that a document, and the files it refers to, refer to, each file once. */
  static async open(opened: Opened): Promise<{ library: Library; root: Document }> {
    const library = new Library(opened);
    const { file, address, folder } = opened;
    const root = documentOf({ address, folder, file }, file.value);
    if (isObject(file.value)) root.parts.add(file.value);
    library.#documents.set(address, root);
    for (const document of library.#documents.values()) {
      if (!('root' in document)) continue;
      for (const reference of nameAndCollect(document)) {
        const other = library.#addressOf(reference, document);
        if (!library.#documents.has(other)) library.#documents.set(other, await library.#load(other));
      }
    }
    return { library, root };
  }

  documents(): Document[] {
    return [...this.#documents.values()].filter((document) => 'root' in document);
  }

  /**
   * Where a reference leads. Where there is nothing but a further reference, that is followed; one with other fields
   * beside it is a value of its own.
   */
  resolve(reference: string, from: Document, chain = 0): Target {
    const known = from.resolved.get(reference);
    if (known) return known;
    if (chain > maxChain) return onlyReferences;
    // What comes by here again before the answer is known goes round in a circle.
    from.resolved.set(reference, onlyReferences);
    const target = this.#find(reference, from, chain);
    from.resolved.set(reference, target);
    return target;
  }

  /** A value, or what it refers to in the end. */
  follow(place: Place): Place | undefined {
    let at: Place | undefined = place;
    for (let chain = 0; at && isReference(at.node); chain += 1) {
      at = chain > maxChain ? undefined : this.resolve(at.node.$ref, at.document).place;
    }
    return at;
  }

  /** Whether a reference names the document `to`, though it may lead on from there. */
  names(reference: string, from: Document, to: Document): boolean {
    return this.#addressOf(reference, from) === to.address;
  }

  #find(reference: string, from: Document, chain: number): Target {
    const [file, fragment] = splitReference(reference);
    const named = from.named.get(file);
    const document = named?.document ?? this.#documents.get(this.#addressOf(reference, from));
    if (document === undefined || reference === '') return nothingThere;
    if ('remote' in document && document.remote) return { remote: document.remote + reference.slice(file.length) };
    if (!('root' in document)) return document as Nowhere;
    if (document.file?.fault) return { reason: undefined };
    const isPointer = fragment === '' || fragment.startsWith('/');
    const start = isPointer ? (named ?? document.root) : document.named.get(`#${fragment}`);
    const segments = isPointer && fragment !== '/' ? fragment.split('/').slice(1).map(unescapeSegment) : [];
    return start ? this.#descend(start, segments, chain) : nothingThere;
  }

  #descend(start: Place, segments: string[], chain: number): Target {
    let place = start;
    for (const segment of segments) {
      if (isReference(place.node) && !Object.hasOwn(place.node, segment)) {
        const through = this.resolve(place.node.$ref, place.document, chain + 1);
        if (!through.place) return through;
        ({ place } = through);
      }
      const inner = childOf(place, segment);
      if (!inner) return nothingThere;
      place = inner;
    }
    if (!isReference(place.node) || Object.keys(place.node).length > 1) return { place };
    return this.resolve(place.node.$ref, place.document, chain + 1);
  }

  #addressOf(reference: string, from: Document): string {
    const [file] = splitReference(reference);
    if (file === '') return from.address;
    if (isUrl(file)) return file;
    if (isUrl(from.address)) return URL.parse(file, from.address)?.href ?? unusable;
    const path = decodeAddress(file);
    // On Windows, looking at //server or \\server would already send it the user's credentials.
    if (/[\\\0]|^\/\//.test(path)) return unusable;
    const whole = resolve(from.folder, path);
    return this.#roots?.locate(whole).path ?? whole;
  }

  async #load(address: string): Promise<Document | { remote: string } | Nowhere> {
    if (/^https?:/i.test(address)) return { remote: address };
    if (isUrl(address)) return { ...noAddress, ...(/^file:/i.test(address) ? { refused: 'place' } : {}) };
    const { path, refusal } = this.#roots?.locate(address) ?? { refusal: noAddress.reason };
    if (path === undefined) return { reason: refusal, refused: 'place' };
    const name = relative(this.#directory, path);
    try {
      await checkReadable(path, name);
      return await readPart(path, name);
    } catch (error) {
      if (error instanceof UnreadableFile) return { reason: `leads to ${error.file}: ${error.reason}` };
      throw error;
    }
  }
}

/** What does not look like a part of a description is not taken over: it may be a key, or a list of passwords. */
async function readPart(path: string, name: string): Promise<Document | Nowhere> {
  const place = { address: path, folder: dirname(path) };
  if (/\.(?:md|markdown)$/i.test(path)) return documentOf(place, await readText(path, name));
  if (!/\.(?:json|ya?ml)$/i.test(path)) {
    return { reason: `leads to ${name}, which is not named as JSON, YAML or Markdown`, refused: 'content' };
  }
  const file = new TextFile(name, await readText(path, name));
  if (!file.fault && (typeof file.value !== 'object' || file.value === null)) {
    return { reason: `leads to ${name}, which holds neither an object nor an array`, refused: 'content' };
  }
  return documentOf({ ...place, file }, file.value);
}

export function isReference(node: unknown): node is { $ref: string } {
  return isObject(node) && Object.hasOwn(node, '$ref') && typeof node.$ref === 'string';
}

export function childOf(place: Place, key: string): Place | undefined {
  const { node, document } = place;
  const has = Array.isArray(node)
    ? /^\d+$/.test(key) && Number(key) < node.length
    : isObject(node) && Object.hasOwn(node, key);
  return has ? { document, node: (node as Record<string, unknown>)[key], parent: place, key } : undefined;
}

/** Whether findings may repeat what stands at a place: only of what is known to be part of a description. */
export function mayQuote(place: Place): boolean {
  for (let at: Place | undefined = place; at; at = at.parent) {
    if (typeof at.node === 'object' && at.node !== null && at.document.parts.has(at.node)) return true;
  }
  return false;
}

export function pathOf(place: Place): string[] {
  const path: string[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.unshift(at.key);
  return path;
}

export function pointerOf(place: Place): string {
  return pathOf(place)
    .map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Whether a discriminator's mapping, where the name of a schema may stand too, is a reference. */
export function isMappingReference(value: unknown): value is string {
  return typeof value === 'string' && (/[#/]/.test(value) || /\.(?:json|ya?ml)$/i.test(value));
}

export function splitReference(reference: string): [file: string, fragment: string] {
  const hash = reference.indexOf('#');
  return hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
}

function documentOf(about: Pick<Document, 'address' | 'folder' | 'file'>, node: unknown): Document {
  const document = { ...about, named: new Map(), resolved: new Map(), parts: new WeakSet() } as unknown as Document;
  document.root = { document, node };
  return document;
}

/** Gives the references in a document, and notes what it names itself. */
function nameAndCollect(document: Document): Set<string> {
  const references = new Set<string>();
  const path: string[] = [];
  const add = (value: unknown) => typeof value === 'string' && references.add(value);
  const name = (id: string) => document.named.set(id, placeAt(document, path));

  (function walk(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    if (isObject(node)) {
      add(node.$ref);
      add(node.externalValue);
      const { discriminator } = node;
      const mapping = isObject(discriminator) && isObject(discriminator.mapping) ? discriminator.mapping : {};
      for (const value of Object.values(mapping)) if (isMappingReference(value)) add(value);
      for (const anchor of [node.$anchor, node.$dynamicAnchor]) if (typeof anchor === 'string') name(`#${anchor}`);
      if (typeof node.$id === 'string' && node.$id !== '') name(node.$id);
    }
    for (const [key, child] of Object.entries(node)) {
      path.push(key);
      walk(child);
      path.pop();
    }
  })(document.root.node);
  return references;
}

function placeAt(document: Document, path: readonly string[]): Place {
  return path.reduce((place, key) => childOf(place, key) ?? place, document.root);
}

function isUrl(address: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(address);
}

function unescapeSegment(segment: string): string {
  return decodeAddress(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}
