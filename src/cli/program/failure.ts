import { type Reason, reasons, type ValidationIssue } from '../../contract/errors.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import type { FailureKind, FailureReport } from '../../shared/engine-error.ts';

/** The exit statuses of docsctl: scripts depend on them. */
export const exit = {
  done: 0,
  failed: 1,
  usage: 2,
  unauthenticated: 3,
  forbidden: 4,
  notFound: 5,
  refused: 6,
  unreachable: 7,
  someFailed: 8,
  checkFailed: 9,
  interrupted: 130,
  terminated: 143,
} as const;

/** What each status means, in the words of the help. */
export const exitMeanings: [number, string][] = [
  [exit.done, 'done'],
  [exit.failed, 'failed for another reason'],
  [exit.usage, 'usage error: unknown or missing command, flag or value'],
  [exit.unauthenticated, 'no profile or token, or the token was rejected'],
  [exit.forbidden, 'not allowed'],
  [exit.notFound, 'not found'],
  [exit.refused, 'the service refused the request, or a merge has conflicts'],
  [exit.unreachable, 'the service is unreachable, timed out, is rate limiting, or failed'],
  [exit.someFailed, 'some of several items failed'],
  [exit.checkFailed, 'a check failed'],
  [exit.interrupted, 'interrupted'],
  [exit.terminated, 'terminated'],
];

/** Exit status for an HTTP status. */
function exitOfStatus(status: number): number {
  if (status === 401) return exit.unauthenticated;
  if (status === 403) return exit.forbidden;
  if (status === 404) return exit.notFound;
  if (status === 408 || status === 429 || status >= 500) return exit.unreachable;
  if (status >= 400) return exit.refused;
  return exit.failed;
}

/** An error that the user can correct: what went wrong, and what to do about it. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly report: FailureReport | undefined;
  /** If it is more precise than that of the exit status. */
  readonly code: ErrorCode | undefined;

  constructor(
    message: string,
    options: { exitCode?: number; code?: ErrorCode; hint?: string; report?: FailureReport; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? exit.failed;
    this.hint = options.hint;
    this.report = options.report;
    this.code = options.code;
  }
}

export class UsageError extends CommandError {
  constructor(message: string, hint?: string, code?: ErrorCode) {
    super(message, { exitCode: exit.usage, hint, code });
  }
}

/** Makes the errors that end with an exit status. */
const endingWith = (exitCode: number) => (message: string, hint?: string) =>
  new CommandError(message, { exitCode, hint });

export const unauthenticated = endingWith(exit.unauthenticated);
export const notFound = endingWith(exit.notFound);
export const refused = endingWith(exit.refused);
export const someFailed = endingWith(exit.someFailed);
export const checkFailed = endingWith(exit.checkFailed);

/** The error for a missing argument or flag of a command. */
export const missingValue = (input: string, path: string) =>
  new UsageError(`${input} is missing.`, `See "docsctl ${path} --help".`, 'missing-value');

/** The error for an argument or flag without a value. */
export const emptyValue = (input: string) =>
  new UsageError(`${input} is empty.`, 'Perhaps a shell variable in the command line is not set.', 'empty-value');

/** A failure as it is reported, as text or as JSON. */
export interface Failure {
  exitCode: number;
  code: ErrorCode;
  message: string;
  status?: number;
  reason?: string;
  details?: ValidationIssue[];
  hint?: string;
  requestId?: string;
  report?: FailureReport;
  /** The item that failed, if a command runs for several. */
  item?: string;
}

/** The members that errors of the client, the engines, the commands and the output may have. */
type ErrorMembers = Omit<Partial<Failure>, 'code'> & { kind?: FailureKind; code?: unknown };

/** How an error is reported. An error that no code foresees is a bug, and gets status 1. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { exitCode: exit.failed, code: 'bug', message: String(error) };
  if (error.name === 'AbortError' || error.name === 'ExitPromptError')
    return { exitCode: exit.interrupted, code: 'interrupted', message: 'Interrupted.' };
  // Errors of several modules end here. They are read by their members, so that none of the modules is loaded for it.
  const members = error as Error & ErrorMembers;
  const { kind, status, reason, details, hint, requestId, report, message } = members;
  const exitCode =
    members.exitCode ?? (kind && exit[kind]) ?? (status === undefined ? exitOfName(error.name) : exitOfStatus(status));
  return {
    exitCode,
    code: codeOf(members, exitCode),
    message,
    status,
    reason,
    details,
    hint: hint ?? adviceOn(status, reason),
    requestId,
    report,
  };
}

/** The codes of errors that have none of their own, by exit status. */
const codeOfExit: Readonly<Record<number, ErrorCode>> = {
  [exit.usage]: 'usage',
  [exit.unauthenticated]: 'unauthenticated',
  [exit.forbidden]: 'forbidden',
  [exit.notFound]: 'not-found',
  [exit.refused]: 'refused',
  [exit.unreachable]: 'unreachable',
  [exit.someFailed]: 'some-failed',
  [exit.checkFailed]: 'check-failed',
  [exit.interrupted]: 'interrupted',
  [exit.terminated]: 'interrupted',
};

