import { brotliDecompressSync } from 'node:zlib';
import { faces } from './data.ts';

export type FaceName = keyof typeof faces;

const unpacked = new Map<FaceName, Buffer>();

export function faceData(name: FaceName): Buffer {
  const face = unpacked.get(name) ?? brotliDecompressSync(Buffer.from(faces[name], 'base64'));
  unpacked.set(name, face);
  return face;
}
