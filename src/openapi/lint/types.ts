import { Oas2Types, Oas3_1Types, Oas3_2Types, Oas3Types } from '@redocly/openapi-core';
import type { NodeType } from '@redocly/openapi-core';
import type { Version } from '../identity.ts';

type Types = Record<string, NodeType>;

/** The shape of each object of a version of OpenAPI, by its name in the specification. */
export function typesOf(version: Version): Types {
  const types = { '2.0': { ...Oas2Types, ...corrections }, '3.0': Oas3Types, '3.1': Oas3_1Types, '3.2': Oas3_2Types };
  return withoutExtensions(types[version]);
}

/**
 * The library allows only integers where any number is valid, and knows neither `file` nor lists of types; the 2.0
 * schema allows all three.
 */
const corrections: Types = {
  Parameter: withNumbers(Oas2Types.Parameter),
  ParameterItems: withNumbers(Oas2Types.ParameterItems),
  Header: withNumbers(Oas2Types.Header),
  Schema: withProperties(Oas2Types.Schema, {
    type: (value: unknown) => {
      const type = { enum: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'file'] };
      return Array.isArray(value) ? { type: 'array', items: type } : type;
    },
  }),
};

function withNumbers(type: NodeType): NodeType {
  return withProperties(type, { maximum: { type: 'number' }, minimum: { type: 'number' } });
}

function withProperties(type: NodeType, properties: NodeType['properties']): NodeType {
  return { ...type, properties: { ...type.properties, ...properties } };
}

/** The library also checks the content of its own `x-` extensions; for everybody else any content is valid. */
function withoutExtensions(types: Types): Types {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      {
        ...type,
        properties: Object.fromEntries(Object.entries(type.properties).filter(([key]) => !key.startsWith('x-'))),
      },
    ]),
  );
}
