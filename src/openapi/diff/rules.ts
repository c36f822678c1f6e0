/** How much a change matters to those who use an API. */
export type Level = 'breaking' | 'warning' | 'info';

/** Which side sends a value. In a callback or a webhook, the API sends the request. */
export type Direction = 'request' | 'response';

/** Whether a schema accepts fewer values than before, more, or both fewer and more (or it is not known). */
export type Effect = 'narrowed' | 'widened' | 'changed';

export interface Rule {
  level: Level;
  /** What changed, for the table in `docs/openapi-changes.md`. */
  text: string;
}

/** Rules for everything but schemas. */
const plainRules = {
  'path-removed': { level: 'breaking', text: 'A path was removed.' },
  'path-added': { level: 'info', text: 'A path was added.' },
  'operation-removed': { level: 'breaking', text: 'A method of a path was removed.' },
  'operation-added': { level: 'info', text: 'A method of a path was added.' },
  'operation-removed-deprecated': {
    level: 'warning',
    text: 'An operation was removed that was marked as deprecated, without a date in `x-sunset`.',
  },
  'operation-removed-after-sunset': {
    level: 'info',
    text: 'A deprecated operation was removed after the date of its `x-sunset`.',
  },
  'operation-deprecated': { level: 'info', text: 'An operation is now deprecated.' },
  'operation-restored': { level: 'info', text: 'An operation is no longer deprecated.' },
  'operation-id-changed': {
    level: 'info',
    text: 'The `operationId` changed, from which generated clients take names.',
  },
  'sunset-earlier': { level: 'breaking', text: 'The date of `x-sunset` is earlier than before.' },
  'sunset-removed': { level: 'warning', text: 'A deprecated operation or parameter has no `x-sunset` any more.' },
  'sunset-invalid': { level: 'warning', text: 'The new value of `x-sunset` is not a date.' },
  'stability-invalid': { level: 'warning', text: 'The new value of `x-stability-level` is no known level.' },
  'stability-decreased': { level: 'breaking', text: 'The `x-stability-level` is lower than before.' },
  'security-narrowed': { level: 'breaking', text: 'Credentials that were sufficient no longer are.' },
  'security-widened': { level: 'info', text: 'Other or fewer credentials are now sufficient, too.' },
  'security-address-changed': {
    level: 'warning',
    text: 'An address of an OAuth flow or of OpenID Connect in a security scheme changed.',
  },
  'server-removed': { level: 'warning', text: 'A server was removed.' },
  'server-added': { level: 'info', text: 'A server was added.' },
  'server-variable-changed': {
    level: 'warning',
    text: 'A variable of a server has another default or fewer values, or was removed.',
  },
  'parameter-removed': { level: 'breaking', text: 'A parameter was removed.' },
  'parameter-removed-deprecated': {
    level: 'info',
    text: 'A deprecated parameter was removed, after the date of its `x-sunset` where it has one.',
  },
  'parameter-moved': { level: 'breaking', text: 'A parameter is now sent in another place, such as a header.' },
  'parameter-added-required': { level: 'breaking', text: 'A required parameter was added.' },
  'parameter-added': { level: 'info', text: 'An optional parameter was added.' },
  'parameter-required': { level: 'breaking', text: 'A parameter is now required.' },
  'parameter-optional': { level: 'info', text: 'A parameter is no longer required.' },
  'parameter-style-changed': {
    level: 'breaking',
    text: 'A parameter is written in another way: `style`, `explode`, `collectionFormat` or media type.',
  },
  'parameter-empty-refused': { level: 'breaking', text: 'A parameter no longer has `allowEmptyValue`.' },
  'parameter-reserved-changed': { level: 'warning', text: '`allowReserved` of a parameter changed.' },
  'parameter-default-changed': {
    level: 'breaking',
    text: 'The default of a parameter changed or was removed, so that requests without it mean something else.',
  },
  'parameter-default-unused': {
    level: 'warning',
    text: 'The default of a required parameter changed: it has no effect by the specification, but some clients and servers use it.',
  },
  'parameter-default-added': { level: 'warning', text: 'A parameter without default now has one.' },
  'parameter-deprecated': { level: 'info', text: 'A parameter is now deprecated.' },
  'parameter-restored': { level: 'info', text: 'A parameter is no longer deprecated.' },
  'request-body-removed': { level: 'breaking', text: 'The request body was removed.' },
  'request-body-added': { level: 'info', text: 'An optional request body was added.' },
  'request-body-added-required': { level: 'breaking', text: 'A required request body was added.' },
  'request-body-required': { level: 'breaking', text: 'The request body is now required.' },
  'request-body-optional': { level: 'info', text: 'The request body is no longer required.' },
  'request-media-type-removed': { level: 'breaking', text: 'A media type of the request body was removed.' },
  'request-media-type-added': { level: 'info', text: 'A media type of the request body was added.' },
  'encoding-changed': {
    level: 'warning',
    text: 'The `encoding` of a property of a form changed: media type, style or headers.',
  },
  'response-removed': { level: 'breaking', text: 'The response for a status of success was removed.' },
  'response-default-removed': {
    level: 'warning',
    text: 'The `default` response was removed where it stood for success, too.',
  },
  'response-error-removed': { level: 'info', text: 'The response for a status of failure was removed.' },
  'response-added': { level: 'info', text: 'A response for another status was added.' },
  'response-media-type-removed': { level: 'breaking', text: 'A media type of a response was removed.' },
  'response-media-type-added': { level: 'info', text: 'A media type of a response was added.' },
  'response-header-removed': { level: 'warning', text: 'An optional header of a response was removed.' },
  'response-header-removed-required': { level: 'breaking', text: 'A required header of a response was removed.' },
  'response-header-optional': { level: 'breaking', text: 'A header of a response is no longer required.' },
  'response-header-required': { level: 'info', text: 'A header of a response is now required.' },
  'response-header-added': { level: 'info', text: 'A header of a response was added.' },
  'response-header-style-changed': { level: 'breaking', text: 'A header of a response is written in another way.' },
  'response-header-deprecated': { level: 'info', text: 'A header of a response is now deprecated.' },
  'response-link-changed': {
    level: 'warning',
    text: 'A link of a response leads to another operation or has other parameters.',
  },
  'response-link-removed': { level: 'warning', text: 'A link of a response was removed.' },
  'callback-removed': { level: 'breaking', text: 'A callback was removed.' },
  'callback-added': { level: 'info', text: 'A callback was added.' },
  'callback-body-optional': {
    level: 'breaking',
    text: 'The body that a callback or webhook sends is no longer always there, or was removed.',
  },
  'callback-body-required': { level: 'info', text: 'The body that a callback or webhook sends is now always there.' },
  'callback-parameter-optional': {
    level: 'breaking',
    text: 'A parameter that a callback or webhook sends is no longer always there.',
  },
  'callback-response-removed': {
    level: 'breaking',
    text: 'The API no longer expects a status of success as the response to a callback or webhook.',
  },
  'callback-response-header-required': {
    level: 'breaking',
    text: 'The API now requires a header in the response to a callback or webhook.',
  },
  'webhook-removed': { level: 'breaking', text: 'A webhook was removed.' },
  'webhook-added': { level: 'info', text: 'A webhook was added.' },
  'not-compared': {
    level: 'warning',
    text: 'Something could not be compared: a reference leads nowhere, or there are too many schemas.',
  },
} as const satisfies Record<string, Rule>;

