import * as z from 'zod/mini';
import { statuses } from '../../proposals/status.ts';
import {
  all,
  anything,
  array,
  count,
  number,
  object,
  optional,
  record,
  string,
  text,
  union,
  word,
} from './printed-values.ts';
import { plan } from './printed.ts';

// The JSON of commands about proposals, as in printed.ts.

const person = object({ id: string(), displayName: string(), email: text() });
const posted = { user: person, at: string() };

export const proposal = object({
  ...all(string, 'id title createdAt'),
  number: number(),
  status: z.enum(statuses),
  author: person,
  expiresAt: z.nullable(string()),
  hash: z.nullable(string()),
  required: number(),
  approvals: array(object(posted)),
  void: array(object({ ...posted, reason: string() })),
  command: text(),
  plan: text(),
  files: optional(array(object({ path: string(), bytes: number() }))),
  requests: array(object({ method: string(), path: string(), body: anything(), status: count() })),
  changes: plan,
  access: array(
    object({ member: string(), space: string(), before: z.nullable(string()), after: z.nullable(string()) }),
  ),
  brokenLinks: array(object({ space: string(), page: string(), target: string() })),
  notChecked: record(string(), number()),
  rejected: optional(object({ ...posted, reason: z.nullable(string()) })),
  outdated: optional(object({ at: string(), changed: array(string()) })),
  result: optional(
    object({
      startedBy: optional(person),
      startedAt: text(),
      host: text(),
      endedAt: text(),
      status: count(),
      changes: count(),
      error: text(),
      pullRequest: text(),
      reverted: optional(object({ ...posted, status: number(), error: z.nullable(string()) })),
    }),
  ),
});

export const proposalDiff = object({
  id: string(),
  number: number(),
  pages: array(object({ space: string(), page: string(), diff: array(string()) })),
  changed: array(string()),
});

export const allowed = array(
  object({ user: string(), name: string(), result: word('allowed', 'invited'), invite: text() }),
);

/** What `plan` prints: its changes, or with --propose the proposal. */
export const planOrProposal = union([plan, proposal]);

export const proposals = array(
  object({
    ...all(string, 'id title createdAt'),
    number: number(),
    status: z.enum(statuses),
    author: person,
    expiresAt: z.nullable(string()),
    hash: z.nullable(string()),
    required: number(),
    approvals: array(object(posted)),
    command: text(),
    plan: text(),
  }),
);
