import { type Reason, reasons, type Rule, type ValidationIssue } from '../../contract/errors.ts';
import { maxIssues } from '../../contract/validation-issues.ts';

/** A refused request: its reason, and a sentence for the caller. */
export class DomainError extends Error {
  readonly reason: Reason;
  readonly details: ValidationIssue[] | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(reason: Reason, message: string, details?: ValidationIssue[], headers?: Record<string, string>) {
    super(message);
    this.reason = reason;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return reasons[this.reason];
  }
}

/** Invalid values: one error, or all of them at once, of which the first `maxIssues` are listed. */
export class Invalid extends DomainError {
  constructor(path: string, message: string, rule?: Rule);
  /** @param options whether the issues are all that there are; they are by default */
  constructor(issues: ValidationIssue[], options?: { isComplete: boolean });
  constructor(
    value: string | ValidationIssue[],
    message: string | { isComplete: boolean } = { isComplete: true },
    rule: Rule = 'reference',
  ) {
    const issues = typeof value === 'string' ? [issueIn(value, String(message), rule)] : value;
    const isComplete = typeof message === 'string' || message.isComplete;
    super('validation', summaryOf(issues, isComplete), issues.slice(0, maxIssues));
  }
}

const issueIn = (path: string, message: string, rule: Rule): ValidationIssue => ({
  in: path.startsWith('/') ? 'body' : 'query',
  path,
  rule,
  message,
});

function summaryOf(issues: ValidationIssue[], isComplete: boolean): string {
  const [place, ...otherPlaces] = new Set(issues.map((issue) => issue.in));
  const subject = place === undefined || otherPlaces.length > 0 ? 'request' : `request ${nameOfPlace[place]}`;
  const parts = issues.slice(0, 5).map((issue) => `${issue.path || 'the value'} ${issue.message}`);
  const { length } = issues;
  if (!isComplete) parts.push('and others');
  else if (length > parts.length) parts.push(`and ${length - parts.length} more`);
  const count = `${isComplete ? '' : 'more than '}${length} error${length === 1 ? '' : 's'}`;
  const listed = length > maxIssues || !isComplete ? ` The first ${Math.min(length, maxIssues)} are listed.` : '';
  return `The ${subject} has ${count}: ${parts.join('; ')}.${listed}`;
}

const nameOfPlace: Record<ValidationIssue['in'], string> = {
  body: 'body',
  query: 'query',
  path: 'path',
  header: 'header',
};

export class Unauthenticated extends DomainError {
  constructor(message: string) {
    super('unauthorized', message, undefined, { 'www-authenticate': 'Bearer' });
  }
}

export class Forbidden extends DomainError {
  constructor(
    message: string,
    reason: Extract<
      Reason,
      'forbidden' | 'organization-blocked' | 'member-disabled' | 'invite-links-disabled'
    > = 'forbidden',
  ) {
    super(reason, message);
  }
}

/** What cannot be done now, and can be tried again. */
export class Unavailable extends DomainError {
  constructor(message: string, retryAfterSeconds = 1) {
    super('unavailable', message, undefined, { 'retry-after': String(retryAfterSeconds) });
  }
}

export class NotFound extends DomainError {
  /** @param what the object in the service's words, for example `space` */
  constructor(what: string, id?: string) {
    const subject = what[0]?.toUpperCase() + what.slice(1);
    super('not-found', id === undefined ? `${subject} not found.` : `${subject} ${quote(id)} not found.`);
  }
}

const maxQuoted = 60;

/** What a caller sent, in quotation marks and short enough for a message. */
const quote = (text: string) => JSON.stringify(text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text);

export class Conflict extends DomainError {
  constructor(
    reason: Extract<Reason, 'no-change' | 'already-exists' | 'last-admin' | 'invalid-state' | 'cannot-move'>,
    message: string,
  ) {
    super(reason, message);
  }
}