export type PlainRule = keyof typeof plainRules;

type Levels = Partial<Record<Effect, Level>>;

interface Family extends Record<Direction, Levels> {
  what: string;
  /** What happened to it, where the usual texts do not say it well. */
  texts?: Partial<Record<Effect, string>>;
}

/** A narrower request and a wider response break those who use an API. */
const usual = {
  request: { narrowed: 'breaking', widened: 'info', changed: 'breaking' },
  response: { narrowed: 'info', widened: 'breaking', changed: 'breaking' },
} as const;
/** As usual, but nobody can tell what a replaced condition accepts. */
const unclear = {
  request: { narrowed: 'breaking', widened: 'info', changed: 'warning' },
  response: { narrowed: 'info', widened: 'breaking', changed: 'warning' },
} as const;
/** Clients are expected to cope with more values in a response. */
const extensible = {
  request: { narrowed: 'breaking', widened: 'info', changed: 'breaking' },
  response: { narrowed: 'info', widened: 'warning', changed: 'breaking' },
} as const;

/** Rules for schemas: the id of one is made of direction, family and effect. */
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
  limit: {
    what: 'A limit (`minimum`, `maxLength`, `maxItems`, `multipleOf`, `uniqueItems` and the like)',
    ...usual,
  },
  format: { what: 'A `format`', ...usual },
  pattern: {
    what: 'A `pattern`',
    request: unclear.request,
    response: { narrowed: 'info', widened: 'warning', changed: 'warning' },
  },
  content: { what: '`contentEncoding` or `contentMediaType`', ...usual },
  'extensible-enum': {
    what: 'A list of values (`x-extensible-enum`)',
    request: { narrowed: 'breaking', widened: 'info', changed: 'breaking' },
    response: { narrowed: 'info', widened: 'info', changed: 'info' },
  },
  'other-properties': { what: 'What is said of other properties (`additionalProperties` and the like)', ...extensible },
  dependency: { what: '`dependentRequired` or `dependentSchemas`', ...usual },
  'property-names': { what: '`propertyNames`', ...usual },
  contains: { what: '`contains`, `minContains` or `maxContains`', ...unclear },
  not: { what: '`not`', ...unclear },
  condition: { what: '`if`, `then` and `else`', ...unclear },
  'content-schema': { what: '`contentSchema`', ...usual },
  'one-of': { what: 'A choice of alternatives (`oneOf`)', ...usual },
  'any-of': { what: 'A choice of alternatives (`anyOf`)', ...usual },
  discriminator: {
    what: 'A `discriminator`',
    ...extensible,
  },
  'repeated-alternative': {
    what: 'An alternative of which another accepts the same values',
    texts: { narrowed: 'was removed.', widened: 'was added.' },
    request: { narrowed: 'warning', widened: 'info' },
    response: { narrowed: 'info', widened: 'warning' },
  },
  'repeated-member': {
    what: 'A member of `allOf` that says what the others say',
    texts: { narrowed: 'was added.', widened: 'was removed.' },
    request: { narrowed: 'warning', widened: 'info' },
    response: { narrowed: 'info', widened: 'info' },
  },
  exclusiveness: {
    what: 'A choice of alternatives',
    texts: { narrowed: 'was `anyOf` and is now `oneOf`.', widened: 'was `oneOf` and is now `anyOf`.' },
    request: { narrowed: 'warning', widened: 'info' },
    response: { narrowed: 'info', widened: 'warning' },
  },
} as const satisfies Record<string, Family>;

