/** Output options that cannot be followed. The message is for the user. */
export class OutputError extends Error {
  override name = 'OutputError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 2, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
