import { inflateSync } from 'node:zlib';

/**
 * Whether the PDF library can read an image. The library unpacks some PNGs without a limit, and its errors cannot be
 * caught, so a damaged one would crash the service.
 */
export function isSound(bytes: Uint8Array): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!data.subarray(0, signature.length).equals(signature)) return true;
  try {
    return isSoundPng(data);
  } catch {
    return false;
  }
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const maxPixelBytes = 200_000_000;
const maxFilter = 4;

/** Samples per pixel, by the colour type of the PNG. */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

// The seven passes of an interlaced PNG: the x and y of the first pixel, and the steps between pixels.
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function isSoundPng(data: Buffer): boolean {
  const width = data.readUInt32BE(16);
  const height = data.readUInt32BE(20);
  const depth = data.readUInt8(24);
  const colourType = data.readUInt8(25);
  const interlaceMethod = data.readUInt8(28);
  const pixelBits = (samples[colourType] ?? Number.NaN) * depth;
  const lines = (interlaceMethod === 1 ? passes : ([[0, 0, 1, 1]] as const)).map(([x, y, dx, dy]) => ({
    count: Math.max(0, Math.ceil((height - y) / dy)),
    pixels: Math.max(0, Math.ceil((width - x) / dx)),
  }));
  const size = lines.reduce((sum, { count, pixels }) => sum + (pixels > 0 ? count * (1 + lineBytes(pixels)) : 0), 0);
  if (!(size > 0 && size <= maxPixelBytes)) return false;
  const unpacked = inflateSync(pixelData(data), { maxOutputLength: size });
  if (unpacked.length !== size) return false;
  let start = 0;
  for (const { count, pixels } of lines) {
    if (pixels === 0) continue;
    // Each line starts with the number of its filter.
    for (let line = 0; line < count; line++, start += 1 + lineBytes(pixels)) {
      if (unpacked.readUInt8(start) > maxFilter) return false;
    }
  }
  return true;

  function lineBytes(pixels: number): number {
    return Math.ceil((pixels * pixelBits) / 8);
  }
}

function pixelData(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = signature.length; start < data.length;) {
    const length = data.readUInt32BE(start);
    const type = data.toString('latin1', start + 4, start + 8);
    if (start + 12 + length > data.length) throw new RangeError('The image is truncated.');
    if (type === 'IDAT') parts.push(data.subarray(start + 8, start + 8 + length));
    if (type === 'IEND') return Buffer.concat(parts);
    start += 12 + length;
  }
  throw new RangeError('The image has no end chunk.');
}
