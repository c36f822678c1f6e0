import type { ErrorCode } from './error-codes.ts';

/** What went wrong, in the words of the exit statuses: the command line gives each kind its status. */
export type FailureKind =
  | 'failed'
  | 'usage'
  | 'forbidden'
  | 'notFound'
  | 'refused'
  | 'unreachable'
  | 'someFailed'
  | 'checkFailed';

/** All that an error is about, where its message only sums it up. */
export interface FailureReport {
  /** In place of the message, for people. */
  text: string;
  /** Further members of the error in JSON. */
  members: Readonly<Record<string, unknown>>;
}

/** A failure that an engine foresees: what went wrong, and what to do about it. */
export class EngineError extends Error {
  readonly kind: FailureKind;
  readonly hint: string | undefined;
  readonly report: FailureReport | undefined;
  /** If it is more precise than the kind. */
  readonly code: ErrorCode | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    options: { hint?: string; code?: ErrorCode; report?: FailureReport; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint;
    this.report = options.report;
    this.code = options.code;
  }
}
