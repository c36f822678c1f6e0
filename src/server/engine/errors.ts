import { type Fault, type Reason, type Rule, reasons } from '../../contract/errors.ts';
import { mostFaults } from '../../contract/validation-issues.ts';

/** An error of the rules: what the caller did wrong or may not do, in a sentence for the caller. */
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

/** Bad values: one fault, or all of them at once, of which the first `mostFaults` are listed. */
export class Invalid extends DomainError {
  constructor(path: string, message: string, rule?: Rule);
  /** @param more faults that are not in the list */
  constructor(faults: Fault[], more?: number);
  constructor(at: string | Fault[], message: string | number = 0, rule: Rule = 'reference') {
    const faults = typeof at === 'string' ? [faultAt(at, String(message), rule)] : at;
    const more = typeof message === 'number' ? message : 0;
    super('validation', sentence(faults, faults.length + more), faults.slice(0, mostFaults));
  }
}

const faultAt = (path: string, message: string, rule: Rule): Fault => ({
  in: path.startsWith('/') ? 'body' : 'query',
  path,
  rule,
  message,
});

const places: Record<Fault['in'], string> = { body: 'body', query: 'query', path: 'path', header: 'headers' };

function sentence(faults: Fault[], total: number): string {
  const where = new Set(faults.map((fault) => fault.in));
  const place = where.size === 1 ? `request ${places[faults[0]!.in]}` : 'request';
  const told = faults.slice(0, 5).map((fault) => `${fault.path || 'the value'} ${fault.message}`);
  if (total > told.length) told.push(`and ${total - told.length} more`);
  const listed = total > mostFaults ? ` The first ${mostFaults} are listed.` : '';
  return `The ${place} has ${total} fault${total === 1 ? '' : 's'}: ${told.join('; ')}.${listed}`;
}

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
  constructor(message: string) {
    super('unavailable', message, undefined, { 'retry-after': '1' });
  }
}

export class NotFound extends DomainError {
  /** @param what the object in the service's words, for example `space` */
  constructor(what: string, id?: string) {
    super(
      'not-found',
      id === undefined ? `There is no such ${what}.` : `There is no ${what} ${shown(id)} here, or you may not see it.`,
    );
  }
}

// What callers send comes back in messages: enough to recognize it, not a page of it.
const shown = (id: string) => JSON.stringify(id.length > 60 ? `${id.slice(0, 60)}…` : id);

export class Conflict extends DomainError {
  constructor(
    reason: Extract<Reason, 'no-change' | 'already-exists' | 'last-admin' | 'invalid-state' | 'cannot-move'>,
    message: string,
  ) {
    super(reason, message);
  }
}