/** Rules for schemas that have one id and level for each direction. */
const fixed = {
  'property-required': {
    request: { level: 'breaking', text: 'A property is now required in requests.' },
    response: { level: 'info', text: 'A property is now always in responses.' },
  },
  'property-optional': {
    request: { level: 'info', text: 'A property is no longer required in requests.' },
    response: { level: 'breaking', text: 'A property is no longer always in responses.' },
  },
  'property-added': {
    request: { level: 'info', text: 'An optional property was added to requests.' },
    response: { level: 'info', text: 'A property was added to responses.' },
  },
  'property-added-required': {
    request: { level: 'breaking', text: 'A required property was added to requests.' },
    response: { level: 'info', text: 'A property that is always there was added to responses.' },
  },
  'property-added-to-closed': {
    request: { level: 'info', text: 'A property was added to an object that had no other properties.' },
    response: {
      level: 'warning',
      text: 'A property was added to an object that had no other properties, as strict clients notice.',
    },
  },
  'property-removed': {
    request: {
      level: 'warning',
      text: 'A property was removed from requests; the object allows others, so it may be ignored.',
    },
    response: { level: 'breaking', text: 'A property was removed from responses.' },
  },
  'property-refused': {
    request: { level: 'breaking', text: 'A property was removed from requests, and no others are allowed.' },
    response: { level: 'breaking', text: 'A property was removed from responses, and no others are allowed.' },
  },
  'property-read-only': {
    request: { level: 'warning', text: 'A property is now `readOnly`, so that requests should not have it.' },
    response: { level: 'info', text: 'A property of responses is now `readOnly`.' },
  },
  'property-write-only': {
    request: { level: 'info', text: 'A property of requests is now `writeOnly`.' },
    response: { level: 'breaking', text: 'A property is now `writeOnly`, so that responses do not have it.' },
  },
  'tuple-extended': {
    request: { level: 'info', text: 'A position was added to `prefixItems` of requests.' },
    response: { level: 'warning', text: 'A position was added to `prefixItems` of responses.' },
  },
  'tuple-shortened': {
    request: { level: 'warning', text: 'A position was removed from `prefixItems` of requests.' },
    response: { level: 'warning', text: 'A position was removed from `prefixItems` of responses.' },
  },
  'default-changed': {
    request: { level: 'warning', text: 'The default of a property of requests changed or was removed.' },
    response: { level: 'info', text: 'The default of a property of responses changed or was removed.' },
  },
  'default-added': {
    request: { level: 'info', text: 'A property of requests without default now has one.' },
    response: { level: 'info', text: 'A property of responses without default now has one.' },
  },
  'property-deprecated': {
    request: { level: 'info', text: 'A property of requests is now deprecated.' },
    response: { level: 'info', text: 'A property of responses is now deprecated.' },
  },
  'property-restored': {
    request: { level: 'info', text: 'A property of requests is no longer deprecated.' },
    response: { level: 'info', text: 'A property of responses is no longer deprecated.' },
  },
  'property-sunset-earlier': {
    request: { level: 'breaking', text: 'The date of `x-sunset` of a property of requests is earlier than before.' },
    response: { level: 'breaking', text: 'The date of `x-sunset` of a property of responses is earlier than before.' },
  },
  'property-sunset-removed': {
    request: { level: 'warning', text: 'A deprecated property of requests has no `x-sunset` any more.' },
    response: { level: 'warning', text: 'A deprecated property of responses has no `x-sunset` any more.' },
  },
  'property-sunset-invalid': {
    request: { level: 'warning', text: 'The new value of `x-sunset` of a property of requests is not a date.' },
    response: { level: 'warning', text: 'The new value of `x-sunset` of a property of responses is not a date.' },
  },
  'property-stability-decreased': {
    request: { level: 'breaking', text: 'The `x-stability-level` of a property of requests is lower than before.' },
    response: { level: 'breaking', text: 'The `x-stability-level` of a property of responses is lower than before.' },
  },
  'property-stability-invalid': {
    request: { level: 'warning', text: 'The new `x-stability-level` of a property of requests is no known level.' },
    response: { level: 'warning', text: 'The new `x-stability-level` of a property of responses is no known level.' },
  },
  'xml-changed': {
    request: { level: 'breaking', text: '`xml` changed the names of elements or attributes of requests.' },
    response: { level: 'breaking', text: '`xml` changed the names of elements or attributes of responses.' },
  },
  'schema-not-compared': {
    request: { level: 'warning', text: 'A schema of requests has too many alternatives to compare all of them.' },
    response: { level: 'warning', text: 'A schema of responses has too many alternatives to compare all of them.' },
  },
} as const satisfies Record<string, Record<Direction, Rule>>;

