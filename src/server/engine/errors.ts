import { type Fault, type Reason, type Rule, reasons } from '../../contract/errors.ts';
import { mostFaults } from '../../contract/validation-issues.ts';

/** A refused request: its reason, and a sentence for the caller. */
export class DomainError extends Error {
  readonly reason: Reason;
  readonly details: Fault[] | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(reason: Reason, message: string, details?: Fault[], headers?: Record<string, string>) {
    super(message);
    this.reason = reason;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return reasons[this.reason];
  }
}

/** Invalid values: one error, or all of them at once, of which the first `mostFaults` are listed. */
export class Invalid extends DomainError {
  constructor(path: string, message: string, rule?: Rule);
  /** @param unlisted number of errors that are not in the list */
  constructor(faults: Fault[], unlisted?: number);
  constructor(value: string | Fault[], message: string | number = 0, rule: Rule = 'reference') {
    const faults = typeof value === 'string' ? [faultIn(value, String(message), rule)] : value;
    const unlisted = typeof message === 'number' ? message : 0;
    super('validation', summaryOf(faults, faults.length + unlisted), faults.slice(0, mostFaults));
  }
}

const faultIn = (path: string, message: string, rule: Rule): Fault => ({
  in: path.startsWith('/') ? 'body' : 'query',
  path,
  rule,
  message,
});

function summaryOf(faults: Fault[], total: number): string {
  const [place, ...otherPlaces] = new Set(faults.map((fault) => fault.in));
  const subject = place === undefined || otherPlaces.length > 0 ? 'request' : `request ${nameOfPlace[place]}`;
  const parts = faults.slice(0, 5).map((fault) => `${fault.path || 'the value'} ${fault.message}`);
  if (total > parts.length) parts.push(`and ${total - parts.length} more`);
  const listed = total > mostFaults ? ` The first ${mostFaults} are listed.` : '';
  return `The ${subject} has ${total} error${total === 1 ? '' : 's'}: ${parts.join('; ')}.${listed}`;
}

const nameOfPlace: Record<Fault['in'], string> = { body: 'body', query: 'query', path: 'path', header: 'headers' };

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
    super(
      'not-found',
      id === undefined ? `${subject} not found.` : `${subject} ${quote(id)} not found, or permission denied.`,
    );
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
