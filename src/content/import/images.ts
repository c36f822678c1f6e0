import { decodeAddress } from '../../shared/decode.ts';
import { contentTypeOf, extensionOf } from '../folder/files.ts';
import { ImportFailure } from './failure.ts';
import { fetchBytes, type Fetched, type FetchLimits } from './fetcher.ts';
import type { ImportedFile, Refs } from './imported.ts';
import type { Address } from './page-text.ts';

export interface ImageLimits {
  concurrency: number;
  maxImages: number;
  maxImageBytes: number;
  /** The total size of all images. */
  maxImagesBytes: number;
}

export const usualImageLimits: ImageLimits = {
  concurrency: 6,
  maxImages: 1_000,
  maxImageBytes: 10_000_000,
  maxImagesBytes: 100_000_000,
};

interface Images {
  files: ImportedFile[];
  /** The refs of the files by the address of the image. */
  refs: Map<string, string>;
  /** The number of images in the texts. */
  total: number;
}

/** Fetches the images among the addresses of texts. Links to images that cannot be fetched stay unchanged. */
export async function fetchImages(
  links: Iterable<Address>,
  refs: Refs,
  fetch: (url: string) => Promise<Fetched | undefined>,
  limits: ImageLimits,
): Promise<Images> {
  const addresses = new Set<string>();
  for (const [url, kind] of links) if (kind === 'image' && /^(?:https?|data):/i.test(url)) addresses.add(url);
  const urls = [...addresses].slice(0, limits.maxImages);
  const images: Images = { files: [], refs: new Map(), total: addresses.size };
  let room = limits.maxImagesBytes;
  for (let index = 0; index < urls.length && room > 0; index += limits.concurrency) {
    const batch = urls.slice(index, index + limits.concurrency);
    const answers = await Promise.all(batch.map(async (url) => ({ url, answer: await fetch(url) })));
    for (const { url, answer } of answers) {
      if (!answer || answer.bytes.length > room) continue;
      const file = fileOf(url, answer, refs);
      if (!file) continue;
      room -= file.bytes.length;
      images.files.push(file);
      images.refs.set(url, file.ref);
    }
  }
  return images;
}

/** Fetches an image. Undefined if that fails. */
export async function fetchImage(url: string, limits: FetchLimits): Promise<Fetched | undefined> {
  try {
    return await fetchBytes(url, { ...limits, accept: 'image/*', data: true });
  } catch (error) {
    if (error instanceof ImportFailure) return undefined;
    throw error;
  }
}

function fileOf(address: string, { bytes, contentType }: Fetched, refs: Refs): ImportedFile | undefined {
  const url = new URL(address);
  const last = url.protocol === 'data:' ? 'image' : decodeAddress(url.pathname.split('/').at(-1) ?? '') || 'image';
  const type = contentTypeOf(last, bytes);
  // An error page with status 200 is not an image.
  if (!type.startsWith('image/')) return undefined;
  const named = /\.[a-z0-9]{2,5}$/i.test(last) ? last : last + extensionOf(type || contentType);
  const ref = refs.file(named);
  return { ref, name: ref, contentType: type, bytes };
}
