import { isObject } from '../../shared/is-object.ts';
import { methods, pathParameterNames } from '../paths.ts';
import { type Fields, fieldsOf, itemsOf } from '../fields.ts';
import { canonical } from './shape.ts';
import { Shapes, type Source } from './shapes.ts';

/** One method of one path, in the same form for Swagger 2 and OpenAPI 3. */
export interface Operation {
  node: Fields;
  /** By `in` and name. Path parameters are identified by position, because their names do not matter to callers. */
  parameters: Map<string, Parameter>;
  body: Body | undefined;
  /** By status, `4XX` or `DEFAULT`. */
  responses: Map<string, Response>;
  /** Sets of credentials, one of which is required. */
  security: Set<string>[];
  /** Undefined if those of the document apply. */
  servers: Server[] | undefined;
  /** Path items by name and expression. */
  callbacks: Map<string, Item>;
  /** Parts with broken references: what they accept is not known. */
  unknown: ReadonlySet<'parameters' | 'body'>;
}

export interface Item {
  node: Fields;
  operations: Map<string, Operation>;
}

/** A response header. */
export interface Header {
  node: Fields;
  isRequired: boolean;
  /** How its value is serialized. */
  style: string;
  schema: unknown;
}

export interface Parameter extends Header {
  name: string;
  in: string;
}

interface Body {
  node: Fields;
  isRequired: boolean;
  content: Map<string, Media>;
}

export interface Media {
  node: Fields;
  schema: unknown;
  /** By property of a form. */
  encoding: Fields;
}

export interface Response {
  node: Fields;
  content: Map<string, Media>;
  headers: Map<string, Header>;
  links: Fields;
}

export interface Server {
  node: Fields;
  url: string;
  variables: Fields;
}

/** The operations of a document. */
export class Operations {
  readonly shapes: Shapes;
  readonly document: Fields;
  readonly isSwagger: boolean;

  constructor(source: Source) {
    this.document = fieldsOf(source.document);
    this.shapes = new Shapes({ ...source, document: this.document });
    this.isSwagger = this.document.swagger !== undefined;
  }

