import { maxDepth } from './fault.ts';
import { isObject, type Version } from './identity.ts';
import {
  isReference,
  pathOf,
  pointerOf,
  splitReference,
  type Document,
  type Library,
  type Place,
  type Target,
} from './library.ts';
import { maxBytes } from './parse.ts';

/** One document of all files would be more than the service reads; the message says in what. */
export class TooLargeToFold extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TooLargeToFold';
  }
}

/** A reference that was met: an object with `$ref`, or a string that is one. */
export interface Link {
  place: Place;
  reference: string;
  /** What it must lead to, named as in the specification; undefined where anything may stand. */
  type: string | undefined;
  target: Target;
}

/** Whether references name files, or addresses by what is relative to the document's own. */
export function needsFolding(links: Link[]): boolean {
  return links.some(
    ({ reference, target }) =>
      splitReference(reference)[0] !== '' &&
      (target.place !== undefined || (target.remote !== undefined && target.remote !== reference)),
  );
}

/**
 * Folds the local files into a document that its references lead to. What has a place among the components goes there,
 * once, and stays referred to, so that what refers to itself may; the rest takes the place of the reference.
 * @throws TooLargeToFold
 */
export function fold(root: Document, version: Version, links: Link[], library: Library): void {
  const folding = new Folding(root, version, library);
  for (const link of links) if (folding.holdsComponents(link.place)) replace(link);
  for (const link of links) folding.adopt(link);
  for (const link of links) folding.rewrite(link);
  cutCircles(root.root.node as object, '#', { above: new Map(), left: maxBytes });
}

/** Where each type has its place among the components. */
const sections3: Record<string, string> = {
  Schema: 'schemas',
  Parameter: 'parameters',
  Response: 'responses',
  Example: 'examples',
  RequestBody: 'requestBodies',
  Header: 'headers',
  SecurityScheme: 'securitySchemes',
  Link: 'links',
  Callback: 'callbacks',
};
const sections2: Record<string, string> = { Schema: 'definitions', Parameter: 'parameters', Response: 'responses' };

class Folding {
  readonly #root: Document;
  readonly #library: Library;
  readonly #sections: Record<string, string>;
  readonly #above: string[];
  /** The components that were made, by what they were made of. */
  readonly #components = new Map<string, string>();

  constructor(root: Document, version: Version, library: Library) {
    this.#root = root;
    this.#library = library;
    this.#sections = version === '2.0' ? sections2 : sections3;
    this.#above = version === '2.0' ? [] : ['components'];
  }

