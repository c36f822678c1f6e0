/** How much a change matters to those who use an API. */
export type Level = 'breaking' | 'warning' | 'info';

/** Which side sends a value. In a callback or a webhook, the API sends the request. */
export type Direction = 'request' | 'response';

/** Whether a schema accepts fewer values than before, more, or both fewer and more (or cannot be compared). */
export type Effect = 'narrowed' | 'widened' | 'changed';

export interface Rule {
  level: Level;
  /** What changed, for the table in `docs/openapi-changes.md`. */
  text: string;
}

/** Rules for everything but schemas. */
const plainRules = {
  'description-removed': ['breaking', 'A whole description was removed (`openapi check`).'],
  'path-removed': ['breaking', 'A path was removed.'],
  'path-added': ['info', 'A path was added.'],
  'operation-removed': ['breaking', 'A method of a path was removed.'],
  'operation-added': ['info', 'A method of a path was added.'],
  'operation-removed-deprecated': ['warning', 'A deprecated operation without an `x-sunset` date was removed.'],
  'operation-removed-after-sunset': ['info', 'A deprecated operation was removed after its `x-sunset` date.'],
  'operation-deprecated': ['info', 'An operation is now deprecated.'],
  'operation-restored': ['info', 'An operation is no longer deprecated.'],
  'operation-id-changed': ['info', 'The `operationId` changed, which generated clients use for names.'],
  'sunset-earlier': ['breaking', 'The `x-sunset` date is earlier than before.'],
  'sunset-removed': ['warning', 'A deprecated operation or parameter no longer has an `x-sunset` date.'],
  'sunset-invalid': ['warning', 'The new value of `x-sunset` is not a date.'],
  'stability-invalid': ['warning', 'The new value of `x-stability-level` is not a known level.'],
  'stability-decreased': ['breaking', 'The `x-stability-level` is lower than before.'],
  'security-narrowed': ['breaking', 'Credentials that were sufficient no longer are.'],
  'security-widened': ['info', 'Other or fewer credentials are now also sufficient.'],
  'security-address-changed': ['warning', 'A URL of an OAuth flow or of OpenID Connect in a security scheme changed.'],
  'server-removed': ['warning', 'A server was removed.'],
  'server-added': ['info', 'A server was added.'],
  'server-variable-changed': ['warning', 'A server variable was removed, lost values, or has another default.'],
  'parameter-removed': ['breaking', 'A parameter was removed.'],
  'parameter-removed-deprecated': [
    'info',
    'A deprecated parameter was removed, after its `x-sunset` date if it has one.',
  ],
  'parameter-moved': ['breaking', 'A parameter is now sent in another place, such as a header.'],
  'parameter-added-required': ['breaking', 'A required parameter was added.'],
  'parameter-added': ['info', 'An optional parameter was added.'],
  'parameter-required': ['breaking', 'A parameter is now required.'],
  'parameter-optional': ['info', 'A parameter is no longer required.'],
  'parameter-style-changed': [
    'breaking',
    'A parameter is serialized differently: `style`, `explode`, `collectionFormat` or media type.',
  ],
  'parameter-empty-refused': ['breaking', 'A parameter no longer has `allowEmptyValue`.'],
  'parameter-repeatable': ['info', 'A parameter that had a single value may now have several.'],
  'parameter-reserved-changed': ['warning', 'The `allowReserved` of a parameter changed.'],
  'parameter-default-changed': [
    'breaking',
    'The default of a parameter changed or was removed, which changes the meaning of requests without the parameter.',
  ],
  'parameter-default-unused': [
    'warning',
    'The default of a required parameter changed. It has no effect by the specification, but some tools use it.',
  ],
  'parameter-default-added': ['warning', 'A parameter without a default now has one.'],
  'parameter-deprecated': ['info', 'A parameter is now deprecated.'],
  'parameter-restored': ['info', 'A parameter is no longer deprecated.'],
  'request-body-removed': ['breaking', 'The request body was removed.'],
  'request-body-added': ['info', 'An optional request body was added.'],
  'request-body-added-required': ['breaking', 'A required request body was added.'],
  'request-body-required': ['breaking', 'The request body is now required.'],
  'request-body-optional': ['info', 'The request body is no longer required.'],
  'request-media-type-removed': ['breaking', 'A media type of the request body was removed.'],
  'request-media-type-added': ['info', 'A media type of the request body was added.'],
  'encoding-changed': ['warning', 'The `encoding` of a form property changed: media type, style or headers.'],
  'response-status-widened': [
    'warning',
    'A response for one success status is now one for all of its class, such as `2XX` instead of `200`.',
  ],
  'response-removed': ['breaking', 'The response for a success status was removed.'],
  'response-default-removed': ['warning', 'The `default` response was removed, which also covered success.'],
  'response-error-removed': ['info', 'The response for an error status was removed.'],
  'response-added': ['info', 'A response for another status was added.'],
  'response-media-type-removed': ['breaking', 'A media type of a response was removed.'],
  'response-media-type-added': ['info', 'A media type of a response was added.'],
  'response-header-removed': ['warning', 'An optional response header was removed.'],
  'response-header-removed-required': ['breaking', 'A required response header was removed.'],
  'response-header-optional': ['breaking', 'A response header is no longer required.'],
  'response-header-required': ['info', 'A response header is now required.'],
  'response-header-added': ['info', 'A response header was added.'],
  'response-header-style-changed': ['breaking', 'A response header is serialized differently.'],
  'response-header-deprecated': ['info', 'A response header is now deprecated.'],
  'response-link-changed': ['warning', 'A link of a response leads to another operation or has other parameters.'],
  'response-link-removed': ['warning', 'A link of a response was removed.'],
  'callback-removed': ['breaking', 'A callback was removed.'],
  'callback-added': ['info', 'A callback was added.'],
  'callback-body-optional': ['breaking', 'The body that a callback or webhook sends is now optional, or was removed.'],
  'callback-body-required': ['info', 'The body that a callback or webhook sends is now always present.'],
  'callback-parameter-optional': ['breaking', 'A parameter that a callback or webhook sends is now optional.'],
  'callback-response-removed': [
    'breaking',
    'The API no longer expects a success status as the response to a callback or webhook.',
  ],
  'callback-response-header-required': [
    'breaking',
    'The API now requires a header in the response to a callback or webhook.',
  ],
  'webhook-removed': ['breaking', 'A webhook was removed.'],
  'webhook-added': ['info', 'A webhook was added.'],
  'not-compared': [
    'warning',
    'Something could not be compared, because a reference cannot be resolved or there are too many schemas.',
  ],
} as const satisfies Record<string, [Level, string]>;

