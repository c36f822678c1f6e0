import type { Collector } from './collector.ts';
import type { Operations } from './operations.ts';

/** The two documents, and where changes go. */
export interface Documents {
  before: Operations;
  after: Operations;
  collector: Collector;
  now: Date;
}

/** Who sends a request: the API itself sends those of callbacks and webhooks. */
export type Sender = 'client' | 'api';

/** The operation that is compared. */
export interface Context {
  collector: Collector;
  name: string;
  sender: Sender;
  now: Date;
}
