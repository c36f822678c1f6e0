/** A request was not sent, because of a signal, or because what is read before it did not arrive. It looks like its cause. */
export class NotSent extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    Object.assign(this, cause);
    this.name = cause.name;
  }
}

export const notSent = (error: unknown): unknown => (error instanceof Error ? new NotSent(error) : error);
