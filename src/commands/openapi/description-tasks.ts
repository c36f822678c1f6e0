import { ImportFailure } from '../../content/import/failure.ts';
import {
  compareOpened,
  type Description,
  type DescriptionSource,
  type Download,
  openDescription,
  type OpenedDescription,
  readDescription,
  UnreadableFile,
} from '../../openapi/index.ts';

import { digestOf } from './digest.ts';

/** A description to be read, and where its references may lead. */
export interface OpenRequest {
  from: DescriptionSource;
  directory: string;
  referenceRoots: readonly string[];
  /** Hosts in private networks that references may name too. */
  referenceHosts: readonly string[];
}

export interface ReadRequest extends OpenRequest {
  /** Throws NeedsThread for what may take long. */
  onlyHarmless?: boolean;
}

/** A description as it is sent to the service. */
export interface ReadResult extends Omit<Description, 'document'> {
  /** The same for documents that are the same. */
  digest: string;
}

/** One of two descriptions that are compared. */
export interface SideRequest extends OpenRequest {
  /** What its places are called, where not by their files: `git:main:` before their names, or a name without lines. */
  named?: { prefix: string } | { name: string } | undefined;
  /** Whether the user accepts what was found in it, such as duplicate keys. */
  wasChecked?: boolean;
}

export interface CompareRequest {
  before: SideRequest;
  after: SideRequest;
  /** Decides which deprecated operations were to end by now. */
  now: Date;
  onlyHarmless?: boolean;
}

const limits = { maxBytes: 50 * 1024 * 1024, timeoutMs: 10_000, keepsEncryption: true };

/** What the thread does that checks and compares descriptions. */
export const descriptionTasks = {
  async read({ onlyHarmless = false, ...request }: ReadRequest) {
    try {
      const { from, directory, referenceRoots } = request;
      const download = onlyHarmless ? {} : { download: downloadFor(request) };
      const options = { ...download, onlyHarmless };
      const { document, ...description } = await readDescription(from, directory, referenceRoots, options);
      const digest = digestOf(JSON.stringify(document) ?? '');
      return { description: { ...description, digest } satisfies ReadResult };
    } catch (error) {
      if (error instanceof UnreadableFile) return { unreadable: error.message };
      throw error;
    }
  },

  async compare({ before, after, now, onlyHarmless = false }: CompareRequest) {
    const sides: OpenedDescription[] = [];
    for (const side of [before, after]) {
      try {
        sides.push(await openSide(side, onlyHarmless));
      } catch (error) {
        if (error instanceof UnreadableFile) return { unreadable: error.message };
        throw error;
      }
    }
    const problems = sides.flatMap((side) => side.problems);
    const [old, current] = sides;
    if (problems.length > 0 || !old || !current) return { problems };
    return { changes: compareOpened(old, current, now) };
  },
};

async function openSide(
  { named, wasChecked, ...side }: SideRequest,
  onlyHarmless: boolean,
): Promise<OpenedDescription> {
  const { from, directory, referenceRoots } = side;
  const opened = await openDescription(from, directory, referenceRoots, downloadFor(side), onlyHarmless);
  if (wasChecked) return { ...opened, problems: opened.problems.filter(({ rule }) => rule !== 'duplicate-key') };
  if (!named) return opened;
  const nameOf = (file: string) => ('prefix' in named ? named.prefix + file : named.name);
  return {
    ...opened,
    problems: opened.problems.map((problem) => ({ ...problem, file: nameOf(problem.file) })),
    placesOf(refs) {
      const places = [...opened.placesOf(refs)].map(([ref, { file, pointer, ...position }]) => {
        return [ref, { file: nameOf(file), ...('prefix' in named ? position : {}), pointer }] as const;
      });
      return new Map(places);
    },
  };
}

function downloadFor({ from, referenceHosts }: OpenRequest): Download {
  const own = 'url' in from ? [new URL(from.url).host] : [];
  return downloadFrom(new Set([...referenceHosts, ...own]));
}

/**
 * Downloads documents that references name. A pull request may have written the description: so without the user's
 * consent, nothing comes from a private network, and no token is sent.
 */
function downloadFrom(hosts: ReadonlySet<string>): Download {
  return async (address) => {
    const url = URL.parse(address);
    const isAllowed = url !== null && (hosts.has(url.host) || hosts.has(url.hostname));
    // Most descriptions refer to no addresses.
    const { fetchText } = await import('../../content/import/fetcher.ts');
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
