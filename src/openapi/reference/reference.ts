import GithubSlugger from 'github-slugger';
import { isObject } from '../../shared/is-object.ts';
import type { Source } from '../diff/shapes.ts';
import { identify } from '../identity.ts';
import { isReference, splitReference, valueAt } from '../parse/reference.ts';
import { methods } from '../paths.ts';
import { entriesAt, type Fields, fieldsOf, isInternal, listAt, objectAt, textAt, textsAt } from '../fields.ts';

/** An operation or a webhook. The rest of it is read when it is shown. */
export interface Operation {
  /** Unique in the description; a part of addresses. */
  anchor: string;
  kind: 'operation' | 'webhook';
  method: string;
  /** The name of a webhook. */
  path: string;
  title: string;
  isDeprecated: boolean;
  group: OperationGroup;
  node: Fields;
  /** The path item that contains it. */
  item: Fields;
}

/** The operations of a tag. */
export interface OperationGroup {
  /** The name of the tag; undefined for webhooks and operations without tags. */
  tag: string | undefined;
  title: string;
  /** A part of addresses. */
  slug: string;
  description: string | undefined;
  /** The tag above it, if the description has that tag. */
  parentTag: string | undefined;
  /** Includes operations of other groups that also have this tag. */
  operations: Operation[];
}

/** A named schema. */
export interface NamedSchema {
  name: string;
  slug: string;
  node: unknown;
}

/** A value of a description after following references. */
export interface Resolved {
  node: Fields | undefined;
  /** Why there is no value. */
  problem?: string;
}

/** A description as readers see it. Only the lists are read up front, and the rest when it is shown. */
export class Reference {
  readonly document: Fields;
  readonly isSwagger: boolean;
  readonly title: string;
  readonly groups: readonly OperationGroup[];
  readonly operations: readonly Operation[];
  readonly schemas: ReadonlyMap<string, NamedSchema>;
  readonly #source: Source;
  readonly #names = new Map<object, string>();

  constructor(source: Source) {
    this.#source = source;
    this.document = fieldsOf(source.document);
    const { version, title } = identify(this.document);
    this.isSwagger = version === '2.0';
    this.title = title?.trim() || 'API';
    this.schemas = this.#readSchemas();
    const groups = new Groups(this.document);
    this.operations = [...this.#operationsIn('paths', groups), ...this.#operationsIn('webhooks', groups)];
    this.groups = groups.all.filter(({ operations }) => operations.length > 0);
  }

  get info(): Fields {
    return objectAt(this.document, 'info') ?? {};
  }

  /** Follows references. Fields next to a reference replace those of its target. */
  resolve(value: unknown): Resolved {
    let current = value;
    let siblings: Fields = {};
    for (let step = 0; isReference(current); step += 1) {
      const holder: { $ref: string } = current;
      const { $ref: reference, ...rest } = holder;
      if (step > 50) return { node: undefined, problem: `${reference} leads back to itself.` };
      siblings = { ...rest, ...siblings };
      current = this.#target(reference, holder);
      if (current === undefined || current === null) {
        const reason = this.#source.reasonFor?.(reference, holder) ?? 'cannot be resolved';
        return { node: undefined, problem: `${reference} ${reason}.` };
      }
    }
    if (!isObject(current)) return { node: undefined };
    return { node: Object.keys(siblings).length === 0 ? current : { ...current, ...siblings } };
  }

  /** The name of the schema that a value is, or refers to. */
  nameOf(value: unknown): string | undefined {
    let current = value;
    for (let step = 0; isObject(current) && step < 50; step += 1) {
      const name = this.#names.get(current);
      if (name !== undefined) return name;
      if (!isReference(current)) return undefined;
      current = this.#target(current.$ref, current);
    }
    return undefined;
  }

  /** An operation by method and path, or by the name of a webhook. */
  find(kind: Operation['kind'], path: string, method?: string): Operation | undefined {
    const name = method?.toLowerCase();
    return this.operations.find(
      (each) => each.kind === kind && each.path === path && (name === undefined || each.method === name),
    );
  }

  schemaBySlug(slug: string): NamedSchema | undefined {
    return [...this.schemas.values()].find((schema) => schema.slug === slug);
  }

  #target(reference: string, holder: object): unknown {
    if (this.#source.resolve) return this.#source.resolve(reference, holder);
    const [file, fragment] = splitReference(reference);
    return file === '' ? valueAt(this.document, fragment) : undefined;
  }

  #readSchemas(): Map<string, NamedSchema> {
    const slugger = new GithubSlugger();
    const holder = this.isSwagger ? this.document : (objectAt(this.document, 'components') ?? {});
    const schemas = new Map<string, NamedSchema>();
    for (const [name, node] of entriesAt(holder, this.isSwagger ? 'definitions' : 'schemas')) {
      if (isObject(node) && isInternal(node)) continue;
      schemas.set(name, { name, slug: slugger.slug(name) || 'schema', node });
      if (isObject(node)) this.#names.set(node, name);
    }
    for (const [name, { node }] of schemas) {
      if (!isReference(node)) continue;
      const target = this.#target(node.$ref, node);
      if (isObject(target) && !this.#names.has(target)) this.#names.set(target, name);
    }
    return schemas;
  }

  #operationsIn(key: 'paths' | 'webhooks', groups: Groups): Operation[] {
    const operations: Operation[] = [];
    for (const [path, value] of entriesAt(this.document, key)) {
      if (path.startsWith('x-')) continue;
      const { node: item } = this.resolve(value);
      if (!item || isInternal(item)) continue;
      for (const method of methods) {
        const node = objectAt(item, method);
        if (!node || isInternal(node)) continue;
        operations.push(groups.add(key === 'paths' ? 'operation' : 'webhook', { path, method, node, item }));
      }
    }
    return operations;
  }
}

