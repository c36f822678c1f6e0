import { isObject } from '../../shared/is-object.ts';
import { type Direction, exampleOf } from './example.ts';
import { entriesAt, type Fields, listAt, textAt, valueText } from '../fields.ts';
import type { Operation, Reference } from './reference.ts';
import { linkOf, type SchemaNode } from './schema.ts';
import { type SecurityChoice, securityOf } from './security.ts';
import { type Server, serversOf } from './servers.ts';
import { fromSwagger } from './swagger.ts';

export const parameterPlaces = ['path', 'query', 'header', 'cookie'] as const;
type ParameterPlace = (typeof parameterPlaces)[number];

export interface Parameter {
  name: string;
  in: ParameterPlace;
  isRequired: boolean;
  isDeprecated: boolean;
  description: string | undefined;
  schema: SchemaNode;
  /** A value for samples. */
  sample: unknown;
  /** Examples outside the schema. */
  examples: string[];
  problem: string | undefined;
}

interface Example {
  title: string;
  description: string | undefined;
  /** Undefined if there is only an address. */
  value: unknown;
  address: string | undefined;
  /** Whether it was generated from the schema. */
  isGenerated: boolean;
}

export interface Content {
  type: string;
  schema: SchemaNode | undefined;
  examples: Example[];
}

export interface Body {
  description: string | undefined;
  isRequired: boolean;
  contents: Content[];
  problem: string | undefined;
}

export interface Response {
  status: string;
  description: string | undefined;
  headers: Parameter[];
  contents: Content[];
  problem: string | undefined;
}

export interface CodeSample {
  title: string;
  /** For syntax highlighting. */
  language: string;
  code: string;
}

/** A request that the service sends to an address of the caller. */
export interface Callback {
  name: string;
  /** An expression such as `{$request.body#/url}`. */
  path: string;
  method: string;
  title: string | undefined;
  description: string | undefined;
  parameters: Parameter[];
  body: Body | undefined;
  responses: Response[];
  problem: string | undefined;
}

/** Everything about an operation that readers see. */
export interface OperationView {
  description: string | undefined;
  stability: string | undefined;
  sunset: string | undefined;
  parameters: Parameter[];
  body: Body | undefined;
  responses: Response[];
  callbacks: Callback[];
  security: SecurityChoice[];
  servers: Server[];
  link: { href: string; title: string } | undefined;
  /** The samples in the description. */
  samples: CodeSample[];
  canBeTried: boolean;
}

export function readOperation(reference: Reference, operation: Operation): OperationView {
  const { item } = operation;
  const shared = listAt(item, 'parameters');
  const node = reference.isSwagger ? fromSwagger(reference, operation.node, shared) : operation.node;
  const parameters = reference.isSwagger ? listAt(node, 'parameters') : [...shared, ...listAt(node, 'parameters')];
  return {
    description: textAt(node, 'description') ?? textAt(item, 'description'),
    stability: textAt(node, 'x-stability'),
    sunset: textAt(node, 'x-deprecated-sunset') ?? textAt(node, 'x-sunset'),
    parameters: lastOfEach(parameters.flatMap((value) => parameterOf(reference, value))),
    body: bodyOf(reference, node.requestBody),
    responses: responsesOf(reference, node),
    callbacks: callbacksOf(reference, node),
    security: operation.kind === 'webhook' ? [] : securityOf(reference, node),
    servers: operation.kind === 'webhook' ? [] : serversOf(reference, node, item),
    link: linkOf(node),
    samples: samplesOf(node),
    canBeTried: operation.kind === 'operation' && node['x-hideTryItPanel'] !== true,
  };
}

/** Parameters of an operation replace those of its path. */
function lastOfEach(parameters: readonly Parameter[]): Parameter[] {
  return [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

function parameterOf(reference: Reference, value: unknown): Parameter[] {
  const { node, problem } = reference.resolve(value);
  if (!node) {
    const name = isObject(value) && typeof value.$ref === 'string' ? value.$ref : 'parameter';
    return [{ ...emptyParameter(name), problem: problem ?? 'This is not a parameter.' }];
  }
  const place = parameterPlaces.find((each) => each === node.in);
  // In OpenAPI 3.2, the whole query can be one value.
  if (place === undefined && node.in !== 'querystring') return [];
  return [parameterIn(reference, textAt(node, 'name') ?? '', place ?? 'query', node)];
}

const emptyParameter = (name: string): Parameter => ({
  name,
  in: 'query',
  isRequired: false,
  isDeprecated: false,
  description: undefined,
  schema: undefined,
  sample: undefined,
  examples: [],
  problem: undefined,
});

function parameterIn(reference: Reference, name: string, place: ParameterPlace, node: Fields): Parameter {
  const [content] = contentsOf(reference, node, 'request');
  const schema = node.schema ?? content?.schema;
  const examples = examplesIn(reference, node).filter(({ value }) => value !== undefined);
  return {
    ...emptyParameter(name),
    in: place,
    isRequired: node.required === true || place === 'path',
    isDeprecated: node.deprecated === true,
    description: textAt(node, 'description'),
    schema,
    sample: examples[0]?.value ?? (schema === undefined ? undefined : exampleOf(reference, schema, 'request')),
    examples: examples.map(({ value }) => valueText(value)),
  };
}

const responsesOf = (reference: Reference, node: Fields): Response[] =>
  entriesAt(node, 'responses')
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, value]) => responseOf(reference, status, value));

