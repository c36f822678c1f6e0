import GithubSlugger from 'github-slugger';
import { isObject } from '../../shared/is-object.ts';
import type { Source } from '../diff/shapes.ts';
import { identify } from '../identity.ts';
import { isReference, segmentsOf, splitReference } from '../parse/reference.ts';
import { methods } from '../paths.ts';
import { entriesAt, isInternal, listAt, type Fields, objectAt, textAt, textsAt } from '../fields.ts';

/** An operation or a webhook as its readers find it. The rest of it is read when it is shown. */
export interface Operation {
  /** Unique in the description; a part of addresses. */
  anchor: string;
  kind: 'operation' | 'webhook';
  method: string;
  /** Of a webhook: its name. */
  path: string;
  title: string;
  isDeprecated: boolean;
  group: OperationGroup;
  node: Fields;
  /** The path item that it stands in. */
  item: Fields;
}

/** The operations of a tag. */
export interface OperationGroup {
  /** Name of the tag; undefined for operations without one, and for webhooks. */
  tag: string | undefined;
  title: string;
  /** A part of addresses. */
  slug: string;
  description: string | undefined;
  /** The tag that it stands under, where the description has that too. */
  parentTag: string | undefined;
  /** Those of other groups that have this tag too are among them. */
  operations: Operation[];
}

/** A named schema. */
export interface NamedSchema {
  name: string;
  slug: string;
  node: unknown;
}

/** What a value of a description stands for when its references are followed. */
export interface Resolved {
  node: Fields | undefined;
  /** Why there is none. */
  problem?: string;
}

/** A description as readers of its reference see it. Nothing is read before it is shown, besides the lists. */
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
    this.document = isObject(source.document) ? source.document : {};
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

  /** Follows references; fields beside one replace those of its target. */
  resolve(value: unknown): Resolved {
    let current = value;
    let beside: Fields = {};
    for (let step = 0; isReference(current); step += 1) {
      const holder: { $ref: string } = current;
      const { $ref: reference, ...rest } = holder;
      if (step > 50) return { node: undefined, problem: `${reference} leads back to itself.` };
      beside = { ...rest, ...beside };
      current = this.#target(reference, holder);
      if (current === undefined || current === null) {
        const reason = this.#source.reasonFor?.(reference, holder) ?? 'leads to nothing';
        return { node: undefined, problem: `${reference} ${reason}.` };
      }
    }
    if (!isObject(current)) return { node: undefined };
    return { node: Object.keys(beside).length === 0 ? current : { ...current, ...beside } };
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
    const wanted = method?.toLowerCase();
    return this.operations.find(
      (each) => each.kind === kind && each.path === path && (wanted === undefined || each.method === wanted),
    );
  }

  schemaBySlug(slug: string): NamedSchema | undefined {
    return [...this.schemas.values()].find((schema) => schema.slug === slug);
  }

  #target(reference: string, holder: object): unknown {
    if (this.#source.resolve) return this.#source.resolve(reference, holder);
    const [file, fragment] = splitReference(reference);
    if (file !== '') return undefined;
    let current: unknown = this.document;
    for (const key of segmentsOf(fragment)) {
      if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
      current = Reflect.get(current, key);
    }
    return current;
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

/** Collects operations by their tags, in the order in which the description names these. */
class Groups {
  readonly all: OperationGroup[] = [];
  readonly #anchors = new GithubSlugger();
  readonly #slugs = new GithubSlugger();
  readonly #byTag = new Map<string, OperationGroup>();
  #untagged: OperationGroup | undefined;
  #webhooks: OperationGroup | undefined;

  constructor(document: Fields) {
    // The address of the list of schemas.
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
    const groups = [...new Set(textsAt(node, 'tags'))].map((tag) => this.#ofTag(tag));
    const [group = kind === 'webhook' ? this.#ofWebhooks() : this.#withoutTag()] = groups;
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

  #ofTag(tag: string): OperationGroup {
    let group = this.#byTag.get(tag);
    if (!group) {
      group = this.#group(tag, tag);
      this.#byTag.set(tag, group);
    }
    return group;
  }

  #withoutTag(): OperationGroup {
    this.#untagged ??= this.#group(undefined, this.all.length === 0 ? 'Operations' : 'Other operations');
    return this.#untagged;
  }

  #ofWebhooks(): OperationGroup {
    this.#webhooks ??= this.#group(undefined, 'Webhooks');
    return this.#webhooks;
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
