import { getTypes, type NodeType } from '@redocly/openapi-core';
import type { Version } from '../identity.ts';
import { words } from '../../shared/words.ts';

type Types = Record<string, NodeType>;

/** The names of the versions in the library. */
export const libraryVersions = { '2.0': 'oas2', '3.0': 'oas3_0', '3.1': 'oas3_1', '3.2': 'oas3_2' } as const;

/** The shape of each object of a version of OpenAPI, by its name in the specification. */
export function typesOf(version: Version): Types {
  const types = getTypes(libraryVersions[version]);
  return withoutExtensions({ ...types, ...corrections[version](types) });
}

/**
 * Where the library does not follow the specification:
 * - in 2.0, it allows only integers where any number is valid, and knows neither `file` nor lists of types
 * - from 3.1 on, it allows no keywords in schemas that it does not know
 * - from 3.1 on, headers have no `allowReserved`
 * - in 3.2, media types have no description; it names a type of the scopes of a device flow that does not exist, which ends the check; it expects a map of
 *   media types if one is named in the components; and it knows neither the style `cookie` nor nested encodings
 */
const corrections: Record<Version, (types: Types) => Types> = {
  '2.0': (types) => ({
    Parameter: withNumbers(types.Parameter),
    ParameterItems: withNumbers(types.ParameterItems),
    Header: withNumbers(types.Header),
    Schema: withProperties(types.Schema, {
      type: (value: unknown) => {
        const type = { enum: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'file'] };
        return Array.isArray(value) ? { type: 'array', items: type } : type;
      },
    }),
  }),
  '3.0': () => ({}),
  '3.1': (types) => ({ Schema: withAnyKeyword(types.Schema), Header: without(types.Header, 'allowReserved') }),
  '3.2': (types) => ({
    Schema: withAnyKeyword(types.Schema),
    Header: without(types.Header, 'allowReserved'),
    Parameter: withProperties(types.Parameter, { style: { enum: parameterStyles } }),
    MediaType: withProperties(types.MediaType, { description: { type: 'string' } }),
    NamedMediaTypes: { properties: {}, additionalProperties: () => 'MediaType' },
    Encoding: withProperties(types.Encoding, {
      encoding: types.MediaType?.properties.encoding,
      prefixEncoding: types.MediaType?.properties.prefixEncoding,
      itemEncoding: 'Encoding',
    }),
    ...(types.DeviceAuthorization
      ? { DeviceAuthorization: withProperties(types.DeviceAuthorization, { scopes: { type: 'object' } }) }
      : {}),
  }),
};

const parameterStyles = words('form simple label matrix spaceDelimited pipeDelimited deepObject cookie');

const withNumbers = (type: NodeType | undefined) =>
  withProperties(type, { maximum: { type: 'number' }, minimum: { type: 'number' } });

const withAnyKeyword = (type: NodeType | undefined): NodeType => ({
  properties: {},
  ...type,
  additionalProperties: () => null,
});

function without(type: NodeType | undefined, name: string): NodeType {
  const { [name]: _, ...properties } = type?.properties ?? {};
  return { ...type, properties };
}

function withProperties(type: NodeType | undefined, properties: NodeType['properties']): NodeType {
  return { ...type, properties: { ...type?.properties, ...properties } };
}

/**
 * The library also checks the content of its own `x-` extensions; for other tools, any content is valid. Webhooks were an
 * extension before 3.1, and many descriptions have them there.
 */
function withoutExtensions(types: Types): Types {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      {
        ...type,
        properties: Object.fromEntries(
          Object.entries(type.properties).filter(([key]) => !key.startsWith('x-') || key === 'x-webhooks'),
        ),
      },
    ]),
  );
}