export type GradedFamily = keyof typeof graded;
export type FixedFamily = keyof typeof fixed;

const effectTexts = {
  narrowed: 'allows less than before.',
  widened: 'allows more than before.',
  changed: 'was replaced, or allows both less and more.',
} as const;
const directions: Direction[] = ['request', 'response'];

/** Every rule, by its id. */
export const rules: ReadonlyMap<string, Rule> = new Map([
  ...Object.entries<Rule>(plainRules),
  ...Object.entries<Record<Direction, Rule>>(fixed).flatMap(([name, byDirection]) =>
    directions.map((direction): [string, Rule] => [`${direction}-${name}`, byDirection[direction]]),
  ),
  ...Object.entries<Family>(graded).flatMap(([name, family]) =>
    directions.flatMap((direction) =>
      (['narrowed', 'widened', 'changed'] as const).flatMap((effect): [string, Rule][] => {
        const level = family[direction][effect];
        const text = `${family.what} in ${direction}s ${family.texts?.[effect] ?? effectTexts[effect]}`;
        return level === undefined ? [] : [[gradedRule(name, direction, effect), { level, text }]];
      }),
    ),
  ),
]);

export function gradedRule(family: string, direction: Direction, effect: Effect): string {
  return `${direction}-${family}-${effect}`;
}

export function fixedRule(family: FixedFamily, direction: Direction): string {
  return `${direction}-${family}`;
}

export function levelOf(rule: string): Level {
  return rules.get(rule)?.level ?? 'warning';
}
