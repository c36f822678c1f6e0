import type { Definition, Endpoint } from '../../contract/endpoint.ts';
import { unstorableIn, unstorableMessage } from '../../contract/unstorable.ts';
import { checkValue, markMissing, validationIssues } from '../../contract/validation-issues.ts';
import { messageOf } from '../../shared/error-text.ts';
import { isObject } from '../../shared/is-object.ts';
import { DomainError, Invalid } from './errors.ts';

const maxBody = 10 * 1024 * 1024;
const maxDepth = 200;
/** The tree of a page of some hundred thousand words has as many. */
const maxValues = 50_000;

/** Largest body the endpoint takes, in bytes. */
export const bodyLimit = (endpoint: Pick<Definition, 'maxBody'> | undefined) => endpoint?.maxBody ?? maxBody;

/** @throws DomainError `unsupported-media-type` */
export function requireJson(contentType: string | undefined): void {
  if (contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json') return;
  throw new DomainError('unsupported-media-type', 'The body must be JSON: send Content-Type: application/json.');
}

export const tooLarge = (limit: number) =>
  new DomainError(
    'too-large',
    `The body is too large: this endpoint accepts at most ${Math.round(limit / 1024 / 1024)} MiB.`,
  );

/** @throws DomainError `malformed-json` or `too-large` */
export function parseBody(body: Uint8Array | string): Record<string, unknown> {
  const text = typeof body === 'string' ? body : utf8(body);
  assertMeasures(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('malformed-json', `The body is not valid JSON: ${messageOf(error)}.`);
  }
  if (!isObject(value)) throw new DomainError('malformed-json', 'The body must be a JSON object.');
  // Only an escape can contain what UTF-8 and the database cannot store unchanged.
  const unstorable = /\\u(?:0000|d[89a-f])/i.test(text) ? unstorableIn(value) : undefined;
  if (unstorable !== undefined) throw new Invalid(unstorable, unstorableMessage, 'format');
  return value;
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('malformed-json', 'The body is not valid UTF-8.');
  }
}

/**
 * Checks the text, because walking a value that is nested too deep overflows the stack, and a value of many parts takes
 * long to copy between threads.
 *
 * @throws DomainError `malformed-json` or `too-large`
 */
function assertMeasures(text: string): void {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === characters.quote) isInString = !isInString;
    else if (isInString) {
      if (code === characters.backslash) index++;
    } else if (code === characters.comma) values++;
    else if (code === characters.brace || code === characters.bracket) {
      values++;
      depth++;
      if (depth > maxDepth) {
        throw new DomainError('malformed-json', `The body is nested more than ${maxDepth} levels deep.`);
      }
    } else if (code === characters.closingBrace || code === characters.closingBracket) depth--;
  }
  if (values > maxValues) {
    throw new DomainError('too-large', `The body has more than ${maxValues} values: send less at once.`);
  }
}

const characters = {
  quote: 34,
  comma: 44,
  bracket: 91,
  backslash: 92,
  closingBracket: 93,
  brace: 123,
  closingBrace: 125,
};

/** @throws Invalid with the errors of the body */
export function checkBody(endpoint: Pick<Endpoint, 'body'>, body: Record<string, unknown>): unknown {
  if (!endpoint.body) return {};
  const result = checkValue(endpoint.body(), body);
  if (result.success) return result.data;
  throw new Invalid(validationIssues('body', markMissing(body, result.issues)), { isComplete: !result.isCut });
}
