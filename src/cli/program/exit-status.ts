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
export function exitOfStatus(status: number): number {
  if (status === 401) return exit.unauthenticated;
  if (status === 403) return exit.forbidden;
  if (status === 404) return exit.notFound;
  if (status === 408 || status === 429 || status >= 500) return exit.unreachable;
  if (status >= 400) return exit.refused;
  return exit.failed;
}
