/** No description written by a person or a generator comes near this; what reads a deeper one may overflow. */
export const maxDepth = 256;

/** A text is no JSON or YAML; `offset` is where, in UTF-16 units. */
export class SyntaxFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'SyntaxFault';
    this.offset = offset;
  }
}
