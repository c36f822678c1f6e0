import type { FetchLimits } from './fetcher.ts';
import type { ImportWork } from './tasks.ts';
import type { WebsiteOptions } from './website/crawl.ts';

export interface SourceOptions {
  /** Allows the import to reach loopback, private and link-local networks. */
  allowPrivate?: FetchLimits['allowPrivate'];
  maxBytes?: number;
  timeoutMs?: number;
  /** Limits of `website`: pages, depth, time and so on. */
  website?: Omit<WebsiteOptions, 'allowPrivate' | 'work'>;
  /** Runs the tasks that read what was fetched; in this thread by default. */
  work?: ImportWork;
}

/** Limits of the sources that are a single file. */
export function sourceLimits({ allowPrivate, maxBytes, timeoutMs }: SourceOptions): FetchLimits {
  return {
    maxBytes: maxBytes ?? 50_000_000,
    timeoutMs: timeoutMs ?? 60_000,
    allowPrivate,
    data: true,
  };
}
