import type { ErrorBody } from '../../contract/errors.ts';
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
    if (reason !== undefined) this.reason = reason;
    if (details !== undefined) this.details = details;
    if (requestId !== undefined) this.requestId = requestId;
  }
}
