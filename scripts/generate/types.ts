import { readdirSync } from 'node:fs';
import { globalRegistry as registry } from 'zod/mini';
import type * as z from 'zod/mini';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { type GroupName, groups } from '../../src/contract/groups.ts';

type Schema = z.core.$ZodType;
/** Whether a value is given or received: what has a default may be left out when it is given. */
type Way = 'input' | 'output';

interface Def {
  type: string;
  innerType?: Schema;
  element?: Schema;
  valueType?: Schema;
  keyType?: Schema;
  shape?: Record<string, Schema>;
  catchall?: Schema;
  options?: Schema[];
  entries?: Record<string, string>;
  values?: unknown[];
  getter?: () => Schema;
}

/**
 * The contract as type declarations: every group's endpoints with what they take and give, and the objects by name. They
 * stand by themselves, so that programs that use the library need not install what the contract is written with.
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
      const shown = line === '' ? '' : '  '.repeat(depth) + line;
      if (line.endsWith('{')) depth++;
      return shown;
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

/** Which objects have a name of their own, and their declarations as they come to be needed. */
class Names {
  readonly #exported = new Map<Schema, string>();
  readonly #given = new Map<string, string>();
  readonly #declarations = new Map<string, string>();
  readonly #within = new Set<Schema>();

  /** Objects are called as the contract calls them. */
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
    const wanted = exported ?? objectName(schema);
    if (wanted === undefined) return this.#typeText(schema, way);
    const isInput = way === 'input' && hasDefault(schema);
    const name = isInput ? `${wanted}Input` : wanted;
    const key = `${idOf(schema)} ${isInput}`;
    const known = this.#given.get(key);
    if (known !== undefined) return known;
    // Branches of a union say the same of themselves: the name is the union's.
    if (exported === undefined && this.#declarations.has(name)) return this.#typeText(schema, way);
    if (this.#declarations.has(name)) throw new Error(`Two schemas of the contract are exported as ${name}.`);
    // Named before it is described: it may hold itself.
    this.#given.set(key, name);
    this.#declarations.set(name, '');
    const text = this.#typeText(schema, way);
    const isObject = (schema._zod.def as unknown as Def).type === 'object';
    this.#declarations.set(name, `export ${isObject ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`);
    return name;
  }

  #typeText(schema: Schema, way: Way): string {
    if (this.#within.has(schema)) throw new Error('A schema that holds itself must be exported under its name.');
    this.#within.add(schema);
    try {
      return this.#textOf(schema, way);
    } finally {
      this.#within.delete(schema);
    }
  }

  #textOf(schema: Schema, way: Way): string {
    const def = schema._zod.def as unknown as Def;
    const inner = (of: Schema) => this.typeOf(of, way);
    switch (def.type) {
      case 'string':
      case 'boolean':
        return def.type;
      case 'number':
      case 'int':
        return 'number';
      case 'null':
        return 'null';
      case 'enum':
        return Object.values(def.entries!).map(quoted).join(' | ');
      case 'literal':
        return def.values!.map(quoted).join(' | ');
      case 'array':
        return `Array<${inner(def.element!)}>`;
      case 'record':
        return `Record<${inner(def.keyType!)}, ${inner(def.valueType!)}>`;
      case 'union':
        return def.options!.map(inner).join(' | ');
      case 'nullable':
        return `${inner(def.innerType!)} | null`;
      case 'optional':
        return `${inner(def.innerType!)} | undefined`;
      case 'default':
        return way === 'input' ? `${inner(def.innerType!)} | undefined` : inner(def.innerType!);
      case 'lazy':
        return inner(def.getter!());
      case 'object':
        return this.#objectText(def, way);
      case 'unknown':
      case 'any':
        return 'unknown';
      default:
        throw new Error(
          `Types of the kind "${def.type}" are not described yet: add them to scripts/generate/types.ts.`,
        );
    }
  }

  #objectText({ shape, catchall }: Def, way: Way): string {
    const members = Object.entries(shape!).map(([name, member]) => {
      const isOptional = optional(member, way);
      return `${comment(descriptionOf(member))}${nameText(name)}${isOptional ? '?' : ''}: ${this.typeOf(member, way)};\n`;
    });
    const others = catchall && catchall._zod.def.type !== 'never' ? [`[name: string]: unknown;\n`] : [];
    return members.length + others.length === 0 ? '{}' : `{\n${[...members, ...others].join('')}}`;
  }
}

/** Whether a member may be left out. */
function optional(schema: Schema, way: Way): boolean {
  const { type, innerType } = schema._zod.def as unknown as Def;
  if (type === 'optional' || (type === 'default' && way === 'input')) return true;
  return type === 'nullable' && optional(innerType!, way);
}

const ids = new WeakMap<Schema, number>();
let lastId = 0;
function idOf(schema: Schema): number {
  const known = ids.get(schema);
  if (known !== undefined) return known;
  ids.set(schema, ++lastId);
  return lastId;
}

/** `change-request` is `ChangeRequest`: what an object says of itself. */
function objectName(schema: Schema): string | undefined {
  const def = schema._zod.def as unknown as Def;
  const word = (def.shape?.object?._zod.def as Def | undefined)?.values?.[0];
  if (typeof word !== 'string') return undefined;
  return word
    .split(/[-_]/)
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('');
}

/** Whether something in it has a default, so that it is given otherwise than it is received. */
function hasDefault(schema: Schema, within = new Set<Schema>()): boolean {
  if (within.has(schema)) return false;
  within.add(schema);
  const def = schema._zod.def as unknown as Def;
  if (def.type === 'default') return true;
  const parts = [def.innerType, def.element, def.valueType, def.getter?.(), ...(def.options ?? [])];
  return [...parts, ...Object.values(def.shape ?? {})].some((part) => part !== undefined && hasDefault(part, within));
}

function descriptionOf(schema: Schema): string {
  for (let at: Schema | undefined = schema; at; at = (at._zod.def as unknown as Def).innerType) {
    const told = (registry.get(at) as { description?: string } | undefined)?.description;
    if (told !== undefined) return told;
  }
  return '';
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
