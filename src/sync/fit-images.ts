import { maxInlineBytes } from '../contract/content.ts';
import { hashOf, type LocalFile, type LocalFolder } from '../content/folder/folder.ts';
import { type Docs, type FolderTexts, workOn } from './local-folder.ts';

/** An image that is sent smaller than it is in the folder. */
export interface FittedFile {
  path: string;
  before: number;
  after: number;
  width: number;
  height: number;
}

/**
 * The folder with images over the limit of the service made smaller. The files themselves stay as they are.
 *
 * @returns also the images of other formats over the limit, which stay as large as they are
 */
export async function fitImages(
  texts: FolderTexts,
  docs: Docs,
  local: LocalFolder,
): Promise<{ local: LocalFolder; fitted: FittedFile[]; others: string[] }> {
  const files: LocalFile[] = [];
  const fitted: FittedFile[] = [];
  const others: string[] = [];
  for (const file of local.files) {
    const { path, bytes } = file;
    const isLarge = bytes.length > maxInlineBytes && /\.(?:png|jpe?g)$/i.test(path);
    if (bytes.length > maxInlineBytes && /\.(?:webp|gif|svg|avif|bmp|tiff?)$/i.test(path)) others.push(path);
    const work = { ...workOn({ docs, local }), texts: [bytes] };
    const result = isLarge ? await texts.run('fitImage', { path, bytes, maxBytes: maxInlineBytes }, work) : undefined;
    if (!result) files.push(file);
    else {
      files.push({ path, bytes: result.bytes, hash: hashOf(result.bytes), original: bytes });
      fitted.push({
        path,
        before: bytes.length,
        after: result.bytes.length,
        width: result.width,
        height: result.height,
      });
    }
  }
  return { local: { ...local, files }, fitted, others };
}
