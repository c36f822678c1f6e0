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

/** A font file; for a collection of fonts also the name of the font to use. */
export interface FontFile {
  path: string;
  face?: string;
}

// Scripts whose fonts are megabytes large are drawn with fonts of the machine.
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
