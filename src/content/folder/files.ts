export interface FileFacts {
  size: number;
  contentType: string;
  /** The displayed size of an image in pixels, if known. */
  dimensions?: { width: number; height: number };
}

/** Detects the type of a file from its bytes, or else from its name. */
export async function describeFile(name: string, bytes: Uint8Array): Promise<FileFacts> {
  const contentType = contentTypeOf(name, bytes);
  const dimensions = contentType.startsWith('image/') ? await dimensionsOf(bytes) : undefined;
  return { size: bytes.length, contentType, ...(dimensions && { dimensions }) };
}

async function dimensionsOf(bytes: Uint8Array): Promise<FileFacts['dimensions']> {
  const { imageSize } = await import('image-size');
  try {
    const { width, height, orientation } = imageSize(bytes);
    if (!Number.isFinite(width) || !Number.isFinite(height)) return undefined;
    // EXIF orientations from 5 on rotate an image by 90 degrees.
    const turned = orientation !== undefined && orientation >= 5;
    const size = { width: Math.round(width), height: Math.round(height) };
    return turned ? { width: size.height, height: size.width } : size;
  } catch {
    return undefined;
  }
}

const types: Record<string, string> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  gz: 'application/gzip',
  heic: 'image/heic',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  markdown: 'text/markdown',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  ttf: 'font/ttf',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

export function contentTypeOf(name: string, bytes: Uint8Array): string {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const named = types[extension];
  const marked = markedType(bytes);
  // Office documents are zip files, so their name is more precise.
  if (marked && !(marked === 'application/zip' && named)) return marked;
  if (named && !(isPicture(named) && isText(bytes))) return named;
  if (!isText(bytes)) return 'application/octet-stream';
  return looksLikeSvg(bytes) ? 'image/svg+xml' : 'text/plain';
}

/** The usual file extension of a type, with its dot; "" if unknown. */
export function extensionOf(contentType: string): string {
  const bare = contentType.replace(/;.*/s, '').trim().toLowerCase();
  const preferred: Record<string, string> = { 'image/jpeg': 'jpg', 'text/html': 'html', 'text/markdown': 'md' };
  const extension = preferred[bare] ?? Object.keys(types).find((each) => types[each] === bare);
  return extension ? `.${extension}` : '';
}

const magic: [offset: number, bytes: string, type: string][] = [
  [0, '\x89PNG\r\n\x1A\n', 'image/png'],
  [0, '\xFF\xD8\xFF', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [8, 'WAVE', 'audio/wav'],
  [4, 'ftypavif', 'image/avif'],
  [4, 'ftypheic', 'image/heic'],
  [4, 'ftypqt', 'video/quicktime'],
  [4, 'ftyp', 'video/mp4'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [0, '\0\0\x01\0', 'image/x-icon'],
  [0, '%PDF-', 'application/pdf'],
  [0, 'PK\x03\x04', 'application/zip'],
  [0, 'PK\x05\x06', 'application/zip'],
  [0, '\x1F\x8B\b', 'application/gzip'],
  [0, '\x1A\x45\xDF\xA3', 'video/webm'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'ID3', 'audio/mpeg'],
  [0, 'wOF2', 'font/woff2'],
  [0, 'wOFF', 'font/woff'],
];

function markedType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return magic.find(([offset, mark]) => head.startsWith(mark, offset))?.[2];
}

// A text with the name of an image (an error page saved as logo.png) is not an image. Only SVGs are both.
function isPicture(type: string): boolean {
  return type.startsWith('image/') && type !== 'image/svg+xml';
}

function isText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 4096);
  if (head.includes(0)) return false;
  try {
    // The last character of the sample can be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const prologue = /^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE svg[^>]*>)/i;

function looksLikeSvg(bytes: Uint8Array): boolean {
  // trimStart also removes a byte order mark.
  let rest = Buffer.from(bytes.subarray(0, 1024)).toString().trimStart();
  for (let before = prologue.exec(rest); before; before = prologue.exec(rest)) {
    rest = rest.slice(before[0].length).trimStart();
  }
  return /^<svg[\s>]/i.test(rest);
}
