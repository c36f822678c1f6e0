import { createHash } from 'node:crypto';
import { describeFile } from '../../../content/folder/files.ts';

export interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

/** What the bytes of a file say. */
export interface FileFacts {
  contentType: string;
  digest: string;
  width: number | null;
  height: number | null;
}

export async function readFile({ name, bytes }: NamedFile): Promise<FileFacts> {
  const { contentType, dimensions } = await describeFile(name, bytes);
  return {
    contentType,
    digest: createHash('sha256').update(bytes).digest('base64url'),
    width: dimensions?.width ?? null,
    height: dimensions?.height ?? null,
  };
}
