declare module 'omggif' {
  export class GifReader {
    readonly width: number;
    readonly height: number;
    constructor(bytes: Uint8Array);
    decodeAndBlitFrameRGBA(frame: number, pixels: Uint8ClampedArray): void;
  }
}
