import { createHash } from 'node:crypto';
import { ImportFailure } from '../../content/import/failure.ts';
import {
  compareOpened,
  type Description,
  type DescriptionSource,
  type Download,
  openDescription,
  type OverlayText,
  type OpenedDescription,
  readDescription,
  UnreadableFile,
} from '../../openapi/index.ts';

/** A description to read, and where its references may lead. */
export interface OpenRequest {
  from: DescriptionSource;
  directory: string;
  referenceRoots: readonly string[];
  /** Hosts in private networks that references may also name. */
  referenceHosts: readonly string[];
  /** Applied to the description before it is checked or compared. */
  overlays?: readonly OverlayText[];
}

export interface ReadRequest extends OpenRequest {
  /** Throws NeedsThread for a description that may take long. */
  onlyHarmless?: boolean;
}

/** A description as it is sent to the service. */
export interface ReadResult extends Omit<Description, 'document'> {
  /** The same for equal documents. */
  digest: string;
}

/** One of two descriptions to compare. */
export interface SideRequest extends OpenRequest {
  /** Replaces file names in places: `git:main:` before each name, or one name without lines. */
  named?: { prefix: string } | { name: string } | undefined;
  /** Whether it was checked and the user accepts its findings, such as duplicate keys. */
  wasChecked?: boolean;
}

export interface CompareRequest {
  before: SideRequest;
  after: SideRequest;
  /** Decides which deprecated operations have passed their sunset date. */
  now: Date;
  onlyHarmless?: boolean;
}

/** The same for equal documents. @param json of the document, with its keys in order */
export const digestOf = (json: string): string => createHash('sha256').update(json).digest('hex');

const limits = { maxBytes: 50 * 1024 * 1024, timeoutMs: 10_000, keepsEncryption: true };

/** The tasks of the thread that checks and compares descriptions. */
export const descriptionTasks = {
  async read({ onlyHarmless = false, ...request }: ReadRequest) {
    try {
      const { from, directory, referenceRoots, overlays = [] } = request;
      const download = onlyHarmless ? {} : { download: downloadFor(request) };
      const options = { ...download, onlyHarmless, overlays };
      const { document, ...description } = await readDescription(from, directory, referenceRoots, options);
      const digest = digestOf(JSON.stringify(document) ?? '');
      return { description: { ...description, digest } satisfies ReadResult };
    } catch (error) {
      if (error instanceof UnreadableFile) return { unreadable: error.message, hint: error.hint };
      throw error;
    }
  },

  async compare({ before, after, now, onlyHarmless = false }: CompareRequest) {
    try {
      const old = await openSide(before, onlyHarmless);
      const current = await openSide(after, onlyHarmless);
      const problems = [...old.problems, ...current.problems];
      return problems.length > 0 ? { problems } : { changes: compareOpened(old, current, now) };
    } catch (error) {
      if (error instanceof UnreadableFile) return { unreadable: error.message, hint: error.hint };
      throw error;
    }
  },
};

async function openSide(
  { named, wasChecked, ...side }: SideRequest,
  onlyHarmless: boolean,
): Promise<OpenedDescription> {
  const { from, directory, referenceRoots, overlays = [] } = side;
  const options = { onlyHarmless, overlays };
  const opened = await openDescription(from, directory, referenceRoots, downloadFor(side), options);
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

/**
 * Downloads documents that references name. The description may come from a pull request, so docsctl sends no token and
 * reads nothing from a private network unless the user allows it.
 */
function downloadFor({ from, referenceHosts }: OpenRequest): Download {
  const hosts = new Set([...referenceHosts, ...('url' in from ? [new URL(from.url).host] : [])]);
  return async (address) => {
    const url = URL.parse(address);
    const allowPrivate = url !== null && (hosts.has(url.host) || hosts.has(url.hostname));
    // Loaded on demand, because most descriptions refer to no addresses.
    const { fetchText } = await import('../../content/import/fetcher.ts');
    try {
      return { text: await fetchText(address, { ...limits, allowPrivate }) };
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      return { reason: reasonOf(error) };
    }
  };
}

function reasonOf({ code, message, status }: ImportFailure): string {
  const reasons: Partial<Record<ImportFailure['code'], string>> = {
    blocked: 'it is in a private network; --ref-host allows its host',
    timeout: 'it did not respond within 10 s',
    status: `the server responded with ${status ?? 'an error'}`,
    'too-large': 'it is larger than 50 MiB',
    unreachable: 'it could not be reached',
    redirects: 'it redirects too often',
  };
  return reasons[code] ?? message.replace(/\.$/, '');
}
