import { convertIndexedToRgb, type DecodedPng, decode as decodePng, encode as encodePng } from 'fast-png';
import { imageSize } from 'image-size';
import jpeg from 'jpeg-js';
import { isSound } from '../pdf/pictures/sound-png.ts';

interface Bitmap {
  width: number;
  height: number;
  /** RGBA. */
  data: Uint8Array;
}

export interface FittedImage {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** Larger images are posters or attacks on memory. */
const maxPixels = 40_000_000;
/** Smaller images are not readable. */
const minSide = 320;
/** Of the sides. The first one keeps them. */
const scales = [1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.33, 0.25, 0.2, 0.15, 0.1];
const qualities = [88, 80, 72];

/**
 * A PNG or JPEG with at most this many bytes: encoded again, and made smaller if that is not enough. The same image always
 * has the same result. Undefined for other formats, damaged images and animations, and if it would be too small to read.
 */
export function fitImage(bytes: Uint8Array, maxBytes: number): FittedImage | undefined {
  try {
    const { width, height, type } = imageSize(bytes);
    if (width * height > maxPixels) return undefined;
    if (type === 'png' && isSound(bytes) && !isAnimated(bytes)) return fitted(pngBitmap(bytes), maxBytes, pngsOf);
    if (type === 'jpg') return fitJpeg(bytes, maxBytes);
    return undefined;
  } catch {
    return undefined;
  }
}

/** The encodings of a bitmap, best first. */
type Encodings = (bitmap: Bitmap) => Iterable<Uint8Array>;

function fitted(bitmap: Bitmap, maxBytes: number, encodings: Encodings): FittedImage | undefined {
  for (const scale of scales) {
    const small = scaled(bitmap, scale);
    if (scale < 1 && Math.max(small.width, small.height) < minSide) return undefined;
    for (const bytes of encodings(small))
      if (bytes.byteLength <= maxBytes) return { bytes, width: small.width, height: small.height };
  }
  return undefined;
}

function* pngsOf({ width, height, data }: Bitmap): Generator<Uint8Array> {
  yield encodePng({ width, height, data, channels: 4, depth: 8 });
}

function fitJpeg(bytes: Uint8Array, maxBytes: number): FittedImage | undefined {
  const { width, height, data, ...rest } = jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: maxPixels / 1e6,
    maxMemoryUsageInMB: 1_024,
  });
  // Cameras write how the image has to be turned into its metadata.
  const metadata = 'exifBuffer' in rest ? { exifBuffer: rest.exifBuffer } : {};
  return fitted({ width, height, data }, maxBytes, function* (bitmap) {
    for (const quality of qualities) yield jpeg.encode({ ...bitmap, ...metadata }, quality).data;
  });
}

const isAnimated = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(0, 4_096).includes('acTL');

function pngBitmap(bytes: Uint8Array): Bitmap {
  const image = decodePng(bytes);
  const { width, height } = image;
  const { samples, channels } = samplesOf(image);
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = pixel * channels;
    const isGray = channels < 3;
    for (let channel = 0; channel < 3; channel += 1)
      data[pixel * 4 + channel] = samples[at + (isGray ? 0 : channel)] ?? 0;
    data[pixel * 4 + 3] = channels % 2 === 0 ? (samples[at + channels - 1] ?? 255) : 255;
  }
  return { width, height, data };
}

/** Eight bits for each sample. */
function samplesOf(image: DecodedPng): { samples: Uint8Array; channels: number } {
  const { palette, depth, channels, data, width, height, transparency } = image;
  // A color that marks transparency would be lost.
  if (transparency && !palette) throw new Error('not supported');
  if (palette) {
    const samples = convertIndexedToRgb(image);
    return { samples, channels: samples.length / (width * height) };
  }
  if (depth === 16) return { samples: Uint8Array.from(data, (sample) => sample >> 8), channels };
  if (depth !== 8) throw new Error('not supported');
  return { samples: Uint8Array.from(data), channels };
}

/** Each pixel is the average of the pixels that it covers, so that thin lines and letters stay visible. */
function scaled(bitmap: Bitmap, scale: number): Bitmap {
  if (scale === 1) return bitmap;
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const rows = rangeOf(y, height, bitmap.height);
    for (let x = 0; x < width; x += 1)
      averageInto(data, (y * width + x) * 4, bitmap, { rows, columns: rangeOf(x, width, bitmap.width) });
  }
  return { width, height, data };
}

interface Range {
  from: number;
  to: number;
}

const rangeOf = (index: number, count: number, length: number): Range => {
  const from = Math.floor((index * length) / count);
  return { from, to: Math.max(from + 1, Math.floor(((index + 1) * length) / count)) };
};

function averageInto(
  target: Uint8Array,
  at: number,
  { width, data }: Bitmap,
  { rows, columns }: { rows: Range; columns: Range },
): void {
  let [red, green, blue, alpha, count] = [0, 0, 0, 0, 0];
  for (let y = rows.from; y < rows.to; y += 1) {
    for (let x = columns.from; x < columns.to; x += 1) {
      const pixel = (y * width + x) * 4;
      const opacity = data[pixel + 3]!;
      red += data[pixel]! * opacity;
      green += data[pixel + 1]! * opacity;
      blue += data[pixel + 2]! * opacity;
      alpha += opacity;
      count += 1;
    }
  }
  // The color of a transparent pixel does not count.
  target[at] = alpha === 0 ? 0 : Math.round(red / alpha);
  target[at + 1] = alpha === 0 ? 0 : Math.round(green / alpha);
  target[at + 2] = alpha === 0 ? 0 : Math.round(blue / alpha);
  target[at + 3] = Math.round(alpha / count);
}
