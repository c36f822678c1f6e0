import { dirname, relative, resolve } from 'node:path';
import { decodeAddress } from '../../shared/decode.ts';
import { eachOf } from '../../shared/each-of.ts';
import { hasMembers, isObject } from '../../shared/is-object.ts';
import { checkReadable, readText, TextFile, UnreadableFile } from './files.ts';
import { branchesOf, isHarmless, NeedsThread } from './harmless.ts';
import { childOf, Document, type Nowhere, type Place, placeAt, type Target } from './place.ts';
import { isMappingReference, isPlainReference, isReference, segmentsOf, splitReference } from './reference.ts';
import type { ReferenceRoots } from './reference-roots.ts';

/** A description to be checked, and where its references may lead. */
export interface OpenedFile {
  file: TextFile;
  /** Its real path or its URL. */
  address: string;
  /** The folder it was opened in, by the name it was opened with. */
  folder: string;
  /** The file names of findings are relative to this folder. */
  directory: string;
  /** Undefined for a description from a URL: its references read no file. */
  roots?: ReferenceRoots;
  /** Undefined if nothing may be downloaded. */
  download?: Download | undefined;
  /** Throws NeedsThread for what may take long. */
  onlyHarmless?: boolean | undefined;
}

/** Downloads a document that a reference names. Its failures are results: `reason` ends a sentence. */
export type Download = (address: string) => Promise<{ text: string } | { reason: string }>;

/** The result for an address: a document that was read, an address that is not downloaded, or nothing. */
type Entry = Document | { remote: string } | Nowhere;

/** How many documents one description may make this machine download, and how many at the same time. */
const maxDownloads = 1_000;
const maxAtOnce = 8;
/** A chain of references this long is a mistake, and following it deeper could overflow the stack. */
const maxChain = 100;
const onlyReferences: Nowhere = { reason: 'leads only to further references' };
const nothingThere: Nowhere = { reason: 'cannot be resolved' };
const noAddress: Nowhere = { reason: 'is neither a relative path nor an http address' };
const unloaded: Nowhere = { reason: undefined };
/** The address of all references that can be neither paths nor URLs. */
const unusable = ':';

/** The documents of one description. */
export class Documents {
  readonly #entries = new Map<string, Entry>();
  readonly #directory: string;
  readonly #roots: ReferenceRoots | undefined;
  readonly #onlyHarmless: boolean;
  readonly #download: Download | undefined;
  #downloads = 0;

  private constructor({ directory, roots, download, onlyHarmless = false }: OpenedFile) {
    this.#onlyHarmless = onlyHarmless;
    this.#directory = directory;
    this.#roots = roots;
    this.#download = download;
    this.#entries.set(unusable, { ...noAddress, refused: 'place' });
  }

