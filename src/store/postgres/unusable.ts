/** A database that cannot be used, with a hint about what to do. */
export class UnusableDatabase extends Error {
  readonly hint: string;
  /** Of the command; absent for that of other failures. */
  readonly exitCode?: number;

  constructor(message: string, hint: string, exitCode?: number) {
    super(message);
    this.hint = hint;
    if (exitCode !== undefined) this.exitCode = exitCode;
  }
}
