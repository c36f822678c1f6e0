import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import decodeWebp, { init } from '@jsquash/webp/decode.js';
import { encode } from 'fast-png';
import { GifReader } from 'omggif';

/** Converts the first frame to a PNG, which pdfkit supports. @throws Error if the image is damaged */
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
  // The decoder returns an instance of this class, which Node.js lacks.
  Object.assign(globalThis, { ImageData: globalThis.ImageData ?? pixelData });
  await init(await WebAssembly.compile(decoderBytes()));
}

/** The package contains the compressed decoder. Run from the sources, it is the decoder of the library. */
function decoderBytes(): Uint8Array<ArrayBuffer> {
  const shipped = join(dirname(import.meta.filename), '..', 'webp.wasm.br');
  if (existsSync(shipped)) {
    return Uint8Array.from(process.getBuiltinModule('node:zlib').brotliDecompressSync(readFileSync(shipped)));
  }
  return Uint8Array.from(
    readFileSync(createRequire(import.meta.filename).resolve('@jsquash/webp/codec/dec/webp_dec.wasm')),
  );
}

function pixelData(data: Uint8ClampedArray, width: number, height: number): Pixels {
  return { data, width, height };
}
