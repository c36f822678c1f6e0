/** Neither people nor generators write descriptions nested this deeply; reading one could overflow the stack. */
export const maxDepth = 256;

/** A text is neither JSON nor YAML; `offset` says where, in UTF-16 units. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  readonly offset: number;
  /** The message with text of the file. The plain message repeats none of it: the file is perhaps not a description. */
  readonly quoting: string;

  constructor(message: string, offset: number, quoting = message) {
    super(message);
    this.offset = offset;
    this.quoting = quoting;
  }
}
