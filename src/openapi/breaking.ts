import { Narrowings, type Budget, type Direction, type Narrowing } from './narrowing.ts';
import { Operations, type Body, type Operation, type Parameter, type Response } from './operations.ts';
import type { Shapes } from './shapes.ts';

export interface Change {
  path: string;
  /** In lower case; undefined where all of a path is meant. */
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
 * What may break those who use an API: what it took and takes no more, and what it answers that it did not answer.
 * Both documents hold all that they refer to, as `readDescription` gives them, and may be of different versions. The
 * names of parameters in a path do not count, nor do servers, webhooks and callbacks.
 */
export function breakingChanges(before: unknown, after: unknown): Change[] {
  const [old, now] = [new Operations(before), new Operations(after)];
  const budget = { pairs: maxPairs, trialPairs: maxPairs / 10 };
  const paths = now.read();
  const shapes = new Map([...paths.keys()].map((path) => [shapeOf(path), path]));
  return [...old.read()].flatMap(([path, methods]): Change[] => {
    const kept = paths.get(path) ?? paths.get(shapes.get(shapeOf(path)) ?? '');
    if (!kept) return [{ path, location: 'path', rule: 'path-removed', message: 'is gone' }];
    return [...methods].flatMap(([method, operation]) => {
      const other = kept.get(method);
      const found = other
        ? new OperationChanges(old.shapes, now.shapes, budget).find(operation, other)
        : [methodRemoved];
      const changes = found.map((change): Change => ({ path, method, ...change }));
      // Alternatives that change in the same way are told once.
      return [...new Map(changes.map((change) => [formatChange(change), change])).values()];
    });
  });
}

/** `GET /pets: query parameter limit: is now required (parameter-required)` */
export function formatChange({ path, method, location, rule, message }: Change): string {
  return `${method ? `${method.toUpperCase()} ` : ''}${path}: ${location}: ${message} (${rule})`;
}

/** GitHub's description needs a quarter of them. */
const maxPairs = 500_000;

type Found = Omit<Change, 'path' | 'method'>;

const methodRemoved: Found = { location: 'operation', rule: 'method-removed', message: 'is gone' };

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

class OperationChanges {
  readonly #before: Shapes;
  readonly #request: Narrowings;
  readonly #response: Narrowings;

  constructor(before: Shapes, after: Shapes, budget: Budget) {
    this.#before = before;
    // A request must still be taken as before; a response must still be one that could come before.
    this.#request = new Narrowings(before, after, 'request', budget);
    this.#response = new Narrowings(after, before, 'response', budget);
  }

  find(before: Operation, after: Operation): Found[] {
    return [
      ...compareSecurity(before.security, after.security),
      ...this.#compareParameters(before.parameters, after.parameters),
      ...this.#compareBodies(before.body, after.body),
      ...this.#compareResponses(before.responses, after.responses),
    ];
  }

  #compareParameters(before: Map<string, Parameter>, after: Map<string, Parameter>): Found[] {
    return [...after].flatMap(([key, parameter]): Found[] => {
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

  /** A single value looks the same in all usual styles. */
  #isStyled(schema: unknown): boolean {
    const { options } = this.#before.choiceOf(schema);
    return options.some(({ shape }) => shape.types?.has('array') || shape.types?.has('object'));
  }

  #compareBodies(before: Body | undefined, after: Body | undefined): Found[] {
    const location = 'request body';
    const required: Found[] =
      after?.isRequired && !before?.isRequired
        ? [{ location, rule: 'request-body-required', message: 'is now required' }]
        : [];
    if (!before) return required;
    if (!after) return [{ location, rule: 'request-body-removed', message: 'is no longer taken' }];
    return [
      ...required,
      ...this.#compareContent('request', location, before.content, after.content, 'request-media-type-removed'),
    ];
  }

  #compareResponses(before: Map<string, Response>, after: Map<string, Response>): Found[] {
    return [...before].flatMap(([status, response]): Found[] => {
      const location = `response ${status.toLowerCase() === 'default' ? 'default' : status}`;
      const others = matchingResponses(status, after);
      if (others.length === 0) {
        const message = 'is gone';
        return isExpected(status, before) ? [{ location, rule: 'response-removed', message }] : [];
      }
      return others.flatMap((other) => this.#compareResponse(location, response, other));
    });
  }

