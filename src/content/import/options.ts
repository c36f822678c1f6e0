import type { FetchLimits } from './fetcher.ts';
import type { ImportWork } from './tasks.ts';
import type { WebsiteOptions } from './website/crawl.ts';

export interface SourceOptions {
  /** Allows requests to loopback, private and link-local networks. */
  allowPrivate?: FetchLimits['allowPrivate'];
  maxBytes?: number;
  timeoutMs?: number;
  /** Limits for `website`: pages, depth, time and so on. */
  website?: Omit<WebsiteOptions, 'allowPrivate' | 'work' | 'signal'>;
  /** Runs the tasks that parse responses; by default, in this thread. */
  work?: ImportWork;
  /** Cancels the import. */
  signal?: AbortSignal;
}

/** Limits for sources that are a single file. */
export function sourceLimits({ allowPrivate, maxBytes, timeoutMs, signal }: SourceOptions): FetchLimits {
  return {
    maxBytes: maxBytes ?? 50_000_000,
    timeoutMs: timeoutMs ?? 60_000,
    allowPrivate,
    data: true,
    ...(signal && { signal }),
  };
}
