import { hasMembers, isObject } from '../../shared/is-object.ts';
import { escapeSegment, pointerTo } from '../../shared/json-pointer.ts';
import type { Version } from '../identity.ts';
import type { Documents } from './documents.ts';
import { maxBytes } from './parse.ts';
import { type Document, pathOf, type Place, pointerOf, type Target } from './place.ts';
import { isPlainReference, isReference, splitReference } from './reference.ts';
import { maxDepth } from './syntax-problem.ts';

/** One document of all files would be more than the service reads; the message says in which way. */
export class TooLargeToFold extends Error {
  override readonly name = 'TooLargeToFold';
}

/** A reference of the description: an object with `$ref`, or a string. */
export interface Link {
  place: Place;
  reference: string;
  /** The type of its target, named as in the specification; undefined if any value is allowed, `SpecExtension` below `x-`. */
  type: string | undefined;
  target: Target;
}

/** Whether references name files, or addresses relative to that of the document. */
export function needsFolding(links: Link[]): boolean {
  return links.some(
    ({ reference, target }) =>
      splitReference(reference)[0] !== '' &&
      (target.place !== undefined || (target.remote !== undefined && target.remote !== reference)),
  );
}

/**
 * Copies the local files that a document refers to into it. A value that can be a component becomes one, only once, and
 * references lead to it there: so it may refer to itself. Any other value replaces the reference.
 *
 * @throws TooLargeToFold
 */
export function fold(root: Document, version: Version, links: Link[], documents: Documents): void {
  const folding = new Folding(root, version, documents);
  for (const link of links) if (folding.holdsComponents(link.place)) replace(link);
  for (const link of links) folding.adopt(link);
  const isLast = ({ type }: Link) => type === undefined || type === 'SpecExtension';
  for (const link of links.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) folding.rewrite(link);
  if (hasMembers(root.root.node)) cutCircles(root.root.node, '#', { above: new Map(), left: maxBytes });
}