  #compareResponse(location: string, before: Response, after: Response): Found[] {
    const headers = [...before.headers].flatMap(([name, schema]): Found[] => {
      const place = `${location} header ${name}`;
      if (after.headers.has(name)) return this.#compareSchemas('response', place, schema, after.headers.get(name));
      return [{ location: place, rule: 'response-header-removed', message: 'is gone' }];
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
  ): Found[] {
    return [...before].flatMap(([type, schema]): Found[] => {
      const match = matchingType(type, after);
      if (match === undefined) {
        const message = `${type} is no longer ${direction === 'request' ? 'taken' : 'answered'}`;
        return [{ location, rule: removed, message }];
      }
      const place = before.size > 1 ? `${location} (${type})` : location;
      return this.#compareSchemas(direction, place, schema, after.get(match));
    });
  }

  #compareSchemas(direction: Direction, location: string, before: unknown, after: unknown): Found[] {
    const narrowings = direction === 'request' ? this.#request.find(before, after) : this.#response.find(after, before);
    return narrowings.map(({ pointer, what }) => ({
      location: pointer ? `${location} ${pointer}` : location,
      ...(direction === 'request' ? tellRequest(what) : tellResponse(what)),
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

/** Whether callers live on a response: errors come and go. */
function isExpected(status: string, responses: Map<string, Response>): boolean {
  const isSuccess = (other: string) => /^[123]/.test(other);
  return isSuccess(status) || (status === 'DEFAULT' && ![...responses.keys()].some(isSuccess));
}

function matchingType(type: string, content: Map<string, unknown>): string | undefined {
  const [main] = type.split('/');
  const wanted = [type, `${main}/*`, '*/*'].find((name) => content.has(name));
  if (wanted !== undefined || !type.includes('*')) return wanted;
  return [...content.keys()].find((name) => type === '*/*' || name.startsWith(`${main}/`));
}

function compareSecurity(before: Set<string>[], after: Set<string>[]): Found[] {
  const lost = before.filter((credentials) => !after.some((needed) => isWithin(needed, credentials)));
  return lost.map((credentials): Found => {
    const message =
      credentials.size === 0 ? 'credentials are now needed' : `${[...credentials].join(' and ')} no longer suffices`;
    return { location: 'security', rule: 'security-changed', message };
  });
}

function isWithin(part: Set<string>, whole: Set<string>): boolean {
  return [...part].every((item) => whole.has(item));
}

type Told = Pick<Change, 'rule' | 'message'>;

function tellRequest(what: Narrowing['what']): Told {
  switch (what.kind) {
    case 'type':
      return { rule: 'type-narrowed', message: `took ${what.from}, now takes only ${what.to}` };
    case 'values':
      return { rule: 'type-narrowed', message: `took ${what.from}, now takes only ${what.to}` };
    case 'null':
      return { rule: 'type-narrowed', message: 'null is no longer taken' };
    case 'option':
      return { rule: 'type-narrowed', message: `${what.name} is no longer taken` };
    case 'value':
      return { rule: 'enum-value-removed', message: `${what.value} is no longer taken` };
    case 'constraint':
      return { rule: 'constraint-tightened', message: `${what.keyword} is now ${what.to}${was(what.from)}` };
    case 'required':
      return { rule: 'property-required', message: what.isNew ? 'is new and required' : 'is now required' };
    case 'dropped':
      return { rule: 'property-removed', message: 'is no longer taken' };
    case 'closed':
      return { rule: 'property-removed', message: 'other properties are no longer taken' };
  }
}

/** Here, what is narrower is what was before. */
function tellResponse(what: Narrowing['what']): Told {
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
        message: `${what.keyword} is now ${what.from ?? 'free'}, was ${what.to}`,
      };
    case 'required':
      return { rule: 'response-property-optional', message: 'is no longer always there' };
    case 'dropped':
      return { rule: 'response-property-removed', message: 'is gone' };
    case 'closed':
      return { rule: 'response-type-changed', message: 'may now have other properties' };
  }
}

function was(value: string | undefined): string {
  return value === undefined ? '' : `, was ${value}`;
}