  /** Whether a place is that of the components, or of all of one type. */
  holdsComponents(place: Place): boolean {
    const path = pathOf(place);
    const isAbove = path.length > 0 && path.every((key, index) => key === (this.#above[index] ?? key));
    const isSection = path.length === this.#above.length || Object.values(this.#sections).includes(path.at(-1)!);
    return place.document === this.#root && isAbove && path.length <= this.#above.length + 1 && isSection;
  }

  /** Lets a component that only refers to a file keep its name for what is in the file. */
  adopt({ place, type, target }: Link): void {
    const section = this.#sections[type ?? ''];
    if (!section || !target.place || target.place.document === this.#root || !place.parent) return;
    if (place.parent.node !== this.#sectionNode(section) || Object.keys(place.node as object).length > 1) return;
    const key = componentKey(section, target.place);
    if (this.#components.has(key)) return;
    this.#components.set(key, this.#pointerTo(section, place.key!));
    replace({ place, target });
  }

  rewrite({ place, reference, type, target }: Link): void {
    const [file, fragment] = splitReference(reference);
    if (target.remote !== undefined) {
      // Within the document, it leads to a reference that is changed itself.
      if (file !== '' || place.document !== this.#root) setReference(place, target.remote);
      return;
    }
    if (!target.place || (place.parent?.node as Record<string, unknown>)?.[place.key!] === target.place.node) return;
    const section = this.#sections[type ?? ''];
    if (type === undefined) {
      if (file !== '') replace({ place, target });
    } else if (this.#library.names(reference, place.document, this.#root)) {
      if (file !== '') setReference(place, `#${fragment}`);
    } else if (target.place.document === this.#root) {
      setReference(place, `#${pointerOf(target.place)}`);
    } else if (section) {
      setReference(place, this.#componentOf(section, target.place));
    } else {
      replace({ place, target });
    }
  }

  #componentOf(section: string, place: Place): string {
    const key = componentKey(section, place);
    const known = this.#components.get(key);
    if (known) return known;
    const pointer = this.#pointerTo(section, this.#nameFor(section, place));
    this.#components.set(key, pointer);
    return pointer;
  }

  #nameFor(section: string, place: Place): string {
    const components = this.#makeSection(section);
    const present = Object.keys(components).find((name) => components[name] === place.node);
    if (present) return present;
    const own =
      pathOf(place).at(-1) ??
      place.document.address
        .split(/[/\\]/)
        .at(-1)
        ?.replace(/\.[^.]*$/, '');
    const plain = own?.replaceAll(/[^\w.-]+/g, '_') || section;
    let name = plain;
    for (let count = 2; name in components; count += 1) name = `${plain}-${count}`;
    components[name] = place.node;
    return name;
  }

  #sectionNode(section: string): unknown {
    return [...this.#above, section].reduce<unknown>(
      (at, key) => (isObject(at) ? at[key] : undefined),
      this.#root.root.node,
    );
  }

  #makeSection(section: string): Record<string, unknown> {
    const make = (at: Record<string, unknown>, key: string) => (at[key] ??= {}) as Record<string, unknown>;
    return [...this.#above, section].reduce(make, this.#root.root.node as Record<string, unknown>);
  }

  #pointerTo(section: string, name: string): string {
    return `#/${[...this.#above, section].join('/')}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
}

function componentKey(section: string, place: Place): string {
  return `${section} ${place.document.address}#${pointerOf(place)}`;
}

function setReference({ node, parent, key }: Place, reference: string): void {
  if (isReference(node)) node.$ref = reference;
  else (parent!.node as Record<string, unknown>)[key!] = reference;
}

/** Puts what a reference leads to in its place, and the fields beside the reference over it. */
function replace({ place: { node, parent, key }, target }: Pick<Link, 'place' | 'target'>): void {
  const value = target.place?.node;
  const holder = parent?.node as Record<string, unknown>;
  if (key === 'externalValue') {
    holder.value ??= value;
    delete holder[key];
  } else if (parent && !(isReference(node) && Object.keys(node).length > 1 && isObject(value))) {
    holder[key!] = value;
  } else if (isReference(node)) {
    const { $ref: _, ...beside } = node;
    delete (node as Partial<typeof node>).$ref;
    Object.assign(node, { ...(value as object), ...beside });
  }
}

/**
 * A path item with a callback to itself now holds itself: there, a reference to the outer one stands for the inner.
 * What stands in several places is gone through in each, as it is written: `left` is what may still be written.
 */
function cutCircles(node: object, pointer: string, state: { above: Map<object, string>; left: number }): void {
  const { above } = state;
  if (above.size > maxDepth) throw new TooLargeToFold(`nested deeper than ${maxDepth} levels`);
  above.set(node, pointer);
  for (const [key, child] of Object.entries(node)) {
    // A key is written with a colon, and with a space and a line end or with quotes.
    state.left -= (Array.isArray(node) ? 1 : key.length + 3) + (typeof child === 'string' ? child.length : 1);
    if (state.left < 0) throw new TooLargeToFold('larger than 50 MiB');
    if (typeof child !== 'object' || child === null) continue;
    const outer = above.get(child);
    if (outer !== undefined) (node as Record<string, unknown>)[key] = { $ref: outer };
    else cutCircles(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, state);
  }
  above.delete(node);
}
