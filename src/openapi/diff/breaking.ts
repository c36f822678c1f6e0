import { Narrowings, type Budget, type Direction, type Narrowing } from './narrowing.ts';
import { pathShape } from '../paths.ts';
import { Operations, type Body, type Operation, type Parameter, type Response } from './operations.ts';
import type { Shapes } from './shapes.ts';

export interface Change {
  path: string;
  /** In lower case; undefined where the whole path is meant. */
  method?: string;
  /** For example `query parameter limit`, `request body /owner/name`, `response 200 /items/id`. */
  location: string;
  rule: ChangeRule;
  message: string;
}

export type ChangeRule =
  | 'path-removed'
  | 'method-removed'
  | 'security-changed'
  | 'parameter-added-required'
  | 'parameter-required'
  | 'parameter-style-changed'
  | 'request-body-removed'
  | 'request-body-required'
  | 'request-media-type-removed'
  | 'property-removed'
  | 'property-required'
  | 'type-narrowed'
  | 'enum-value-removed'
  | 'constraint-tightened'
  | 'response-removed'
  | 'response-media-type-removed'
  | 'response-header-removed'
  | 'response-property-removed'
  | 'response-property-optional'
  | 'response-type-changed'
  | 'response-enum-value-added'
  | 'response-constraint-loosened';

/**
 * What may break the users of an API: what it accepted before and does not accept now, and what it returns now and did
 * not return before. Both documents contain everything that they refer to, as `readDescription` returns them, and may be
 * of different versions. Names of parameters in a path, servers, webhooks and callbacks are not compared.
 */
export function breakingChanges(before: unknown, after: unknown): Change[] {
  const [oldOperations, newOperations] = [new Operations(before), new Operations(after)];
  const budget = { pairs: maxPairs, trialPairs: maxPairs / 10 };
  const newPaths = newOperations.read();
  const pathOfShape = new Map([...newPaths.keys()].map((path) => [pathShape(path), path]));
  return [...oldOperations.read()].flatMap(([path, methods]): Change[] => {
    const newMethods = newPaths.get(path) ?? newPaths.get(pathOfShape.get(pathShape(path)) ?? '');
    if (!newMethods) return [{ path, location: 'path', rule: 'path-removed', message: 'was removed' }];
    return [...methods].flatMap(([method, operation]) => {
      const newOperation = newMethods.get(method);
      const changes = newOperation
        ? new OperationChanges(oldOperations.shapes, newOperations.shapes, budget).find(operation, newOperation)
        : [methodRemoved];
      // Alternatives that change in the same way are listed once.
      const unique = new Map<string, Change>();
      for (const change of changes) {
        const whole = { path, method, ...change };
        unique.set(formatChange(whole), whole);
      }
      return [...unique.values()];
    });
  });
}

/** `GET /pets: query parameter limit: is now required (parameter-required)` */
export function formatChange({ path, method, location, rule, message }: Change): string {
  return `${method ? `${method.toUpperCase()} ` : ''}${path}: ${location}: ${message} (${rule})`;
}

/** GitHub's description needs a quarter of this. */
const maxPairs = 500_000;

type OperationChange = Omit<Change, 'path' | 'method'>;

const methodRemoved: OperationChange = { location: 'operation', rule: 'method-removed', message: 'was removed' };

class OperationChanges {
  readonly #before: Shapes;
  readonly #request: Narrowings;
  readonly #response: Narrowings;

  constructor(before: Shapes, after: Shapes, budget: Budget) {
    this.#before = before;
    // What was a valid request must still be accepted, and every response now must have been possible before.
    this.#request = new Narrowings(before, after, 'request', budget);
    this.#response = new Narrowings(after, before, 'response', budget);
  }

  find(before: Operation, after: Operation): OperationChange[] {
    return [
      ...compareSecurity(before.security, after.security),
      ...this.#compareParameters(before.parameters, after.parameters),
      ...this.#compareBodies(before.body, after.body),
      ...this.#compareResponses(before.responses, after.responses),
    ];
  }

