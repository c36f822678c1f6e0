import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import decodeWebp, { init } from '@jsquash/webp/decode.js';
import { encode } from 'fast-png';
import { GifReader } from 'omggif';

/** The first frame of a picture as PNG, which pdfkit reads. @throws Error for a damaged one */
export async function pngOf(bytes: Uint8Array, type: 'gif' | 'webp'): Promise<Uint8Array> {
  const { data, width, height } = type === 'gif' ? firstFrame(bytes) : await webpPixels(bytes);
  return encode({ data, width, height, channels: 4, depth: 8 });
}

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

function firstFrame(bytes: Uint8Array): Pixels {
  const reader = new GifReader(Buffer.from(bytes));
  const data = new Uint8ClampedArray(reader.width * reader.height * 4);
  reader.decodeAndBlitFrameRGBA(0, data);
  return { data, width: reader.width, height: reader.height };
}

async function webpPixels(bytes: Uint8Array): Promise<Pixels> {
  ready ??= prepare();
  await ready;
  return decodeWebp(Uint8Array.from(bytes).buffer);
}

let ready: Promise<void> | undefined;

async function prepare(): Promise<void> {
  // What the decoder gives back; Node.js has no such class.
  Object.assign(globalThis, { ImageData: globalThis.ImageData ?? PixelData });
  await init(await WebAssembly.compile(decoderBytes()));
}

/** The package has the decoder compressed beside its code; run from its sources, it is that of the library. */
function decoderBytes(): Uint8Array<ArrayBuffer> {
  const shipped = join(dirname(import.meta.filename), '..', 'webp.wasm.br');
  if (existsSync(shipped)) {
    return Uint8Array.from(process.getBuiltinModule('node:zlib').brotliDecompressSync(readFileSync(shipped)));
  }
  return Uint8Array.from(
    readFileSync(createRequire(import.meta.filename).resolve('@jsquash/webp/codec/dec/webp_dec.wasm')),
  );
}

class PixelData implements Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
