/**
 * Why an address could not be fetched. `blocked`: not http or https, or in a private network; `status`: the response is an
 * error; `unreadable`: the response has the wrong type.
 */
export type FailureCode =
  | 'blocked'
  | 'timeout'
  | 'too-large'
  | 'unreachable'
  | 'status'
  | 'redirects'
  | 'unreadable'
  | 'unsupported';

/** The message is for users and contains nothing from the response. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly code: FailureCode;
  /** The HTTP status for `status`, which is not shown to users. */
  readonly status?: number;

  constructor(code: FailureCode, message = messages[code], status?: number) {
    super(message);
    this.code = code;
    if (status !== undefined) this.status = status;
  }
}

const messages: Record<FailureCode, string> = {
  blocked:
    'The address is not allowed. Use one that starts with http:// or https:// and is reachable from the internet.',
  timeout: 'The address did not respond in time.',
  'too-large': 'The response is too large.',
  unreachable: 'The address could not be reached.',
  status: 'The address responded with an error.',
  redirects: 'The address redirects too many times.',
  unreadable: 'The response could not be read.',
  unsupported: 'This kind of source cannot be imported.',
};
