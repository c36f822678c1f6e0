import type { Fault } from '../../contract/errors.ts';
import { exit, exitOfStatus } from './exit-status.ts';

/** Something the user can mend: what went wrong, and what to do about it. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(message: string, options: { exitCode?: number; hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? exit.failed;
    this.hint = options.hint;
  }
}

export class UsageError extends CommandError {
  constructor(message: string, hint?: string) {
    super(message, { exitCode: exit.usage, ...(hint === undefined ? {} : { hint }) });
  }
}

/** A failure as it is told, in text or as JSON. */
export interface Failure {
  exitCode: number;
  message: string;
  status?: number;
  reason?: string;
  details?: Fault[];
  hint?: string;
  requestId?: string;
  /** Which of several items it is about. */
  item?: string;
}

interface Known {
  exitCode?: number;
  status?: number;
  reason?: string;
  details?: Fault[];
  hint?: string;
  requestId?: string;
}

/** What an error means to the user. Anything unforeseen is a fault of ours and told as one. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { exitCode: exit.failed, message: String(error) };
  if (error.name === 'AbortError' || error.name === 'ExitPromptError')
    return { exitCode: exit.interrupted, message: 'Interrupted.' };
  const known = error as Error & Known;
  const { status, reason, details, hint, requestId } = known;
  const exitCode = known.exitCode ?? (status === undefined ? exitOfName(error.name) : exitOfStatus(status));
  return {
    exitCode,
    message: error.message,
    ...(status === undefined ? {} : { status }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    ...hintOf(hint, status, reason),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function exitOfName(name: string): number {
  if (name === 'UnusableToken') return exit.unauthenticated;
  if (name === 'InvalidPathParameter') return exit.usage;
  return name === 'NetworkError' || name === 'TimedOut' ? exit.unreachable : exit.failed;
}

function hintOf(given: string | undefined, status: number | undefined, reason: string | undefined): { hint?: string } {
  if (given !== undefined) return { hint: given };
  if (status === 401) return { hint: 'Sign in with "docsctl auth login", or set DOCSCTL_URL and DOCSCTL_TOKEN.' };
  if (reason === 'forbidden')
    return { hint: '"docsctl whoami" and "docsctl members view <you>" show who you are and which role you have.' };
  return {};
}

/** The flag that a fault of the service is about, where there is one. */
export type FlagOf = (fault: Fault) => string | undefined;

/**
 * Text for standard error: `error: ...`, one line per fault with the flag's name, `hint: ...`.
 *
 * @param flagOf turns `/parent` into `--parent`
 */
export function failureText(failure: Failure, flagOf: FlagOf = () => undefined): string {
  const lines: string[] = [];
  if (failure.reason === 'validation' && failure.details && failure.details.length > 0) {
    const told = failure.details.map((fault) => `${flagOf(fault) ?? (fault.path || 'the request')}: ${fault.message}`);
    if (told.length === 1) lines.push(`error: ${told[0]}`);
    else lines.push(`error: The service refused ${told.length} values.`, ...told.map((line) => `  ${line}`));
  } else lines.push(`error: ${failure.message}`);
  if (failure.hint !== undefined) lines.push(`hint: ${failure.hint}`);
  if (failure.requestId !== undefined && (failure.status ?? 0) >= 500) lines.push(`request id: ${failure.requestId}`);
  return `${lines.join('\n')}\n`;
}

export function failureJson(failure: Failure): string {
  const { exitCode: _, ...error } = failure;
  return `${JSON.stringify({ error })}\n`;
}
