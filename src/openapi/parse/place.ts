import { hasMembers, isObject } from '../../shared/is-object.ts';
import { pointerTo } from '../../shared/json-pointer.ts';
import type { TextFile } from './files.ts';

/** A document that was read: the description itself, or a local file that it refers to. */
export class Document {
  /** Its real path or its URL. */
  readonly address: string;
  /** The folder that paths in it are relative to. */
  readonly folder: string;
  /** Undefined for a file that is neither JSON nor YAML, such as a Markdown text. */
  readonly file: TextFile | undefined;
  readonly root: RootPlace;
  /** What can be referred to by the `$anchor` (`#name`) or the `$id` that it gives itself. */
  readonly named = new Map<string, Place>();
  /** Everything in it that refers to something, or may do so. */
  readonly references = new Set<string>();
  /** Those that name the value of an example. */
  readonly values = new Set<string>();
  /** The dialects that its schemas name. */
  readonly dialects = new Set<unknown>();
  /** Whether its schemas have regular expressions. */
  hasPatterns = false;
  /** How many branches its schemas have. */
  branches = 0;
  /** Targets that were resolved already, by reference. */
  readonly resolved = new Map<string, Target>();
  /** Its values that are parts of a description. Findings repeat no text of anything else. */
  readonly parts = new WeakSet<object>();

  constructor(about: { address: string; folder: string; file?: TextFile }, node: unknown) {
    this.address = about.address;
    this.folder = about.folder;
    this.file = about.file;
    this.root = { document: this, node };
  }
}

/** A value and the way to it. */
export type Place = RootPlace | ChildPlace;

interface RootPlace {
  document: Document;
  node: unknown;
  parent?: undefined;
  key?: undefined;
}

export interface ChildPlace {
  document: Document;
  node: unknown;
  parent: Place;
  key: string;
}

/**
 * Where a reference leads. A `remote` address stays unchanged: nothing is downloaded. A reference without a target has
 * a reason, except if the file that it names has findings itself.
 */
export type Target = { place: Place; remote?: undefined } | { place?: undefined; remote: string } | Nowhere;
export interface Nowhere {
  place?: undefined;
  remote?: undefined;
  reason: string | undefined;
  /** Set for a file that was not read or not used, although it may exist: because of its place or its content. */
  refused?: 'place' | 'content';
  /** Set for a document that was asked for and did not come: what it holds was not checked. */
  isUnreachable?: boolean;
}

export function childOf(parent: Place, key: string): ChildPlace | undefined {
  const { node, document } = parent;
  const isThere = Array.isArray(node)
    ? /^\d+$/.test(key) && Number(key) < node.length
    : isObject(node) && Object.hasOwn(node, key);
  return isThere && hasMembers(node) ? { document, node: node[key], parent, key } : undefined;
}

/** Whether findings may repeat the value at a place: only if it is known to be part of a description. */
export function mayQuote(place: Place): boolean {
  for (let current: Place | undefined = place; current; current = current.parent) {
    if (hasMembers(current.node) && current.document.parts.has(current.node)) return true;
  }
  return false;
}

export function pathOf(place: Place): string[] {
  const path: string[] = [];
  for (let current = place; current.parent; current = current.parent) path.push(current.key);
  return path.toReversed();
}

export const pointerOf = (place: Place): string => pointerTo(pathOf(place));

/** The value at a path, or the nearest one above it. */
export function placeAt(document: Document, path: readonly string[]): Place {
  let place: Place = document.root;
  for (const key of path) {
    const inner = childOf(place, key);
    if (!inner) return place;
    place = inner;
  }
  return place;
}
