declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next position at which a line can end; null after the last one. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
