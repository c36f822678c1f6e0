/** The base of all errors of the client: what failed, and what to do about it. */
export class ClientError extends Error {
  override name = 'ClientError';
  hint?: string;

  constructor(message: string, hint?: string) {
    super(message);
    if (hint !== undefined) this.hint = hint;
  }
}

/** A text that cannot be a token. Nothing was sent with it. */
export class UnusableToken extends ClientError {
  override name = 'UnusableToken';
}
