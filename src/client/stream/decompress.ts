import { promisify } from 'node:util';

/** More than any list page or document has, and less than the longest string of V8. */
export const maxAnswerBytes = 256 * 1024 * 1024;

/** Decodes a body with the codings of a `Content-Encoding` header, the last one first. */
export async function decompress(body: Uint8Array, codings: string): Promise<Uint8Array> {
  const { brotliDecompress, gunzip, inflate } = await import('node:zlib');
  const decoders: Record<string, typeof gunzip | typeof brotliDecompress> = {
    gzip: gunzip,
    'x-gzip': gunzip,
    deflate: inflate,
    br: brotliDecompress,
  };
  let decoded = body;
  for (const coding of codings.toLowerCase().split(',').toReversed()) {
    const name = coding.trim();
    if (name === 'identity' || name === '') continue;
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decoder === undefined) throw new Error(`unknown content coding ${name}`);
    decoded = await promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(decoder)(decoded, {
      maxOutputLength: maxAnswerBytes,
    });
  }
  return decoded;
}
