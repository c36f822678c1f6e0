import { type Fault, type Reason, type Rule, reasons } from '../contract/errors.ts';

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

/** Bad values: one fault, or all of them at once. */
export class Invalid extends DomainError {
  constructor(path: string, message: string, rule?: Rule);
  constructor(faults: Fault[]);
  constructor(at: string | Fault[], message = '', rule: Rule = 'reference') {
    const faults = typeof at === 'string' ? [faultAt(at, message, rule)] : at;
    super('validation', sentence(faults), faults);
  }
}

const faultAt = (path: string, message: string, rule: Rule): Fault => ({
  in: path.startsWith('/') ? 'body' : 'query',
  path,
  rule,
  message,
});

const places: Record<Fault['in'], string> = { body: 'body', query: 'query', path: 'path', header: 'headers' };

function sentence(faults: Fault[]): string {
  const where = new Set(faults.map((fault) => fault.in));
  const place = where.size === 1 ? `request ${places[faults[0]!.in]}` : 'request';
  const told = faults.slice(0, 5).map((fault) => `${fault.path || 'the value'} ${fault.message}`);
  if (faults.length > 5) told.push(`and ${faults.length - 5} more`);
  return `The ${place} has ${faults.length} fault${faults.length === 1 ? '' : 's'}: ${told.join('; ')}.`;
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
