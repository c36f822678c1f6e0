import { type ErrorBody, reasons } from '../../contract/errors.ts';
import { ClientError } from './client-error.ts';

interface Answer extends Partial<Pick<ErrorBody['error'], 'reason' | 'details' | 'requestId'>> {
  status: number;
  headers?: Record<string, string>;
  message: string;
  body?: unknown;
  hint?: string;
}

/** The service answered with an error status. */
export class HttpError extends ClientError {
  override name = 'HttpError';
  status: number;
  headers: Record<string, string>;
  reason?: Answer['reason'];
  details?: Answer['details'];
  requestId?: string;
  /** The whole answer: the parsed JSON, or its text. */
  body: unknown;

  constructor({ status, headers = {}, message, reason, details, requestId, body, hint }: Answer) {
    super(message, hint);
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.reason = reason;
    this.details = details;
    this.requestId = requestId;
  }
}

/** Whether the service has no such object; also if the error says so in other words, with the answer as its cause. */
export const isMissing = (error: unknown): boolean =>
  error instanceof HttpError
    ? error.status === 404
    : error instanceof Error && (error instanceof UnknownName || isMissing(error.cause));

/** Whether the caller may not see or change an object. */
export const isInaccessible = (error: unknown): boolean =>
  (error instanceof HttpError && error.status === reasons.forbidden) || isMissing(error);

/** There is no object of this name: the service was not asked, because the name cannot be an ID. */
export class UnknownName extends Error {}

/** For `catch`, if an object may not exist. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