/** @param direction `response` for a body that the service sends */
function bodyOf(reference: Reference, value: unknown, direction: Direction = 'request'): Body | undefined {
  if (value === undefined) return undefined;
  const { node, problem } = reference.resolve(value);
  return {
    description: node && textAt(node, 'description'),
    isRequired: node?.required === true,
    contents: node ? contentsOf(reference, node, direction) : [],
    problem,
  };
}

function responseOf(reference: Reference, status: string, value: unknown): Response {
  const { node, problem } = reference.resolve(value);
  const headers = entriesAt(node ?? {}, 'headers').map(([name, header]): Parameter => {
    const resolved = reference.resolve(header);
    if (!resolved.node) return { ...emptyParameter(name), problem: resolved.problem };
    return { ...parameterIn(reference, name, 'header', resolved.node), isRequired: resolved.node.required === true };
  });
  return {
    status,
    description: (node && (textAt(node, 'description') ?? textAt(node, 'summary'))) ?? undefined,
    headers,
    contents: node ? contentsOf(reference, node, 'response') : [],
    problem,
  };
}

function contentsOf(reference: Reference, node: Fields, direction: Direction): Content[] {
  return entriesAt(node, 'content').map(([type, value]) => {
    const media = reference.resolve(value).node ?? {};
    const schema = media.schema ?? media.itemSchema;
    const examples = examplesIn(reference, media);
    if (examples.length > 0 || schema === undefined) return { type, schema, examples };
    return { type, schema, examples: [exampleWith(exampleOf(reference, schema, direction), true)] };
  });
}

const exampleWith = (value: unknown, isGenerated: boolean): Example => ({
  title: 'Example',
  description: undefined,
  value,
  address: undefined,
  isGenerated,
});

/** The examples in the description of a parameter or content. */
function examplesIn(reference: Reference, node: Fields): Example[] {
  const single = Object.hasOwn(node, 'example') ? [exampleWith(node.example, false)] : [];
  const named = entriesAt(node, 'examples').map(([name, value]): Example => {
    const { node: example } = reference.resolve(value);
    return {
      title: (example && textAt(example, 'summary')) ?? name,
      description: example && textAt(example, 'description'),
      value: example?.value ?? example?.dataValue ?? example?.serializedValue,
      address: example && textAt(example, 'externalValue'),
      isGenerated: false,
    };
  });
  return [...single, ...named.filter(({ value, address }) => value !== undefined || address !== undefined)];
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);

function callbacksOf(reference: Reference, node: Fields): Callback[] {
  return entriesAt(node, 'callbacks').flatMap(([name, value]) =>
    Object.entries(reference.resolve(value).node ?? {}).flatMap(([path, item]) => {
      const { node: resolved = {}, problem } = reference.resolve(item);
      const sent = Object.entries(resolved).filter(
        (entry): entry is [string, Fields] => methods.has(entry[0]) && isObject(entry[1]),
      );
      return sent.map(([method, operation]): Callback => ({
        name,
        path,
        method,
        title: textAt(operation, 'summary') ?? textAt(resolved, 'summary'),
        description: textAt(operation, 'description') ?? textAt(resolved, 'description'),
        parameters: lastOfEach(
          [...listAt(resolved, 'parameters'), ...listAt(operation, 'parameters')].flatMap((parameter) =>
            parameterOf(reference, parameter),
          ),
        ),
        body: bodyOf(reference, operation['requestBody'], 'response'),
        responses: responsesOf(reference, operation),
        problem,
      }));
    }),
  );
}

/** `x-codeSamples` and its older names. */
function samplesOf(node: Fields): CodeSample[] {
  const keys = ['x-codeSamples', 'x-code-samples', 'x-custom-examples'];
  const samples = keys.flatMap((key) => listAt(node, key)).filter(isObject);
  return samples.flatMap((sample) => {
    const language = textAt(sample, 'lang') ?? '';
    const code = textAt(sample, 'source') ?? textAt(sample, 'code');
    if (code === undefined) return [];
    return [{ title: textAt(sample, 'label') ?? (language || 'Code'), language: highlighterOf(language), code }];
  });
}

const highlighters: Record<string, string> = {
  shell: 'bash',
  curl: 'bash',
  'c#': 'csharp',
  'c++': 'cpp',
  node: 'javascript',
  'node.js': 'javascript',
  'objective-c': 'objectivec',
  golang: 'go',
};
const highlighterOf = (language: string): string => highlighters[language.toLowerCase()] ?? language.toLowerCase();
