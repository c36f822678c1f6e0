import { ClientError } from './client-error.ts';

/** The answer of the service does not match the contract. */
export class UnexpectedResponse extends ClientError {
  override name = 'UnexpectedResponse';
  /** Method and path, if known. */
  endpoint?: string;
  /** The member that is missing or has the wrong type, such as `urls.app`. */
  field?: string;

  constructor(message: string, { endpoint, field, hint }: { endpoint?: string; field?: string; hint?: string } = {}) {
    super(message, hint);
    if (endpoint !== undefined) this.endpoint = endpoint;
    if (field !== undefined) this.field = field;
  }
}