/** The section of the components that each type belongs in. */
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
  readonly #documents: Documents;
  readonly #sections: Record<string, string>;
  /** The path to the sections. */
  readonly #above: string[];
  /** Pointers to the components that were made, by their source. */
  readonly #components = new Map<string, string>();

  constructor(root: Document, version: Version, documents: Documents) {
    this.#root = root;
    this.#documents = documents;
    this.#sections = version === '2.0' ? sections2 : sections3;
    this.#above = version === '2.0' ? [] : ['components'];
  }

  /** Whether a place contains all components, or all of one section. */
  holdsComponents(place: Place): boolean {
    const path = pathOf(place);
    const isAbove = path.length > 0 && path.every((key, index) => key === (this.#above[index] ?? key));
    const isSection = path.length === this.#above.length || Object.values(this.#sections).includes(path.at(-1) ?? '');
    return place.document === this.#root && isAbove && path.length <= this.#above.length + 1 && isSection;
  }

  /** Replaces a component that is a plain reference to a file: the value in the file gets the component's name. */
  adopt({ place, type, target }: Link): void {
    const section = this.#sections[type ?? ''];
    if (!section || !target.place || target.place.document === this.#root || !place.parent) return;
    if (place.parent.node !== this.#sectionNode(section) || !isPlainReference(place.node)) return;
    const key = componentKey(section, target.place);
    if (this.#components.has(key)) return;
    this.#components.set(key, this.#pointerTo(section, place.key));
    replace({ place, target });
  }

  rewrite({ place, reference, type, target }: Link): void {
    const [file, fragment] = splitReference(reference);
    if (target.remote !== undefined) {
      // One within the document leads to a reference that is changed itself.
      if (file !== '' || place.document !== this.#root) setReference(place, target.remote);
      return;
    }
    if (!target.place || (place.parent && currentValueAt(place) === target.place.node)) return;
    // A value may be visited as two types: in an extension, too.
    if (isReference(place.node) && place.node.$ref !== reference) return;
    const isExtension = type === 'SpecExtension';
    const section = isExtension ? this.#sectionOf(target.place) : this.#sections[type ?? ''];
    if (type === undefined) {
      if (file !== '' || place.document !== this.#root) replace({ place, target });
    } else if (this.#documents.names(reference, place.document, this.#root)) {
      if (file !== '') setReference(place, `#${fragment}`);
    } else if (target.place.document === this.#root) {
      setReference(place, `#${pointerOf(target.place)}`);
    } else if (section) {
      setReference(place, this.#componentOf(section, target.place));
    } else {
      replace({ place, target });
    }
  }

  /** The section in which the document of a value has it as a component. */
  #sectionOf(place: Place): string | undefined {
    const path = pathOf(place);
    const [first, second] = path;
    const section = path.length === 3 && first === 'components' ? second : path.length === 2 ? first : undefined;
    return Object.values(this.#sections).find((each) => each === section);
  }

  #componentOf(section: string, place: Place): string {
    const key = componentKey(section, place);
    const present = this.#components.get(key);
    if (present) return present;
    const pointer = this.#pointerTo(section, this.#nameFor(section, place));
    this.#components.set(key, pointer);
    return pointer;
  }

  #nameFor(section: string, place: Place): string {
    const components = this.#makeSection(section);
    const present = Object.keys(components).find((name) => components[name] === place.node);
    if (present) return present;
    const originalName =
      pathOf(place).at(-1) ??
      place.document.address
        .split(/[/\\]/)
        .at(-1)
        ?.replace(/\.[^.]*$/, '');
    const plain = originalName?.replaceAll(/[^\w.-]+/g, '_') || section;
    let name = plain;
    for (let count = 2; name in components; count += 1) name = `${plain}-${count}`;
    components[name] = place.node;
    return name;
  }

  #sectionNode(section: string): unknown {
    return [...this.#above, section].reduce<unknown>(
      (holder, key) => (isObject(holder) ? holder[key] : undefined),
      this.#root.root.node,
    );
  }

  #makeSection(section: string): Record<string, unknown> {
    const { node } = this.#root.root;
    return [...this.#above, section].reduce(objectIn, isObject(node) ? node : {});
  }

  #pointerTo(section: string, name: string): string {
    return `#${pointerTo([...this.#above, section, name])}`;
  }
}

function componentKey(section: string, place: Place): string {
  return `${section} ${place.document.address}#${pointerOf(place)}`;
}

/** The object at a key, made if there is none. */
function objectIn(holder: Record<string, unknown>, key: string): Record<string, unknown> {
  const present = holder[key];
  if (isObject(present)) return present;
  const made = {};
  holder[key] = made;
  return made;
}

/** The present value at a place: folding may have replaced it. */
function currentValueAt({ parent, key, node }: Place): unknown {
  return parent && hasMembers(parent.node) ? parent.node[key] : node;
}

function setReference({ node, parent, key }: Place, reference: string): void {
  if (isReference(node)) node.$ref = reference;
  else if (parent && hasMembers(parent.node)) parent.node[key] = reference;
}

/** Replaces a reference by the value that it leads to. Other fields next to the reference replace those of the value. */
function replace({ place: { node, parent, key }, target }: Pick<Link, 'place' | 'target'>): void {
  const value = target.place?.node;
  const holder = parent?.node;
  const hasFields = isReference(node) && !isPlainReference(node);
  if (key === 'externalValue' && hasMembers(holder)) {
    holder.value ??= value;
    delete holder[key];
  } else if (key !== undefined && hasMembers(holder) && !(hasFields && isObject(value))) {
    holder[key] = value;
  } else if (isReference(node)) {
    const { $ref: _, ...beside } = node;
    const fields: Record<string, unknown> = node;
    delete fields.$ref;
    Object.assign(fields, value, beside);
  }
}

/**
 * Replaces each value that contains itself by a reference to the outer one, as in a path item with a callback to itself.
 * A value that is in several places is visited in each, because it is written in each: `left` is how many characters may
 * still be written.
 */
function cutCircles(
  node: Record<string, unknown>,
  pointer: string,
  state: { above: Map<object, string>; left: number },
): void {
  const { above } = state;
  if (above.size > maxDepth) throw new TooLargeToFold(`nested deeper than ${maxDepth} levels`);
  above.set(node, pointer);
  for (const [key, child] of Object.entries(node)) {
    // A key is written with a colon, and with a space and a line end or with quotes.
    state.left -= (Array.isArray(node) ? 1 : key.length + 3) + (typeof child === 'string' ? child.length : 1);
    if (state.left < 0) throw new TooLargeToFold('larger than 50 MiB');
    if (!hasMembers(child)) continue;
    const outer = above.get(child);
    if (outer !== undefined) node[key] = { $ref: outer };
    else cutCircles(child, `${pointer}/${escapeSegment(key)}`, state);
  }
  above.delete(node);
}