  /** Path items by path. */
  paths(): Map<string, Item> {
    const paths = Object.entries(fieldsOf(this.document.paths)).filter(([path]) => path.startsWith('/'));
    return new Map(paths.map(([path, value]) => [path, this.#item(path, value)]));
  }

  webhooks(): Map<string, Item> {
    const hooks = Object.entries(fieldsOf(this.document.webhooks ?? this.document['x-webhooks']));
    return new Map(hooks.map(([name, value]) => [name, this.#item('', value)]));
  }

  /** The servers of the document. There is always at least one. */
  servers(): Server[] {
    if (!this.isSwagger) return serversOf(this.document.servers) ?? [defaultServer];
    const { host, basePath, schemes } = this.document;
    if (host === undefined && basePath === undefined) return [defaultServer];
    const base = typeof basePath === 'string' ? basePath : '';
    return (itemsOf(schemes).length > 0 ? itemsOf(schemes) : ['https']).map((scheme) => {
      const url = typeof host === 'string' ? `${String(scheme)}://${host}${base}` : base;
      return { node: this.document, url: withoutSlash(url), variables: {} };
    });
  }

  securitySchemes(): Map<string, Fields> {
    const schemes = fieldsOf(this.document.securityDefinitions ?? fieldsOf(this.document.components).securitySchemes);
    return new Map(Object.entries(schemes).map(([name, scheme]) => [name, this.fields(scheme)]));
  }

  /** An object, or the one that it refers to. */
  fields(value: unknown): Fields {
    return fieldsOf(this.shapes.follow(value));
  }

  #item(path: string, value: unknown): Item {
    const item = this.fields(value);
    const additional = fieldsOf(item.additionalOperations);
    const described = [...methods.map((method) => [method, item[method]] as const), ...Object.entries(additional)];
    const operations = described.flatMap(([method, operation]): [string, Operation][] =>
      isObject(operation) ? [[method.toLowerCase(), this.#operation(path, item, operation)]] : [],
    );
    return { node: item, operations: new Map(operations) };
  }

  #operation(path: string, item: Fields, operation: Fields): Operation {
    const all = new Map<string, Fields>();
    const unknown = new Set<'parameters' | 'body'>();
    for (const value of [...itemsOf(item.parameters), ...itemsOf(operation.parameters)]) {
      if (this.#isBroken(value)) unknown.add('parameters');
      const parameter = this.fields(value);
      all.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter);
    }
    if (this.#isBroken(operation.requestBody)) unknown.add('body');
    const fields = [...all.values()];
    const responses = Object.entries(fieldsOf(operation.responses)).filter(([status]) => !status.startsWith('x-'));
    return {
      node: operation,
      parameters: this.#parameters(path, fields),
      body: this.isSwagger ? this.#swaggerBody(operation, fields) : this.#body(operation.requestBody),
      responses: new Map(
        responses.map(([status, value]) => [status.toUpperCase(), this.#response(operation, this.fields(value))]),
      ),
      security: this.#security(operation.security ?? this.document.security),
      servers: serversOf(operation.servers) ?? serversOf(item.servers),
      callbacks: this.#callbacks(operation.callbacks),
      unknown,
    };
  }

  #isBroken(value: unknown): boolean {
    return isObject(value) && this.shapes.follow(value) === undefined;
  }

  #callbacks(value: unknown): Map<string, Item> {
    const callbacks = Object.entries(fieldsOf(value)).flatMap(([name, callback]) =>
      Object.entries(this.fields(callback))
        .filter(([expression]) => !expression.startsWith('x-'))
        .map(([expression, item]): [string, Item] => [`${name} ${expression}`, this.#item('', item)]),
    );
    return new Map(callbacks);
  }

  #parameters(path: string, parameters: Fields[]): Map<string, Parameter> {
    const names = pathParameterNames(path);
    const places = new Set(['query', 'header', 'path', 'cookie', 'querystring']);
    const plain = parameters.filter(({ in: where }) => places.has(String(where)));
    return new Map(
      plain.map((parameter): [string, Parameter] => {
        const where = String(parameter.in);
        const position = where === 'path' ? names.indexOf(String(parameter.name)) : -1;
        const name = where === 'header' ? String(parameter.name).toLowerCase() : String(parameter.name);
        const style = this.isSwagger ? swaggerStyleOf(parameter) : styleOf(parameter);
        const isRequired = parameter.required === true || where === 'path';
        return [
          `${where} ${position < 0 ? name : position}`,
          { ...this.#header(parameter, style), isRequired, name: String(parameter.name), in: where },
        ];
      }),
    );
  }

  #header(node: Fields, style: string): Header {
    const [[type, media] = []] = this.#content(node.content);
    // In Swagger 2, the object itself is the schema.
    const schema = node.schema ?? media?.schema ?? (this.isSwagger ? schemaOf(node) : true);
    return { node, isRequired: node.required === true, style: type ?? style, schema };
  }

  #body(value: unknown): Body | undefined {
    const body = this.fields(value);
    if (Object.keys(body).length === 0) return undefined;
    return { node: body, isRequired: body.required === true, content: this.#content(body.content) };
  }

  #swaggerBody(operation: Fields, parameters: Fields[]): Body | undefined {
    const consumes = itemsOf(operation.consumes ?? this.document.consumes).map(String);
    const body = parameters.find((parameter) => parameter.in === 'body');
    if (body) return { node: body, isRequired: body.required === true, content: eachOf(consumes, body, body.schema) };
    const form = parameters.filter((parameter) => parameter.in === 'formData');
    if (form.length === 0) return undefined;
    const required = form.filter((field) => field.required === true).map((field) => field.name);
    const properties = Object.fromEntries(form.map((field) => [field.name, schemaOf(field)]));
    const schema = { type: 'object', properties, required };
    const hasFile = form.some(({ type }) => type === 'file');
    const types =
      consumes.length > 0 ? consumes : [hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
    return { node: operation, isRequired: required.length > 0, content: eachOf(types, operation, schema) };
  }

  #response(operation: Fields, response: Fields): Response {
    const headers = Object.entries(fieldsOf(response.headers))
      .map(([name, value]): [string, Header] => {
        const header = this.fields(value);
        return [name.toLowerCase(), this.#header(header, header.explode === true ? 'simple, exploded' : 'simple')];
      })
      // By the specification, this header is ignored.
      .filter(([name]) => name !== 'content-type');
    const produces = itemsOf(operation.produces ?? this.document.produces).map(String);
    const swagger = () => (response.schema === undefined ? new Map() : eachOf(produces, response, response.schema));
    return {
      node: response,
      content: this.isSwagger ? swagger() : this.#content(response.content),
      headers: new Map(headers),
      links: Object.fromEntries(
        Object.entries(fieldsOf(response.links)).map(([name, link]) => [name, this.fields(link)]),
      ),
    };
  }

  /** By media type, in lower case and without spaces. */
  #content(value: unknown): Map<string, Media> {
    const entries = Object.entries(fieldsOf(value)).map(([type, media]): [string, Media] => {
      const node = this.fields(media);
      return [
        mediaTypeOf(type),
        { node, schema: node.schema ?? node.itemSchema ?? true, encoding: fieldsOf(node.encoding) },
      ];
    });
    return new Map(entries);
  }

  #security(value: unknown): Set<string>[] {
    const schemes = this.securitySchemes();
    const alternatives = itemsOf(value).map((requirement) => {
      const needs = Object.entries(fieldsOf(requirement)).flatMap(([name, scopes]) => {
        const { type, in: where, name: key, scheme } = schemes.get(name) ?? {};
        const isBasic = type === 'basic' ? 'http basic' : undefined;
        const parts = [type ?? name, where, key, typeof scheme === 'string' ? scheme.toLowerCase() : undefined];
        const kind = isBasic ?? parts.filter((part) => part !== undefined).join(' ');
        return [kind, ...itemsOf(scopes).map((scope) => `${kind} with ${String(scope)}`)];
      });
      return new Set(needs);
    });
    return alternatives.length > 0 ? alternatives : [new Set()];
  }
}

const defaultServer: Server = { node: {}, url: '', variables: {} };

function serversOf(value: unknown): Server[] | undefined {
  const servers = itemsOf(value).flatMap((server): Server[] => {
    const node = fieldsOf(server);
    return typeof node.url === 'string'
      ? [{ node, url: withoutSlash(node.url), variables: fieldsOf(node.variables) }]
      : [];
  });
  return servers.length > 0 ? servers : undefined;
}

const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url);

/** Fields of a Swagger 2 parameter that are not part of its schema. */
const notOfSchema = new Set(['name', 'in', 'required', 'description', 'collectionFormat', 'allowEmptyValue']);
const schemas = new WeakMap<Fields, Fields>();

/** The schema in the fields of a Swagger 2 parameter or header. */
function schemaOf(parameter: Fields): Fields {
  const cached = schemas.get(parameter);
  if (cached) return cached;
  const schema = Object.fromEntries(Object.entries(parameter).filter(([key]) => !notOfSchema.has(key)));
  schemas.set(parameter, schema);
  return schema;
}

/** Includes the defaults, so that stating them makes no difference. */
function styleOf({ in: where, style, explode }: Fields): string {
  const name = String(style ?? (where === 'query' || where === 'cookie' ? 'form' : 'simple'));
  return (explode ?? name === 'form') ? `${name}, exploded` : name;
}

/** The OpenAPI 3 name of the style. */
function swaggerStyleOf({ in: where, collectionFormat }: Fields): string {
  if (collectionFormat === 'multi') return 'form, exploded';
  const names: Record<string, string> = { ssv: 'spaceDelimited', tsv: 'tabDelimited', pipes: 'pipeDelimited' };
  return names[String(collectionFormat)] ?? (where === 'query' ? 'form' : 'simple');
}

function mediaTypeOf(text: string): string {
  const [type = '', ...parameters] = text.toLowerCase().split(';');
  const rest = parameters.map((parameter) => parameter.trim()).filter((parameter) => !parameter.startsWith('charset='));
  return [type.trim(), ...rest.toSorted()].join(';');
}

function eachOf(types: string[], node: Fields, schema: unknown): Map<string, Media> {
  const named = types.length > 0 ? types : ['*/*'];
  return new Map(named.map((type) => [mediaTypeOf(type), { node, schema: schema ?? true, encoding: {} }]));
}

/** Whether two values are equal except for their descriptions. */
export function isSameText(before: unknown, after: unknown): boolean {
  const plain = (value: unknown) => (isObject(value) ? { ...value, description: undefined } : value);
  return before === after || canonical(plain(before)) === canonical(plain(after));
}
