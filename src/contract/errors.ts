import { knownWords } from '../shared/words.ts';

/** Every `error.reason` the service gives, with its HTTP status. */
export const reasons = {
  'malformed-json': 400,
  validation: 400,
  'bad-page-token': 400,
  unauthorized: 401,
  forbidden: 403,
  'organization-blocked': 403,
  'member-disabled': 403,
  'invite-links-disabled': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'no-change': 409,
  'already-exists': 409,
  'last-admin': 409,
  'invalid-state': 409,
  'cannot-move': 412,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'expectation-failed': 417,
  misdirected: 421,
  'import-failed': 422,
  'unsupported-source': 422,
  'too-complex': 422,
  'rate-limited': 429,
  internal: 500,
  unavailable: 503,
} as const;
export type Reason = keyof typeof reasons;

export const rules = knownWords(
  'required type enum minLength maxLength minItems maxItems minimum maximum pattern format unique reference unexpected conflict',
);
export type Rule = (typeof rules)[number];

/** One invalid value of a request. `path` is a JSON Pointer in a body, else the parameter's name. */
export interface ValidationIssue {
  in: 'body' | 'query' | 'path' | 'header';
  path: string;
  rule: Rule;
  message: string;
}

/** The one shape of all error answers. */
export interface ErrorBody {
  error: {
    code: number;
    message: string;
    reason?: Reason | (string & {});
    details?: ValidationIssue[];
    requestId?: string;
  };
}
