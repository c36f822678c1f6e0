import { readdirSync } from 'node:fs';
import { globalRegistry as registry } from 'zod/mini';
import type * as z from 'zod/mini';
import { definitionOf } from '../../src/contract/definition.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { type GroupName, groups } from '../../src/contract/groups.ts';

type Schema = z.core.$ZodType;
/** Whether a value is an input or an output: members with a default may be left out of an input. */
type Way = 'input' | 'output';

/**
 * The contract as type declarations: the endpoints of every group with their inputs and outputs, and the objects by
 * name. The declarations import nothing, so that programs that use the library need not install what the contract is
 * written with.
 */
export async function describeTypes(): Promise<string> {
  const folder = new URL('../../src/contract/', import.meta.url);
  const modules = (await Promise.all(
    readdirSync(folder)
      .filter((file) => file !== 'all.ts')
      .map((file) => import(new URL(file, folder).href)),
  )) as Record<string, unknown>[];
  const names = new Names(modules);
  const declared = (Object.keys(groups) as GroupName[]).toSorted().map((name) => {
    const group = modules.find((module) => name in module)![name] as Record<string, Endpoint>;
    const members = Object.entries(group).map(([key, endpoint]) => endpointType(key, endpoint, names));
    return `export declare const ${name}: {\n${members.join('')}};\n`;
  });
  return indented(
    `import type { Endpoint } from './endpoint.js';\n\n${names.declarations().join('\n')}\n${declared.join('\n')}`,
  );
}

/** Indents by the braces that lines end and begin with. */
function indented(text: string): string {
  let depth = 0;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('}')) depth--;
      const indentedLine = line === '' ? '' : '  '.repeat(depth) + line;
      if (line.endsWith('{')) depth++;
      return indentedLine;
    })
    .join('\n');
}

function endpointType(key: string, endpoint: Endpoint, names: Names): string {
  const { method, path, summary, description } = endpoint;
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `'${name}'`);
  const { items, body, answer } = endpoint;
  const parts = [
    `params: ${params.join(' | ') || 'never'}`,
    `query: ${names.typeOf(endpoint.query(), 'input')}`,
    `body: ${body ? names.typeOf(body(), 'input') : 'never'}`,
    `item: ${items ? names.typeOf(items(), 'output') : 'never'}`,
    `answer: ${answer ? names.typeOf(answer(), 'output') : 'undefined'}`,
  ];
  const about = [summary, description, `\`${method} ${path}\``].filter(Boolean).join('\n\n');
  return `${comment(about)}readonly ${key}: Endpoint<{ ${parts.join('; ')} }>;\n`;
}

/** The objects that have a name, and their declarations, which are written when they are first used. */
class Names {
  readonly #exported = new Map<Schema, string>();
  readonly #nameByKey = new Map<string, string>();
  readonly #declarations = new Map<string, string>();
  readonly #within = new Set<Schema>();

