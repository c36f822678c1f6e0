import { findDownload } from '../../store/files.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceResponse } from '../engine/request.ts';

/** The bytes of a file. Whoever knows the address may have it (open parts, 7, "Tokens"). */
export async function download(instance: Instance, match: RegExpExecArray): Promise<InstanceResponse | undefined> {
  const file = await instance.store.read((db) => findDownload(db, match.groups!.id!));
  if (!file) return undefined;
  return {
    status: 200,
    headers: {
      'content-type': file.content_type,
      'content-disposition': disposition(file.content_type, file.name),
      // What people upload is shown from the service's own address: it must not run there.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
    body: file.bytes,
  };
}

/** Pictures are shown where they are linked; anything else is saved. */
export function disposition(contentType: string, name: string): string {
  const kind =
    /^(?:image|audio|video)\//.test(contentType) || contentType === 'application/pdf' ? 'inline' : 'attachment';
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`;
}
