import type { ImportState } from '../../../contract/instance.ts';
import type { Imported } from '../../../content/import/imported.ts';
import { DomainError, Unavailable } from '../../engine/errors.ts';
import type { Instance } from '../../engine/instance.ts';
import type { TextWork } from './new-texts.ts';

export interface SourceAddress {
  source: string;
  url: string;
}

/** What an import needs beside its source. */
export interface ImportRun {
  instance: Instance;
  caller: string;
  /** Aborted when the client no longer waits: then nothing may be written. */
  signal: AbortSignal | undefined;
  state: ImportState;
}

/** Fetching ends early enough that what was fetched can still be read within the limit of the whole import. */
const fetchingShare = 2 / 3;

/** The work of one import, with one time limit for all of it. */
export function importWork({ instance: { texts, importLimits }, caller, signal }: ImportRun): TextWork {
  const end = performance.now() + importLimits.timeoutMs;
  return (name, input, what) => {
    if (signal?.aborted) return Promise.reject(notAwaited());
    return performance.now() > end
      ? Promise.reject(importFailed(`It took more than ${importLimits.timeoutMs / 1000} s.`))
      : texts.run(name, input, { caller, what });
  };
}

/** @throws Unavailable where nobody waits for the import any more */
export function assertAwaited(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw notAwaited();
}

const notAwaited = () => new Unavailable('The client no longer waits for the import. Nothing was imported.');

/** @throws DomainError with a message for the caller */
export async function fetchSource(run: ImportRun, { source, url }: SourceAddress, work: TextWork): Promise<Imported> {
  const { instance, signal, state } = run;
  const { pages, depth, bytes, timeoutMs } = instance.importLimits;
  const { ImportFailure } = await import('../../../content/import/failure.ts');
  const { importFrom } = await import('../../../content/import/sources.ts');
  return importFrom(source, url, {
    allowPrivate: instance.allowPrivateImports,
    maxBytes: bytes,
    timeoutMs: timeoutMs * fetchingShare,
    ...(signal && { signal }),
    website: {
      maxPages: pages,
      maxDepth: depth,
      timeoutMs: timeoutMs * fetchingShare,
      onProgress: (progress) => Object.assign(state, progress),
    },
    work: (name, input) =>
      work(name, input, 'The document at the address').catch((error: unknown) => {
        // For an importer this is an unreadable page, which is left out where there are others.
        throw isTooComplex(error) ? new ImportFailure('unreadable', error.message) : error;
      }),
  });
}

export async function withImportErrors<T>(signal: AbortSignal | undefined, importing: () => Promise<T>): Promise<T> {
  const { ImportFailure } = await import('../../../content/import/failure.ts');
  try {
    return await importing();
  } catch (error) {
    assertAwaited(signal);
    if (isTooComplex(error)) throw importFailed(error.message);
    if (!(error instanceof ImportFailure)) throw error;
    if (error.code === 'unsupported') throw new DomainError('unsupported-source', error.message);
    throw importFailed(error.message);
  }
}

const isTooComplex = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.reason === 'too-complex';

const importFailed = (message: string) => new DomainError('import-failed', `Nothing was imported. ${message}`);