export type PlainRule = keyof typeof plainRules;

interface Family extends Record<Direction, Partial<Record<Effect, Level>>> {
  what: string;
  /** What happened, if the usual texts do not express it well. */
  texts?: Partial<Record<Effect, string>>;
}

/** A narrower request and a wider response break those who use an API. */
const usual = {
  request: { narrowed: 'breaking', widened: 'info', changed: 'breaking' },
  response: { narrowed: 'info', widened: 'breaking', changed: 'breaking' },
} as const;
/** As usual, but it cannot be determined what a replaced condition accepts. */
const unclear = {
  request: { ...usual.request, changed: 'warning' },
  response: { ...usual.response, changed: 'warning' },
} as const;
/** Clients are expected to handle additional values in a response. */
const extensible = { request: usual.request, response: { ...usual.response, widened: 'warning' } } as const;
/** Does not change which values are accepted if all tools follow the specification. */
const doubtful = {
  request: { narrowed: 'warning', widened: 'info' },
  response: { narrowed: 'info', widened: 'warning' },
} as const;

/** Rules for schemas whose id consists of direction, family and effect. */
const graded = {
  type: { what: 'The type of a value', ...usual },
  null: {
    what: 'A value',
    texts: { narrowed: 'may no longer be null.', widened: 'may now be null.' },
    request: { narrowed: 'breaking', widened: 'info' },
    response: { narrowed: 'info', widened: 'breaking' },
  },
  enum: { what: 'A list of values (`enum`)', ...extensible },
  const: { what: 'A single value (`const`)', ...usual },
  limit: { what: 'A limit (such as `minimum`, `maxLength`, `maxItems`, `multipleOf` or `uniqueItems`)', ...usual },
  format: { what: 'A `format`', ...usual },
  pattern: { what: 'A `pattern`', request: unclear.request, response: { ...unclear.response, widened: 'warning' } },
  content: { what: '`contentEncoding` or `contentMediaType`', ...usual },
  'extensible-enum': {
    what: 'A list of values (`x-extensible-enum`)',
    request: usual.request,
    response: { narrowed: 'info', widened: 'info', changed: 'info' },
  },
  'other-properties': { what: 'The rule for other properties (such as `additionalProperties`)', ...extensible },
  dependency: { what: '`dependentRequired` or `dependentSchemas`', ...usual },
  'property-names': { what: '`propertyNames`', ...usual },
  contains: { what: '`contains`, `minContains` or `maxContains`', ...unclear },
  not: { what: '`not`', ...unclear },
  condition: { what: '`if`, `then` and `else`', ...unclear },
  'content-schema': { what: '`contentSchema`', ...usual },
  'one-of': { what: 'A choice of alternatives (`oneOf`)', ...usual },
  'any-of': { what: 'A choice of alternatives (`anyOf`)', ...usual },
  discriminator: { what: 'A `discriminator`', ...extensible },
  'repeated-alternative': {
    what: 'An alternative whose values another one accepts',
    texts: { narrowed: 'was removed.', widened: 'was added.' },
    ...doubtful,
  },
  'repeated-member': {
    what: 'A member of `allOf` that repeats the others',
    texts: { narrowed: 'was added.', widened: 'was removed.' },
    request: doubtful.request,
    response: { narrowed: 'info', widened: 'info' },
  },
  exclusiveness: {
    what: 'A choice of alternatives',
    texts: { narrowed: 'was `anyOf` and is now `oneOf`.', widened: 'was `oneOf` and is now `anyOf`.' },
    ...doubtful,
  },
} as const satisfies Record<string, Family>;

