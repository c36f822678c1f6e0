import { isObject } from '../../shared/is-object.ts';
import { methods, pathParameterNames } from '../paths.ts';
import { Shapes } from './shapes.ts';

/** One method of one path, in the same form for Swagger 2 and OpenAPI 3. */
export interface Operation {
  /** By `in` and name. Those of the path by their position in it, as their names do not matter to callers. */
  parameters: Map<string, Parameter>;
  body: Body | undefined;
  /** By status, `4XX` or `default`. */
  responses: Map<string, Response>;
  /** Sets of credentials, one of which is needed. */
  security: Set<string>[];
}

export interface Parameter {
  title: string;
  isInPath: boolean;
  isRequired: boolean;
  /** How its value is written. */
  style: string;
  schema: unknown;
}

export interface Body {
  isRequired: boolean;
  /** Schemas by media type. */
  content: Map<string, unknown>;
}

export interface Response {
  content: Map<string, unknown>;
  headers: Map<string, unknown>;
}

type Fields = Record<string, unknown>;

/** The operations of a document whose references all lead into the document itself. */
export class Operations {
  readonly shapes: Shapes;
  readonly #document: Fields;

  constructor(document: unknown) {
    this.#document = isObject(document) ? document : {};
    this.shapes = new Shapes(this.#document);
  }

  /** By path and method. */
  read(): Map<string, Map<string, Operation>> {
    const paths = Object.entries(fieldsOf(this.#document.paths)).filter(([path]) => path.startsWith('/'));
    return new Map(
      paths.map(([path, value]) => {
        const item = this.#fields(value);
        const described = methods.filter((method) => isObject(item[method]));
        return [
          path,
          new Map(described.map((method) => [method, this.#operation(path, item, fieldsOf(item[method]))])),
        ];
      }),
    );
  }

  #operation(path: string, item: Fields, operation: Fields): Operation {
    const all = new Map<string, Fields>();
    for (const value of [...itemsOf(item.parameters), ...itemsOf(operation.parameters)]) {
      const parameter = this.#fields(value);
      all.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter);
    }
    const fields = [...all.values()];
    const responses = Object.entries(fieldsOf(operation.responses)).filter(([status]) => !status.startsWith('x-'));
    return {
      parameters: parametersOf(path, fields, this.#isSwagger),
      body: this.#isSwagger ? this.#swaggerBody(operation, fields) : this.#body(operation.requestBody),
      responses: new Map(
        responses.map(([status, value]) => [status.toUpperCase(), this.#response(operation, this.#fields(value))]),
      ),
      security: this.#security(operation.security ?? this.#document.security),
    };
  }

  get #isSwagger(): boolean {
    return this.#document.swagger !== undefined;
  }

  #body(value: unknown): Body | undefined {
    const body = this.#fields(value);
    return isObject(body.content)
      ? { isRequired: body.required === true, content: contentOf(body.content) }
      : undefined;
  }

  #swaggerBody(operation: Fields, parameters: Fields[]): Body | undefined {
    const consumes = itemsOf(operation.consumes ?? this.#document.consumes).map(String);
    const body = parameters.find((parameter) => parameter.in === 'body');
    if (body) return { isRequired: body.required === true, content: eachOf(consumes, body.schema) };
    const form = parameters.filter((parameter) => parameter.in === 'formData');
    if (form.length === 0) return undefined;
    const required = form.filter((field) => field.required === true).map((field) => field.name);
    const properties = Object.fromEntries(form.map((field) => [field.name, field]));
    const schema = { type: 'object', properties, required };
    return { isRequired: required.length > 0, content: eachOf(consumes, schema) };
  }

  #response(operation: Fields, response: Fields): Response {
    const headers = Object.entries(fieldsOf(response.headers)).map(([name, value]): [string, unknown] => {
      const header = this.#fields(value);
      return [name.toLowerCase(), header.schema ?? (this.#isSwagger ? header : {})];
    });
    const produces = itemsOf(operation.produces ?? this.#document.produces).map(String);
    const swagger = () => (response.schema === undefined ? new Map() : eachOf(produces, response.schema));
    return {
      content: this.#isSwagger ? swagger() : contentOf(fieldsOf(response.content)),
      headers: new Map(headers),
    };
  }

  #security(value: unknown): Set<string>[] {
    const schemes = fieldsOf(this.#document.securityDefinitions ?? fieldsOf(this.#document.components).securitySchemes);
    const alternatives = itemsOf(value).map((requirement) => {
      const needs = Object.entries(fieldsOf(requirement)).flatMap(([name, scopes]) => {
        const { type, in: where, name: key, scheme } = this.#fields(schemes[name]);
        const kind = [type ?? name, where, key, scheme].filter((part) => part !== undefined).join(' ');
        return [kind, ...itemsOf(scopes).map((scope) => `${kind} with ${String(scope)}`)];
      });
      return new Set(needs);
    });
    return alternatives.length > 0 ? alternatives : [new Set()];
  }

  #fields(value: unknown): Fields {
    return fieldsOf(this.shapes.follow(value));
  }
}

function parametersOf(path: string, parameters: Fields[], isSwagger: boolean): Map<string, Parameter> {
  const names = pathParameterNames(path);
  const plain = parameters.filter(({ in: where }) => ['query', 'header', 'path', 'cookie'].includes(String(where)));
  return new Map(
    plain.map((parameter): [string, Parameter] => {
      const isInPath = parameter.in === 'path';
      const position = isInPath ? names.indexOf(String(parameter.name)) : -1;
      const name = parameter.in === 'header' ? String(parameter.name).toLowerCase() : String(parameter.name);
      return [
        `${String(parameter.in)} ${position < 0 ? name : position}`,
        {
          title: `${String(parameter.in)} parameter ${String(parameter.name)}`,
          isInPath,
          isRequired: parameter.required === true,
          style: isSwagger ? swaggerStyleOf(parameter) : styleOf(parameter),
          // In Swagger 2, it is its own schema.
          schema: parameter.schema ?? ([...contentOf(fieldsOf(parameter.content)).values()][0] || parameter),
        },
      ];
    }),
  );
}

/** With the defaults, so that it makes no difference whether they are stated. */
function styleOf({ in: where, style, explode, content }: Fields): string {
  if (isObject(content)) return Object.keys(content).join(', ');
  const name = String(style ?? (where === 'query' || where === 'cookie' ? 'form' : 'simple'));
  return (explode ?? name === 'form') ? `${name}, exploded` : name;
}

/** The style as OpenAPI 3 names it. */
function swaggerStyleOf({ in: where, collectionFormat }: Fields): string {
  if (collectionFormat === 'multi') return 'form, exploded';
  const names: Record<string, string> = { ssv: 'spaceDelimited', tsv: 'tabDelimited', pipes: 'pipeDelimited' };
  return names[String(collectionFormat)] ?? (where === 'query' ? 'form' : 'simple');
}

/** Schemas by media type without its parameters. */
function contentOf(content: Fields): Map<string, unknown> {
  const entries = Object.entries(content).map(([type, value]): [string, unknown] => [
    type.replace(/;.*/, '').trim().toLowerCase(),
    fieldsOf(value).schema ?? {},
  ]);
  return new Map(entries);
}

function eachOf(types: string[], schema: unknown): Map<string, unknown> {
  const named = types.length > 0 ? types : ['*/*'];
  return contentOf(Object.fromEntries(named.map((type) => [type, { schema }])));
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
