import type { FetchLimits } from './fetcher.ts';
import type { ImportWork } from './tasks.ts';
import type { WebsiteOptions } from './website/crawl.ts';

export interface SourceOptions {
  /** Allows the import to reach loopback, private and link-local networks. */
  allowPrivate?: FetchLimits['allowPrivate'];
  maxBytes?: number;
  timeoutMs?: number;
  /** Limits of `website`: pages, depth, time and so on. */
  website?: Omit<WebsiteOptions, 'allowPrivate' | 'work' | 'signal'>;
  /** Runs the tasks that read what was fetched; in this thread by default. */
  work?: ImportWork;
  /** Ends the import, without a result. */
  signal?: AbortSignal;
}

/** Limits of the sources that are a single file. */
export function sourceLimits({ allowPrivate, maxBytes, timeoutMs, signal }: SourceOptions): FetchLimits {
  return {
    maxBytes: maxBytes ?? 50_000_000,
    timeoutMs: timeoutMs ?? 60_000,
    allowPrivate,
    data: true,
    ...(signal && { signal }),
  };
}
