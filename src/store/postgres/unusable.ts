/** A database that cannot be used, with a hint about what to do. */
export class UnusableDatabase extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