/** Groups operations by tag, in the order of the tags in the description. */
class Groups {
  readonly all: OperationGroup[] = [];
  readonly #anchors = new GithubSlugger();
  readonly #slugs = new GithubSlugger();
  readonly #byTag = new Map<string, OperationGroup>();
  #untagged: OperationGroup | undefined;
  #webhooks: OperationGroup | undefined;

  constructor(document: Fields) {
    // Reserved for the list of schemas.
    this.#slugs.slug('schemas');
    for (const tag of listAt(document, 'tags').filter(isObject)) {
      const name = textAt(tag, 'name');
      if (name === undefined || this.#byTag.has(name)) continue;
      const title = textAt(tag, 'x-page-title') ?? textAt(tag, 'x-displayName') ?? textAt(tag, 'summary') ?? name;
      const group = this.#group(name, title, textAt(tag, 'description'));
      group.parentTag = textAt(tag, 'parent') ?? textAt(tag, 'x-parent');
      this.#byTag.set(name, group);
    }
  }

  add(kind: Operation['kind'], { path, method, node, item }: Pick<Operation, 'path' | 'method' | 'node' | 'item'>) {
    const groups = [...new Set(textsAt(node, 'tags'))].map((tag) => {
      const group = this.#byTag.get(tag) ?? this.#group(tag, tag);
      this.#byTag.set(tag, group);
      return group;
    });
    const [group = this.#groupWithoutTag(kind)] = groups;
    const id = textAt(node, 'operationId');
    const operation: Operation = {
      anchor: this.#anchors.slug(id ?? pathAnchor({ method, path })) || 'operation',
      kind,
      method,
      path,
      title:
        textAt(node, 'summary')?.trim() ??
        titleOf(id) ??
        (kind === 'webhook' ? path : `${method.toUpperCase()} ${path}`),
      isDeprecated: node.deprecated === true,
      group,
      node,
      item,
    };
    for (const each of groups.length > 0 ? groups : [group]) each.operations.push(operation);
    return operation;
  }

  #groupWithoutTag(kind: Operation['kind']): OperationGroup {
    if (kind === 'webhook') return (this.#webhooks ??= this.#group(undefined, 'Webhooks'));
    return (this.#untagged ??= this.#group(undefined, this.all.length === 0 ? 'Operations' : 'Other operations'));
  }

  #group(tag: string | undefined, title: string, description?: string): OperationGroup {
    const group: OperationGroup = {
      tag,
      title,
      slug: this.#slugs.slug(title) || 'operations',
      description,
      parentTag: undefined,
      operations: [],
    };
    this.all.push(group);
    return group;
  }
}

/** `get-pets-petid`: the anchor that the service gives to an operation. */
export const pathAnchor = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[\s/]+/g, '-')
    .replaceAll(/[^\p{L}\p{N}._~-]+/gu, '')
    .replace(/-$/, '');

/** `listPets` as `List pets`. */
function titleOf(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const words = id
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[\s_./-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? undefined : words[0]?.toUpperCase() + words.slice(1);
}