const codeOfName: Readonly<Record<string, ErrorCode>> = {
  UnusableToken: 'invalid-token',
  InvalidPathParameter: 'invalid-value',
  NetworkError: 'network',
  TimedOut: 'timeout',
  UnexpectedResponse: 'unexpected-response',
  ClientError: 'client-error',
};

/** Another service may answer with reasons that docsctl does not know. */
const isReason = (reason: string | undefined): reason is Reason =>
  reason !== undefined && Object.hasOwn(reasons, reason);

/** The codes of responses without a reason, which come from proxies and other services. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  429: 'rate-limited',
  500: 'internal',
};

function codeOf(error: Error & ErrorMembers, exitCode: number): ErrorCode {
  const { code, status, kind, name } = error;
  const isForeseen = kind !== undefined || error.exitCode !== undefined;
  if (isForeseen && isOwnCode(code)) return code;
  // An error with a response may have an exit status of its own, as when a name in the request is not known.
  if (status !== undefined && exitCode === exitOfStatus(status)) {
    if (isReason(error.reason)) return error.reason;
    return codeOfStatus[status] ?? (status >= 500 ? 'unavailable' : 'rejected');
  }
  const named = Object.hasOwn(codeOfName, name) ? codeOfName[name] : undefined;
  if (named !== undefined) return named;
  // Errors of Node.js and defects have neither a kind nor an exit status.
  if (!isForeseen) return 'bug';
  return codeOfExit[exitCode] ?? 'failed';
}

/** Whether it is a code of docsctl. Those of the system, such as ENOENT, are in capitals. */
const isOwnCode = (code: unknown): code is ErrorCode => typeof code === 'string' && /^[a-z]/.test(code);

function exitOfName(name: string): number {
  if (name === 'UnusableToken') return exit.unauthenticated;
  if (name === 'InvalidPathParameter') return exit.usage;
  return name === 'NetworkError' || name === 'TimedOut' ? exit.unreachable : exit.failed;
}

/** What to do about refusals that many commands may meet. */
const adviceFor: Record<string, string> = {
  'last-admin': 'Make somebody else administrator: "docsctl members edit <user> --role admin".',
  'not-found': 'Check what was named. If it is right, your token may not see it: "docsctl whoami" shows whose it is.',
  forbidden: '"docsctl whoami" shows who you are; "docsctl members view <user>" shows your role.',
  'invite-links-disabled': '"docsctl orgs edit --invite-links" turns them on.',
};

function adviceOn(status: number | undefined, reason = ''): string | undefined {
  if (status === 401) return 'Sign in with "docsctl auth login", or set DOCSCTL_URL and DOCSCTL_TOKEN.';
  return Object.hasOwn(adviceFor, reason) ? adviceFor[reason] : undefined;
}

/** The flag or argument that a validation issue of the service is about, if there is one. */
export type FlagOf = (issue: ValidationIssue) => string | undefined;

/**
 * Text for standard error: `error: ...`, one line per validation issue with the name of the flag, `hint: ...`.
 *
 * @param flagOf turns `/parent` into `--parent`
 */
export function failureText(failure: Failure, flagOf: FlagOf = () => undefined): string {
  const lines: string[] = [];
  if (failure.reason === 'validation' && failure.details && failure.details.length > 0) {
    const issues = failure.details.map(
      (issue) => `${flagOf(issue) ?? (issue.path || 'the request')}: ${issue.message}`,
    );
    if (issues.length === 1) lines.push(`error: ${issues[0]}`);
    else lines.push(`error: The service refused ${issues.length} values.`, ...issues.map((line) => `  ${line}`));
  } else lines.push(`error: ${failure.report?.text ?? failure.message}`);
  if (failure.hint !== undefined) lines.push(`hint: ${failure.hint}`);
  if (failure.requestId !== undefined && (failure.status ?? 0) >= 500) lines.push(`request id: ${failure.requestId}`);
  return `${lines.join('\n')}\n`;
}

export function failureJson(failure: Failure): string {
  return `${JSON.stringify({ error: errorMembers(failure) })}\n`;
}

/** The members of an error in JSON. */
export function errorMembers(failure: Failure): ErrorJson {
  const { exitCode: _, report, hint, ...error } = failure;
  const docs = docsOfError(failure.code);
  return { ...error, hint: hint ?? `See "docsctl help errors ${failure.code}".`, ...report?.members, docs };
}

/** Where the documentation describes an error. */
export const docsOfError = (code: ErrorCode): string => `docs/errors.md#${code}`;

export type ErrorJson = Omit<Failure, 'exitCode' | 'report'> & { docs: string };
