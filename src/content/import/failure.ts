/**
 * Why nothing could be read from an address that a user gave. `blocked`: not http or https, or in a private network;
 * `status`: answered with an error; `unreadable`: fetched, but not of the expected kind.
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

/** The message is for the user and contains nothing of the response. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly code: FailureCode;
  /** The HTTP status with `status`; for decisions of the caller, not for the user. */
  readonly status?: number;

  constructor(code: FailureCode, message = messages[code], status?: number) {
    super(message);
    this.code = code;
    if (status !== undefined) this.status = status;
  }
}

const messages: Record<FailureCode, string> = {
  blocked:
    'The address is not allowed: give one that starts with http:// or https:// and is reachable from the internet.',
  timeout: 'The address did not answer in time.',
  'too-large': 'The answer of the address is too large.',
  unreachable: 'The address could not be reached.',
  status: 'The address answered with an error.',
  redirects: 'The address redirects too often.',
  unreadable: 'What the address answered could not be read.',
  unsupported: 'This kind of source cannot be imported.',
};
