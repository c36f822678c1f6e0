import type { Reason, ValidationIssue } from '../../contract/errors.ts';
import { groupNames, loadGroup } from '../../contract/groups.ts';
import { isObject } from '../../shared/is-object.ts';
import { DomainError } from './errors.ts';
import { checkBody, parseBody } from './read-body.ts';

export interface BodyTask {
  /** Name of the endpoint. */
  endpoint: string;
  body: Uint8Array | string;
}

/** A DomainError as data: classes are lost between threads. */
export interface Refusal {
  reason: Reason;
  message: string;
  details: ValidationIssue[] | undefined;
}

/** Either all of a body, or why it is refused. */
export type BodyResult =
  | { isJson: false; refusal: Refusal }
  | {
      isJson: true;
      /** Before the check, with empty lists and objects in it. */
      outline: Record<string, unknown>;
      checked: { refusal: Refusal } | { value: unknown };
    };

export async function readBody({ endpoint: name, body }: BodyTask): Promise<BodyResult> {
  const endpoint = await endpointNamed(name);
  const parsed = attempt(() => parseBody(body));
  if ('refusal' in parsed) return { isJson: false, refusal: parsed.refusal };
  const checked = attempt(() => checkBody(endpoint, parsed.value));
  return { isJson: true, outline: outlineOf(parsed.value), checked };
}

const outlineOf = (body: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? [] : isObject(value) ? {} : value]),
  );

async function endpointNamed(name: string) {
  const [groupName, key = ''] = name.split('.');
  const group = groupNames.find((each) => each === groupName);
  const endpoint = group && (await loadGroup(group))[key];
  if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
  return endpoint;
}

function attempt<T>(work: () => T): { refusal: Refusal } | { value: T } {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { reason, message, details } = error;
    return { refusal: { reason, message, details } };
  }
}
