import { findDownload } from '../../store/files.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceResponse } from '../engine/request.ts';

/** The bytes of a file. The address is all that a reader needs. */
export async function download(instance: Instance, id: string): Promise<InstanceResponse | undefined> {
  const file = await instance.store.read((db) => findDownload(db, id));
  if (!file) return undefined;
  return {
    status: 200,
    headers: {
      'content-type': file.content_type,
      'content-disposition': disposition(file.content_type, file.name),
      // An uploaded file must not run scripts under the address of the service.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
    body: file.bytes,
  };
}

/** Media and PDF open in the browser; other files are saved. */
export function disposition(contentType: string, name: string): string {
  const type =
    /^(?:image|audio|video)\//.test(contentType) || contentType === 'application/pdf' ? 'inline' : 'attachment';
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  return `${type}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`;
}
