import decodeWebp, { init } from '@jsquash/webp/decode.js';
import { encode } from 'fast-png';
import { GifReader } from 'omggif';
import { programFile } from '../../../shared/program-files.ts';

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

const decoderBytes = () => process.getBuiltinModule('node:zlib').brotliDecompressSync(programFile('dist/webp.wasm.br'));

function pixelData(data: Uint8ClampedArray, width: number, height: number): Pixels {
  return { data, width, height };
}
