/** No description written by a person or a generator comes near this; what reads a deeper one may overflow. */
export const maxDepth = 256;

/** A text is no JSON or YAML; `offset` is where, in UTF-16 units. */
export class SyntaxFault extends Error {
  readonly offset: number;
  /** The message with what stands in the text; the plain one repeats none of it, as the file may be no description. */
  readonly quoting: string;

  constructor(message: string, offset: number, quoting = message) {
    super(message);
    this.name = 'SyntaxFault';
    this.offset = offset;
    this.quoting = quoting;
  }
}
