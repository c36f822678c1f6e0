import { fetchText } from '../../content/import/fetcher.ts';
import { ImportFailure } from '../../content/import/failure.ts';
import { type DescriptionSource, type Download, readDescription, UnreadableFile } from '../../openapi/index.ts';

/** What a thread is told about a description to read and check. */
export interface ReadRequest {
  from: DescriptionSource;
  directory: string;
  referenceRoots: readonly string[];
  /** Hosts in private networks that references may name too. */
  referenceHosts: readonly string[];
  /** Whether the parsed document is returned. */
  withDocument: boolean;
}

const limits = { maxBytes: 50 * 1024 * 1024, timeoutMs: 10_000, keepsEncryption: true };

/** What the thread does that checks descriptions. */
export const descriptionTasks = {
  async read({ from, directory, referenceRoots, referenceHosts, withDocument }: ReadRequest) {
    try {
      const own = 'url' in from ? [new URL(from.url).host] : [];
      const download = downloadFrom(new Set([...referenceHosts, ...own]));
      const description = await readDescription(from, directory, referenceRoots, { download });
      return { description: withDocument ? description : { ...description, document: undefined } };
    } catch (error) {
      if (error instanceof UnreadableFile) return { unreadable: error.message };
      throw error;
    }
  },
};

/**
 * Downloads documents that references name. A pull request may have written the description: so without the user's
 * consent, nothing comes from a private network, and no token is sent.
 */
export function downloadFrom(hosts: ReadonlySet<string>): Download {
  return async (address) => {
    const url = URL.parse(address);
    const isAllowed = url !== null && (hosts.has(url.host) || hosts.has(url.hostname));
    try {
      return { text: await fetchText(address, { ...limits, allowPrivate: isAllowed }) };
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      return { reason: reasonOf(error) };
    }
  };
}

function reasonOf({ code, message, status }: ImportFailure): string {
  switch (code) {
    case 'blocked':
      return 'it is in a private network; --ref-host allows its host';
    case 'timeout':
      return 'it did not answer within 10 s';
    case 'status':
      return `it answered with ${status ?? 'an error'}`;
    case 'too-large':
      return 'it is larger than 50 MiB';
    case 'unreachable':
      return 'it could not be reached';
    case 'redirects':
      return 'it redirects too often';
    case 'unreadable':
    case 'unsupported':
      return message.replace(/\.$/, '');
  }
}
