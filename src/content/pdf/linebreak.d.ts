declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next place at which a line may end; null after the last. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
