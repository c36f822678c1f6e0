import type { Endpoint } from '../../contract/endpoint.ts';
import type { Refusal } from './body-task.ts';
import { DomainError } from './errors.ts';
import { bodyLimit, checkBody, parseBody, requireJson, tooLarge } from './read-body.ts';
import type { InstanceRequest } from './request.ts';
import type { RequestTexts } from './request-texts.ts';

/** Reading a body of this size takes some 10 ms at most, whatever is in it. */
const maxInThisThread = 64 * 1024;

export interface ReceivedBody {
  /** The values as they were sent. In a large body, lists and objects among them are empty. */
  outline: Record<string, unknown>;
  /** @throws DomainError `validation` with the errors of the body */
  check(): unknown;
}

/**
 * Reads the body of a request: large ones are read in a worker, so that they do not block other requests.
 *
 * @throws DomainError `too-large`, `unsupported-media-type`, `malformed-json` or `too-complex`
 */
export async function receiveBody(
  endpoint: Endpoint,
  { body, headers }: InstanceRequest,
  texts: RequestTexts,
): Promise<ReceivedBody> {
  if (endpoint.method === 'GET' || body === undefined || body.length === 0) return received(endpoint, {});
  const limit = bodyLimit(endpoint);
  const size = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (size > limit) throw tooLarge(limit);
  requireJson(headers['content-type']);
  if (size <= maxInThisThread) return received(endpoint, parseBody(body));
  const task = { endpoint: endpoint.name, body };
  const result = await texts.run('readBody', task, { what: 'The body', key: 'body' });
  if (!result.isJson) throw errorOf(result.refusal);
  const { outline, checked } = result;
  return {
    outline,
    check() {
      if ('refusal' in checked) throw errorOf(checked.refusal);
      return checked.value;
    },
  };
}

const received = (endpoint: Endpoint, values: Record<string, unknown>): ReceivedBody => ({
  outline: values,
  check: () => checkBody(endpoint, values),
});

const errorOf = ({ reason, message, details }: Refusal) => new DomainError(reason, message, details);