  /** Reads a document and all that it and the files it refers to refer to, each file once. */
  static async open(opened: OpenedFile): Promise<{ documents: Documents; root: Document }> {
    const documents = new Documents(opened);
    const { file, address } = opened;
    const root = new Document(opened, file.value);
    if (isObject(file.value)) root.parts.add(file.value);
    documents.#entries.set(address, root);
    // The loop adds entries to its own map.
    for (const document of documents.#entries.values()) {
      if (!(document instanceof Document)) continue;
      nameAndCollect(document);
      const added = new Map<string, Entry>();
      for (const reference of document.references) {
        const other = documents.#addressOf(reference, document);
        // An example at an address stays there: it may be anything, such as a picture.
        const isLeft = document.values.has(reference) && /^https?:/i.test(other);
        if (!documents.#entries.has(other)) added.set(other, isLeft ? { remote: other } : unloaded);
      }
      const load = async ([other, entry]: [string, Entry]) =>
        void added.set(other, entry === unloaded ? await documents.#load(other) : entry);
      await eachOf([...added], load, maxAtOnce);
      for (const [other, entry] of added) documents.#entries.set(other, entry);
    }
    if (opened.onlyHarmless && !isHarmless(documents.all())) throw new NeedsThread();
    return { documents, root };
  }

  /** The whole description's own document. */
  get root(): Place {
    const [first] = this.all();
    if (!first) throw new Error('No document was opened.');
    return first.root;
  }

  /** Whether all documents could be read without doubt. */
  get areRead(): boolean {
    return this.all().every(({ file }) => !file || (!file.problem && file.duplicates.length === 0));
  }

  all(): Document[] {
    return [...this.#entries.values()].filter((entry) => entry instanceof Document);
  }

  /**
   * Where a reference leads. Where it leads to a plain reference, that one is followed; a reference with other fields
   * is a value itself.
   */
  resolve(reference: string, from: Document, chain = 0): Target {
    const resolved = from.resolved.get(reference);
    if (resolved) return resolved;
    if (chain > maxChain) return onlyReferences;
    // A reference that needs this one before it is resolved is part of a circle.
    from.resolved.set(reference, onlyReferences);
    const target = this.#find(reference, from, chain);
    from.resolved.set(reference, target);
    return target;
  }

  /** A value, or what it refers to in the end. */
  follow(place: Place): Place | undefined {
    let current: Place | undefined = place;
    for (let chain = 0; current && isReference(current.node); chain += 1) {
      current = chain > maxChain ? undefined : this.resolve(current.node.$ref, current.document).place;
    }
    return current;
  }

  /** Whether a reference names the document `to`, though it may lead on from there. */
  names(reference: string, from: Document, to: Document): boolean {
    return this.#addressOf(reference, from) === to.address;
  }

  #find(reference: string, from: Document, chain: number): Target {
    const [file, fragment] = splitReference(reference);
    const named = from.named.get(file);
    const entry = named?.document ?? this.#entries.get(this.#addressOf(reference, from));
    if (entry === undefined || reference === '') return nothingThere;
    if (!(entry instanceof Document))
      return entry.remote === undefined ? entry : { remote: entry.remote + reference.slice(file.length) };
    if (entry.file?.problem) return { reason: undefined };
    const isPointer = fragment === '' || fragment.startsWith('/');
    const start = isPointer ? (named ?? entry.root) : entry.named.get(`#${fragment}`);
    const segments = isPointer && fragment !== '/' ? segmentsOf(fragment) : [];
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
    return isPlainReference(place.node) ? this.resolve(place.node.$ref, place.document, chain + 1) : { place };
  }

  #addressOf(reference: string, from: Document): string {
    const [file] = splitReference(reference);
    if (file === '') return from.address;
    if (isUrl(file)) return file;
    if (isUrl(from.address)) return URL.parse(file, from.address)?.href ?? unusable;
    const path = decodeAddress(file);
    // On Windows, just looking for //server or \\server sends it the user's credentials.
    if (/[\\\0]|^\/\//.test(path)) return unusable;
    const whole = resolve(from.folder, path);
    return this.#roots?.locate(whole).path ?? whole;
  }

  async #load(address: string): Promise<Entry> {
    if (/^https?:/i.test(address)) return this.#loadRemote(address);
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

  async #loadRemote(address: string): Promise<Entry> {
    if (this.#onlyHarmless) throw new NeedsThread();
    if (!this.#download) return { remote: address };
    this.#downloads += 1;
    if (this.#downloads > maxDownloads) {
      return {
        reason: `is not downloaded: a description may refer to at most ${maxDownloads} documents`,
        refused: 'place',
      };
    }
    const answer = await this.#download(address);
    if ('reason' in answer) return { reason: `cannot be downloaded: ${answer.reason}`, isUnreachable: true };
    const about = { address, folder: '' };
    if (isMarkdown(URL.parse(address)?.pathname ?? '')) return new Document(about, answer.text);
    const file = new TextFile(address, answer.text);
    if (file.problem || hasMembers(file.value)) return new Document({ ...about, file }, file.value);
    return { reason: 'leads to a document that holds neither an object nor an array', refused: 'content' };
  }
}

const isMarkdown = (path: string) => /\.(?:md|markdown)$/i.test(path);

/** Does not use what does not look like a part of a description: it may be a key, or a list of passwords. */
async function readPart(path: string, name: string): Promise<Document | Nowhere> {
  const about = { address: path, folder: dirname(path) };
  if (isMarkdown(path)) return new Document(about, await readText(path, name));
  if (!/\.(?:json|ya?ml)$/i.test(path)) {
    return { reason: `leads to ${name}, which is not named like a JSON, YAML or Markdown file`, refused: 'content' };
  }
  const file = new TextFile(name, await readText(path, name));
  if (!file.problem && !hasMembers(file.value))
    return { reason: `leads to ${name}, which holds neither an object nor an array`, refused: 'content' };
  return new Document({ ...about, file }, file.value);
}

/** Notes what a document refers to, and what it names itself. */
function nameAndCollect(document: Document): void {
  const path: string[] = [];
  const add = (value: unknown) => {
    if (typeof value === 'string') document.references.add(value);
  };
  const name = (id: string) => document.named.set(id, placeAt(document, path));

  (function walk(node: unknown): void {
    if (!hasMembers(node)) return;
    if (isObject(node)) {
      add(node.$ref);
      if (typeof node.externalValue === 'string' && typeof node.$ref !== 'string') {
        add(node.externalValue);
        document.values.add(node.externalValue);
      }
      const { discriminator } = node;
      if (isObject(discriminator)) {
        const mapping = isObject(discriminator.mapping) ? Object.values(discriminator.mapping) : [];
        for (const value of [...mapping, discriminator.defaultMapping]) if (isMappingReference(value)) add(value);
      }
      for (const anchor of [node.$anchor, node.$dynamicAnchor]) if (typeof anchor === 'string') name(`#${anchor}`);
      if (typeof node.$id === 'string' && node.$id !== '') name(node.$id);
      document.branches += branchesOf(node);
      if (Object.hasOwn(node, 'pattern') || Object.hasOwn(node, 'patternProperties')) document.hasPatterns = true;
      if (typeof node.$schema === 'string') document.dialects.add(node.$schema);
    }
    for (const key of Object.keys(node)) {
      const child = node[key];
      if (!hasMembers(child)) continue;
      path.push(key);
      walk(child);
      path.pop();
    }
  })(document.root.node);
}

function isUrl(address: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(address);
}
