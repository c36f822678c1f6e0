import { inflateSync } from 'node:zlib';

/**
 * Whether a picture can be handed to the PDF library. It unpacks some PNGs where no caller can catch what goes wrong,
 * and without a bound, so that a damaged one would take the whole service down.
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

/** Samples of a pixel by the PNG's colour type. */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

// Where the seven passes of an interlaced PNG begin, and their steps.
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
  const [depth, colour, , , interlaced] = data.subarray(24, 29) as unknown as [number, number, number, number, number];
  const pixelBits = samples[colour]! * depth;
  const lines = (interlaced === 1 ? passes : ([[0, 0, 1, 1]] as const)).map(([x, y, dx, dy]) => ({
    count: Math.max(0, Math.ceil((height - y) / dy)),
    pixels: Math.max(0, Math.ceil((width - x) / dx)),
  }));
  const size = lines.reduce((sum, { count, pixels }) => sum + (pixels > 0 ? count * (1 + lineBytes(pixels)) : 0), 0);
  if (!(size > 0 && size <= maxPixelBytes)) return false;
  const unpacked = inflateSync(pixelData(data), { maxOutputLength: size });
  if (unpacked.length !== size) return false;
  let at = 0;
  for (const { count, pixels } of lines) {
    if (pixels === 0) continue;
    // Each line begins with the number of its filter.
    for (let line = 0; line < count; line++, at += 1 + lineBytes(pixels)) if (unpacked[at]! > 4) return false;
  }
  return true;

  function lineBytes(pixels: number): number {
    return Math.ceil((pixels * pixelBits) / 8);
  }
}

function pixelData(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = signature.length; at < data.length;) {
    const length = data.readUInt32BE(at);
    const type = data.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > data.length) throw new RangeError('The picture ends in the middle.');
    if (type === 'IDAT') parts.push(data.subarray(at + 8, at + 8 + length));
    if (type === 'IEND') return Buffer.concat(parts);
    at += 12 + length;
  }
  throw new RangeError('The picture has no end.');
}
