import { isObject } from '../../shared/is-object.ts';
import { entriesAt, listAt, type Fields, objectAt, textAt, textsAt } from '../fields.ts';
import type { Reference } from './reference.ts';

/** Fields of a Swagger 2 parameter that are part of the schema in OpenAPI 3. */
const schemaFields = [
  'type', 'format', 'items', 'default', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength',
  'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'enum', 'multipleOf', 'x-nullable',
  'x-enumDescriptions',
]; // prettier-ignore

/** Converts a Swagger 2 operation to OpenAPI 3, as far as a reference shows it. */
export function fromSwagger(reference: Reference, operation: Fields, shared: readonly unknown[]): Fields {
  const parameters = [...shared, ...listAt(operation, 'parameters')].map(
    (value) => reference.resolve(value).node ?? {},
  );
  const body = parameters.find((parameter) => parameter.in === 'body');
  const fields = parameters.filter((parameter) => parameter.in === 'formData');
  const { document } = reference;
  const consumes = typesAt(operation, 'consumes') ?? typesAt(document, 'consumes') ?? ['application/json'];
  const produces = typesAt(operation, 'produces') ?? typesAt(document, 'produces') ?? ['application/json'];
  return {
    ...operation,
    parameters: parameters
      .filter((parameter) => parameter.in !== 'body' && parameter.in !== 'formData')
      .map((parameter) => ({ ...parameter, schema: schemaOf(parameter) })),
    ...(body && { requestBody: { ...body, content: contentOf(consumes, body.schema) } }),
    ...(fields.length > 0 && { requestBody: formOf(fields, consumes) }),
    responses: Object.fromEntries(
      entriesAt(operation, 'responses').map(([status, value]) => [status, responseOf(reference, value, produces)]),
    ),
  };
}

function typesAt(node: Fields, key: string): string[] | undefined {
  const types = textsAt(node, key);
  return types.length > 0 ? types : undefined;
}

const schemaOf = (node: Fields): Fields =>
  Object.fromEntries(schemaFields.filter((key) => Object.hasOwn(node, key)).map((key) => [key, node[key]]));

const contentOf = (types: readonly string[], schema: unknown, examples: Fields = {}): Fields =>
  Object.fromEntries(
    types.map((type) => [type, { schema, ...(Object.hasOwn(examples, type) && { example: examples[type] }) }]),
  );

function formOf(fields: readonly Fields[], consumes: readonly string[]): Fields {
  const hasFile = fields.some((field) => field.type === 'file');
  const forms = consumes.filter((type) => /form/i.test(type));
  const types = forms.length > 0 ? forms : [hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
  const properties = fields.map((field): [string, Fields] => {
    const schema = field.type === 'file' ? { type: 'string', format: 'binary' } : schemaOf(field);
    return [String(field.name), { ...schema, ...(textAt(field, 'description') && { description: field.description }) }];
  });
  const required = fields.filter((field) => field.required === true).map((field) => String(field.name));
  return {
    required: required.length > 0,
    content: contentOf(types, { type: 'object', properties: Object.fromEntries(properties), required }),
  };
}

function responseOf(reference: Reference, value: unknown, produces: readonly string[]): unknown {
  const { node } = reference.resolve(value);
  if (!node) return value;
  const { schema } = node;
  const isFile = isObject(schema) && schema.type === 'file';
  const shown = isFile ? { type: 'string', format: 'binary' } : schema;
  return {
    ...node,
    ...(schema !== undefined && { content: contentOf(produces, shown, objectAt(node, 'examples')) }),
    headers: Object.fromEntries(
      entriesAt(node, 'headers').map(([name, header]) => [
        name,
        isObject(header) ? { ...header, schema: schemaOf(header) } : header,
      ]),
    ),
  };
}