  /** Objects have the names that they have in the contract. */
  constructor(modules: Record<string, unknown>[]) {
    for (const module of modules) {
      for (const [name, value] of Object.entries(module)) {
        if (!/^[A-Z]/.test(name) || typeof value !== 'function' || value.length > 0) continue;
        const schema = (value as () => Schema)();
        if (schema?._zod && !this.#exported.has(schema)) this.#exported.set(schema, name);
      }
    }
  }

  declarations(): string[] {
    return [...this.#declarations].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  typeOf(schema: Schema, way: Way): string {
    const exported = this.#exported.get(schema);
    const baseName = exported ?? objectName(schema);
    if (baseName === undefined) return this.#typeText(schema, way);
    const isInput = way === 'input' && hasDefault(schema);
    const name = isInput ? `${baseName}Input` : baseName;
    const key = `${idOf(schema)} ${isInput}`;
    const existing = this.#nameByKey.get(key);
    if (existing !== undefined) return existing;
    // The branches of a union have the same name as the union: the name belongs to the union.
    if (exported === undefined && this.#declarations.has(name)) return this.#typeText(schema, way);
    if (this.#declarations.has(name)) throw new Error(`Two schemas of the contract are exported as ${name}.`);
    // Named before it is described: it may contain itself.
    this.#nameByKey.set(key, name);
    this.#declarations.set(name, '');
    const text = this.#typeText(schema, way);
    const isObject = definitionOf(schema).type === 'object';
    this.#declarations.set(name, `export ${isObject ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`);
    return name;
  }

  #typeText(schema: Schema, way: Way): string {
    if (this.#within.has(schema)) throw new Error('A schema that contains itself must be exported under its name.');
    this.#within.add(schema);
    try {
      return this.#textOf(schema, way);
    } finally {
      this.#within.delete(schema);
    }
  }

  #textOf(schema: Schema, way: Way): string {
    const def = definitionOf(schema);
    const inner = (part: Schema) => this.typeOf(part, way);
    switch (def.type) {
      case 'string':
      case 'boolean':
      case 'number':
      case 'null':
        return def.type;
      case 'enum':
        return Object.values(def.entries).map(quoted).join(' | ');
      case 'literal':
        return def.values.map(quoted).join(' | ');
      case 'array':
        return `Array<${inner(def.element)}>`;
      case 'record':
        return `Record<${inner(def.keyType)}, ${inner(def.valueType)}>`;
      case 'union':
        return def.options.map(inner).join(' | ');
      case 'nullable':
        return `${inner(def.innerType)} | null`;
      case 'optional':
        return `${inner(def.innerType)} | undefined`;
      case 'default':
        return way === 'input' ? `${inner(def.innerType)} | undefined` : inner(def.innerType);
      case 'lazy':
        return inner(def.getter());
      case 'object':
        return this.#objectText(def, way);
      case 'unknown':
      case 'any':
        return 'unknown';
      default:
        throw new Error(
          `Schemas of the type "${def.type}" are not described yet: add it to scripts/generate/types.ts.`,
        );
    }
  }

  #objectText({ shape, catchall }: z.core.$ZodObjectDef, way: Way): string {
    const members = Object.entries(shape).map(([name, member]) => {
      const isOptional = optional(member, way);
      return `${comment(descriptionOf(member))}${nameText(name)}${isOptional ? '?' : ''}: ${this.typeOf(member, way)};\n`;
    });
    const others = catchall && catchall._zod.def.type !== 'never' ? [`[name: string]: unknown;\n`] : [];
    return members.length + others.length === 0 ? '{}' : `{\n${[...members, ...others].join('')}}`;
  }
}

/** Whether a member may be left out. */
function optional(schema: Schema, way: Way): boolean {
  const def = definitionOf(schema);
  if (def.type === 'optional' || (def.type === 'default' && way === 'input')) return true;
  return def.type === 'nullable' && optional(def.innerType, way);
}

const ids = new WeakMap<Schema, number>();
let lastId = 0;
function idOf(schema: Schema): number {
  const id = ids.get(schema);
  if (id !== undefined) return id;
  ids.set(schema, ++lastId);
  return lastId;
}

/** `ChangeRequest` for an object whose member `object` is the literal `change-request`. */
function objectName(schema: Schema): string | undefined {
  const def = definitionOf(schema);
  const member = def.type === 'object' ? def.shape.object : undefined;
  const memberDef = member && definitionOf(member);
  const word = memberDef?.type === 'literal' ? memberDef.values[0] : undefined;
  if (typeof word !== 'string') return undefined;
  return word
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** Whether the schema or a part of it has a default, so that its input differs from its output. */
function hasDefault(schema: Schema, visited = new Set<Schema>()): boolean {
  if (visited.has(schema)) return false;
  visited.add(schema);
  return definitionOf(schema).type === 'default' || partsOf(schema).some((part) => hasDefault(part, visited));
}

function partsOf(schema: Schema): readonly Schema[] {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return [def.innerType];
    case 'array':
      return [def.element];
    case 'record':
      return [def.valueType];
    case 'lazy':
      return [def.getter()];
    case 'union':
      return def.options;
    case 'object':
      return Object.values(def.shape);
    default:
      return [];
  }
}

/** The description of a schema, else that of the schema it wraps. */
function descriptionOf(schema: Schema): string {
  const description = registry.get(schema)?.description;
  if (description !== undefined) return description;
  const def = definitionOf(schema);
  return 'innerType' in def ? descriptionOf(def.innerType) : '';
}

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value));
const nameText = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

function comment(text: string): string {
  if (text === '') return '';
  const lines = text.replaceAll('*/', '* /').split('\n');
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