  #compareParameters(before: Map<string, Parameter>, after: Map<string, Parameter>): OperationChange[] {
    return [...after].flatMap(([key, parameter]): OperationChange[] => {
      const { title: location, isRequired } = parameter;
      const old = before.get(key);
      if (!old) {
        if (!isRequired || parameter.isInPath) return [];
        return [{ location, rule: 'parameter-added-required', message: 'is new and required' }];
      }
      const changes = this.#compareSchemas('request', location, old.schema, parameter.schema);
      if (isRequired && !old.isRequired) {
        changes.unshift({ location, rule: 'parameter-required', message: 'is now required' });
      }
      if (old.style !== parameter.style && this.#isStyled(old.schema)) {
        const message = `is now written as ${parameter.style}, was ${old.style}`;
        changes.push({ location, rule: 'parameter-style-changed', message });
      }
      return changes;
    });
  }

  /** Whether the style matters: a single value looks the same in all usual styles. */
  #isStyled(schema: unknown): boolean {
    const { options } = this.#before.choiceOf(schema);
    return options.some(({ shape }) => shape.types?.has('array') || shape.types?.has('object'));
  }

  #compareBodies(before: Body | undefined, after: Body | undefined): OperationChange[] {
    const location = 'request body';
    const required: OperationChange[] =
      after?.isRequired && !before?.isRequired
        ? [{ location, rule: 'request-body-required', message: 'is now required' }]
        : [];
    if (!before) return required;
    if (!after) return [{ location, rule: 'request-body-removed', message: 'is no longer accepted' }];
    return [
      ...required,
      ...this.#compareContent('request', location, before.content, after.content, 'request-media-type-removed'),
    ];
  }

  #compareResponses(before: Map<string, Response>, after: Map<string, Response>): OperationChange[] {
    return [...before].flatMap(([status, response]): OperationChange[] => {
      const location = `response ${status.toLowerCase() === 'default' ? 'default' : status}`;
      const others = matchingResponses(status, after);
      if (others.length === 0) {
        const message = 'was removed';
        return isExpected(status, before) ? [{ location, rule: 'response-removed', message }] : [];
      }
      return others.flatMap((other) => this.#compareResponse(location, response, other));
    });
  }

  #compareResponse(location: string, before: Response, after: Response): OperationChange[] {
    const headers = [...before.headers].flatMap(([name, schema]): OperationChange[] => {
      const place = `${location} header ${name}`;
      if (after.headers.has(name)) return this.#compareSchemas('response', place, schema, after.headers.get(name));
      return [{ location: place, rule: 'response-header-removed', message: 'was removed' }];
    });
    const rule = 'response-media-type-removed';
    return [...headers, ...this.#compareContent('response', location, before.content, after.content, rule)];
  }

  #compareContent(
    direction: Direction,
    location: string,
    before: Map<string, unknown>,
    after: Map<string, unknown>,
    removed: ChangeRule,
  ): OperationChange[] {
    return [...before].flatMap(([type, schema]): OperationChange[] => {
      const match = matchingType(type, after);
      if (match === undefined) {
        const message = `${type} is no longer ${direction === 'request' ? 'accepted' : 'returned'}`;
        return [{ location, rule: removed, message }];
      }
      const place = before.size > 1 ? `${location} (${type})` : location;
      return this.#compareSchemas(direction, place, schema, after.get(match));
    });
  }

  #compareSchemas(direction: Direction, location: string, before: unknown, after: unknown): OperationChange[] {
    const narrowings = direction === 'request' ? this.#request.find(before, after) : this.#response.find(after, before);
    return narrowings.map(({ pointer, what }) => ({
      location: pointer ? `${location} ${pointer}` : location,
      ...(direction === 'request' ? requestChange(what) : responseChange(what)),
    }));
  }
}

