import { ClientError } from './client-error.ts';

/** A token that cannot be one, so that nothing was sent with it. */
export class UnusableToken extends ClientError {
  override name = 'UnusableToken';
}
