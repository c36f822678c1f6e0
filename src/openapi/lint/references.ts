import {
  type Document as LibraryDocument,
  type NormalizedNodeType,
  ResolveError,
  type ResolvedRefMap,
  Source,
} from '@redocly/openapi-core';
import { hasMembers } from '../../shared/is-object.ts';
import { escapeSegment } from '../../shared/json-pointer.ts';
import type { Documents } from '../parse/documents.ts';
import { type Document, type Place, placeAt, pointerOf, type Target } from '../parse/place.ts';
import { isReference, segmentsOf } from '../parse/reference.ts';
import { allowsAnything, likeness, nounOf } from './likeness.ts';

/** A place as the library names it. */
export interface LibraryLocation {
  source: { absoluteRef: string };
  pointer?: string | undefined;
}

type ResolvedReference = ReturnType<ResolvedRefMap['get']> & {};

/**
 * The references of a description, as the library's walker takes them. They are resolved here and not by the library: it
 * would read any file, does not know the names that documents give themselves (`$id`), and ends with an error at a
 * reference that leads to itself.
 */
export class References {
  readonly documents: Documents;
  readonly root: LibraryDocument;
  readonly map: ResolvedRefMap = new Map();
  /** Whether values were resolved that may not be parts of a description. */
  isDoubtful = false;
  readonly #libraryDocuments = new Map<Document, LibraryDocument>();
  readonly #byAddress = new Map<string, Document>();

  constructor(documents: Documents, root: Document) {
    this.documents = documents;
    this.root = this.#libraryDocument(root);
    for (const document of documents.all()) {
      this.#byAddress.set(document.address, document);
      for (const reference of document.references) {
        const resolved = this.#resolved(documents.resolve(reference, document), document);
        this.map.set(idOf(document, reference), resolved);
      }
    }
  }

  documentAt(location: LibraryLocation): Document | undefined {
    return this.#byAddress.get(location.source.absoluteRef);
  }

  /** The value at a location of the library, or the nearest one above it. */
  placeOf(location: LibraryLocation): Place | undefined {
    const document = this.documentAt(location);
    return document && placeAt(document, pathOfPointer(location.pointer));
  }

  /** Why a reference leads to nothing that is used. */
  targetOf(reference: string, location: LibraryLocation): Target {
    const document = this.documentAt(location);
    return document ? this.documents.resolve(reference, document) : { reason: 'cannot be resolved' };
  }

  /**
   * Leaves out the value of another file if it does not look like the expected type, and notes what does: only text
   * of parts of a description is repeated in messages.
   */
  checkContent(reference: string, location: LibraryLocation, type: NormalizedNodeType): void {
    const document = this.documentAt(location);
    const { place } = this.targetOf(reference, location);
    if (!document || !place || place.document.address === this.root.source.absoluteRef || allowsAnything(type)) return;
    const like = likeness(place.node, type);
    if (like === 'none') {
      const target: Target = { reason: `leads to a value that is no ${nounOf(type)}`, refused: 'content' };
      document.resolved.set(reference, target);
      this.map.set(idOf(document, reference), this.#resolved(target, document));
    } else if (like === 'most') {
      if (hasMembers(place.node)) place.document.parts.add(place.node);
    } else {
      this.isDoubtful = true;
    }
  }

  #resolved(target: Target, from: Document): ResolvedReference {
    const chain: NonNullable<Extract<ResolvedReference, { resolved: true }>['chain']> = [];
    let current = target;
    // A reference with sibling fields is a separate value, and the fields are checked, too.
    while (current.place && isReference(current.place.node)) {
      const { place } = current;
      if (chain.some(({ node }) => node === place.node)) return unresolved('leads only to further references');
      chain.push({
        node: place.node,
        document: this.#libraryDocument(place.document),
        location: this.#location(place),
      });
      current = this.documents.resolve(current.place.node.$ref, place.document);
    }
    const { place } = current;
    if (!place) return unresolved(current.remote === undefined ? (current.reason ?? '') : 'is not downloaded');
    return {
      resolved: true,
      node: place.node,
      document: this.#libraryDocument(place.document),
      nodePointer: libraryPointer(place),
      isRemote: place.document !== from,
      ...(chain.length === 0 ? {} : { chain }),
    };
  }

  #location(place: Place): Location {
    return new Location(this.#libraryDocument(place.document).source, libraryPointer(place));
  }

  #libraryDocument(document: Document): LibraryDocument {
    let made = this.#libraryDocuments.get(document);
    if (!made) {
      made = { source: new Source(document.address, document.file?.text ?? ''), parsed: document.root.node };
      this.#libraryDocuments.set(document, made);
    }
    return made;
  }
}

const unresolved = (reason: string): ResolvedReference => ({
  resolved: false,
  isRemote: false,
  error: new ResolveError(new Error(reason)),
});

/** As the library makes it. */
const idOf = (document: Document, reference: string) => `${document.address}::${reference}`;

const libraryPointer = (place: Place) => `#${pointerOf(place) || '/'}`;

/** The keys of a pointer of the library, which writes the whole document as `#/`. */
export const pathOfPointer = (pointer = '#/'): string[] => (pointer === '#/' ? [] : segmentsOf(pointer.slice(1)));

/** As the class of the library, which it does not export. */
class Location {
  readonly source: Source;
  readonly pointer: string;

  constructor(source: Source, pointer: string) {
    this.source = source;
    this.pointer = pointer;
  }

  child(components: (string | number)[] | string | number): Location {
    const below = [components].flat().map((component) => escapeSegment(String(component)));
    return new Location(this.source, `${this.pointer.replace(/\/$/, '')}/${below.join('/')}`);
  }

  key() {
    return Object.assign(new Location(this.source, this.pointer), { reportOnKey: true });
  }

  get absolutePointer(): string {
    return this.source.absoluteRef + (this.pointer === '#/' ? '' : this.pointer);
  }
}
