import { ClientError } from './client-error.ts';

/** A text that cannot be a token. Nothing was sent with it. */
export class UnusableToken extends ClientError {
  override name = 'UnusableToken';
}
