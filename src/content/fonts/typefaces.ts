import { existsSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { faces } from './data.ts';

export type FaceName = keyof typeof faces;

const unpacked = new Map<FaceName, Buffer>();

export function faceData(name: FaceName): Buffer {
  const face = unpacked.get(name) ?? brotliDecompressSync(Buffer.from(faces[name], 'base64'));
  unpacked.set(name, face);
  return face;
}

/** A font file, and which of its faces where it holds several. */
export interface FontFile {
  path: string;
  face?: string;
}

// Scripts that would take megabytes to ship are drawn with what the machine has.
const usual: FontFile[] = [
  { path: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', face: 'NotoSansCJKsc-Regular' },
  { path: '/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc', face: 'NotoSansCJKsc-Regular' },
  { path: '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf' },
  { path: '/usr/share/fonts/truetype/wqy/wqy-microhei.ttc', face: 'WenQuanYiMicroHei' },
  { path: '/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf' },
  { path: '/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf' },
  { path: '/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf' },
  { path: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
  { path: '/System/Library/Fonts/Supplemental/Arial Unicode.ttf' },
  { path: String.raw`C:\Windows\Fonts\arial.ttf` },
  { path: String.raw`C:\Windows\Fonts\msyh.ttc`, face: 'MicrosoftYaHei' },
  { path: String.raw`C:\Windows\Fonts\Nirmala.ttf` },
];

export function installedFonts(): FontFile[] {
  return usual.filter(({ path }) => existsSync(path));
}