function matchingResponses(status: string, after: Map<string, Response>): Response[] {
  const range = `${status.charAt(0)}XX`;
  const one = after.get(status) ?? after.get(range);
  if (one) return [one];
  const within = status === range ? [...after].filter(([other]) => other.startsWith(status.charAt(0))) : [];
  const rest = within.length === 0 && after.get('DEFAULT');
  return rest ? [rest] : within.map(([, response]) => response);
}

/** Whether callers rely on a response: errors may change. */
function isExpected(status: string, responses: Map<string, Response>): boolean {
  const isSuccess = (other: string) => /^[123]/.test(other);
  return isSuccess(status) || (status === 'DEFAULT' && ![...responses.keys()].some(isSuccess));
}

function matchingType(type: string, content: Map<string, unknown>): string | undefined {
  const [main] = type.split('/');
  const match = [type, `${main}/*`, '*/*'].find((name) => content.has(name));
  if (match !== undefined || !type.includes('*')) return match;
  return [...content.keys()].find((name) => type === '*/*' || name.startsWith(`${main}/`));
}

function compareSecurity(before: Set<string>[], after: Set<string>[]): OperationChange[] {
  const insufficient = before.filter((credentials) => !after.some((required) => isWithin(required, credentials)));
  return insufficient.map((credentials): OperationChange => {
    const message =
      credentials.size === 0
        ? 'credentials are now required'
        : `${[...credentials].join(' and ')} is no longer sufficient`;
    return { location: 'security', rule: 'security-changed', message };
  });
}

function isWithin(part: Set<string>, whole: Set<string>): boolean {
  return [...part].every((item) => whole.has(item));
}

type ChangeText = Pick<Change, 'rule' | 'message'>;

function requestChange(what: Narrowing['what']): ChangeText {
  switch (what.kind) {
    case 'type':
    case 'values':
      return { rule: 'type-narrowed', message: `accepted ${what.from}, now accepts only ${what.to}` };
    case 'null':
      return { rule: 'type-narrowed', message: 'null is no longer accepted' };
    case 'option':
      return { rule: 'type-narrowed', message: `${what.name} is no longer accepted` };
    case 'value':
      return { rule: 'enum-value-removed', message: `${what.value} is no longer accepted` };
    case 'constraint':
      return { rule: 'constraint-tightened', message: `${what.keyword} is now ${what.to}${was(what.from)}` };
    case 'required':
      return { rule: 'property-required', message: what.isNew ? 'is new and required' : 'is now required' };
    case 'dropped':
      return { rule: 'property-removed', message: 'is no longer accepted' };
    case 'closed':
      return { rule: 'property-removed', message: 'other properties are no longer accepted' };
  }
}

/** Here `to` is the state before, and `from` the present one. */
function responseChange(what: Narrowing['what']): ChangeText {
  switch (what.kind) {
    case 'type':
      return { rule: 'response-type-changed', message: `was ${what.to}, may now be ${what.from}` };
    case 'values':
      return { rule: 'response-type-changed', message: `was one of ${what.to}, may now be ${what.from}` };
    case 'null':
      return { rule: 'response-type-changed', message: 'may now be null' };
    case 'option':
      return { rule: 'response-type-changed', message: `may now be ${what.name}` };
    case 'value':
      return { rule: 'response-enum-value-added', message: `may now be ${what.value}` };
    case 'constraint':
      return {
        rule: 'response-constraint-loosened',
        message: `${what.keyword} is now ${what.from ?? 'unlimited'}, was ${what.to}`,
      };
    case 'required':
      return { rule: 'response-property-optional', message: 'is no longer always present' };
    case 'dropped':
      return { rule: 'response-property-removed', message: 'was removed' };
    case 'closed':
      return { rule: 'response-type-changed', message: 'may now have other properties' };
  }
}

function was(value: string | undefined): string {
  return value === undefined ? '' : `, was ${value}`;
}