/**
 * Rules for schemas whose id consists of direction and family: the levels for requests and responses, and the text with
 * `{}` for the direction. A second text is that for responses.
 */
const fixed = {
  'property-required': [
    'breaking',
    'info',
    'A property is now required in requests.',
    'A property is now always present in responses.',
  ],
  'property-optional': [
    'info',
    'breaking',
    'A property is no longer required in requests.',
    'A property is no longer always present in responses.',
  ],
  'property-added': [
    'info',
    'info',
    'An optional property was added to requests.',
    'A property was added to responses.',
  ],
  'property-added-required': [
    'breaking',
    'info',
    'A required property was added to requests.',
    'A property that is always present was added to responses.',
  ],
  'property-added-to-closed': [
    'info',
    'warning',
    'A property was added to an object that allowed no other properties.',
    'A property was added to an object that had no other properties. Strict clients may reject it.',
  ],
  'property-removed': [
    'warning',
    'breaking',
    'A property was removed from requests. The object allows others, so the API may ignore it.',
    'A property was removed from responses.',
  ],
  'property-refused': ['breaking', 'breaking', 'A property was removed from {}, and no others are allowed.'],
  'property-read-only': [
    'warning',
    'info',
    'A property is now `readOnly`, so requests should not contain it.',
    'A property of responses is now `readOnly`.',
  ],
  'property-write-only': [
    'info',
    'breaking',
    'A property of requests is now `writeOnly`.',
    'A property is now `writeOnly`, so responses do not contain it.',
  ],
  'tuple-extended': ['info', 'warning', 'A position was added to `prefixItems` of {}.'],
  'tuple-shortened': ['warning', 'warning', 'A position was removed from `prefixItems` of {}.'],
  'default-changed': ['warning', 'info', 'The default of a property of {} changed or was removed.'],
  'default-added': ['info', 'info', 'A property of {} without a default now has one.'],
  'property-deprecated': ['info', 'info', 'A property of {} is now deprecated.'],
  'property-restored': ['info', 'info', 'A property of {} is no longer deprecated.'],
  'property-sunset-earlier': [
    'breaking',
    'breaking',
    'The `x-sunset` date of a property of {} is earlier than before.',
  ],
  'property-sunset-removed': ['warning', 'warning', 'A deprecated property of {} no longer has an `x-sunset` date.'],
  'property-sunset-invalid': ['warning', 'warning', 'The new `x-sunset` of a property of {} is not a date.'],
  'property-stability-decreased': [
    'breaking',
    'breaking',
    'The `x-stability-level` of a property of {} is lower than before.',
  ],
  'property-stability-invalid': [
    'warning',
    'warning',
    'The new `x-stability-level` of a property of {} is not a known level.',
  ],
  'xml-changed': ['breaking', 'breaking', '`xml` changed the names of elements or attributes of {}.'],
  'schema-not-compared': ['warning', 'warning', 'A schema of {} has too many alternatives to compare all of them.'],
} as const satisfies Record<string, [request: Level, response: Level, text: string, responseText?: string]>;

/** A rule for schemas, without direction and effect. */
export type SchemaRule = keyof typeof graded | keyof typeof fixed;

const effectTexts = {
  narrowed: 'allows fewer values than before.',
  widened: 'allows more values than before.',
  changed: 'was replaced, or allows both fewer and more values.',
} as const;
const directions = ['request', 'response'] as const;

/** Every rule, by its id. */
export const rules: ReadonlyMap<string, Rule> = new Map([
  ...Object.entries(plainRules).map(([id, [level, text]]): [string, Rule] => [id, { level, text }]),
  ...Object.entries<[Level, Level, string, string?]>(fixed).flatMap(
    ([name, [request, response, text, other = text]]) => [
      [`request-${name}`, { level: request, text: text.replace('{}', 'requests') }] as const,
      [`response-${name}`, { level: response, text: other.replace('{}', 'responses') }] as const,
    ],
  ),
  ...Object.entries<Family>(graded).flatMap(([name, family]) =>
    directions.flatMap((direction) =>
      (['narrowed', 'widened', 'changed'] as const).flatMap((effect): [string, Rule][] => {
        const level = family[direction][effect];
        const text = `${family.what} in ${direction}s ${family.texts?.[effect] ?? effectTexts[effect]}`;
        return level === undefined ? [] : [[`${direction}-${name}-${effect}`, { level, text }]];
      }),
    ),
  ),
]);

/** The id of a rule for schemas. */
export function schemaRule(name: SchemaRule, direction: Direction, effect: Effect): string {
  return Object.hasOwn(fixed, name) ? `${direction}-${name}` : `${direction}-${name}-${effect}`;
}

export const levelOf = (rule: string): Level => rules.get(rule)?.level ?? 'warning';
