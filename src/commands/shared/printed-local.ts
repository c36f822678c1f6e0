import * as z from 'zod/mini';
import { roles } from '../../contract/access.ts';
import { User } from '../../contract/common.ts';
import {
  all,
  anything,
  array,
  boolean,
  count,
  number,
  object,
  optional,
  record,
  string,
  text,
  word,
} from './printed-values.ts';
import { plan } from './printed.ts';

// The JSON of commands about this machine, as in printed.ts.

const role = () => z.enum(roles);
const counts = { members: number(), teams: number(), collections: number(), spaces: number(), sites: number() };
export const twin = object({
  ...all(string, 'profile database organization'),
  ...counts,
  refused: number(),
  notReadable: record(string(), number()),
  notInTwin: record(string(), number()),
});
export const twins = array(
  object({ ...all(string, 'profile url organization title createdAt'), size: number(), database: string() }),
);
export const rehearsal = object({
  command: string(),
  result: word('done', 'refused'),
  status: number(),
  error: text(),
  requests: array(object({ method: string(), path: string(), body: anything(), status: count(), answer: anything() })),
  changes: plan,
  access: array(
    object({ member: string(), space: string(), before: z.nullable(string()), after: z.nullable(string()) }),
  ),
  brokenLinks: array(object({ space: string(), page: string(), target: string() })),
  notChecked: record(string(), number()),
});

const journalEntry = object({
  number: number(),
  time: string(),
  version: string(),
  profile: text(),
  url: string(),
  user: optional(object({ id: string(), email: text(), displayName: text() })),
  login: text(),
  command: array(string()),
  changes: array(
    object({
      method: string(),
      path: string(),
      endpoint: text(),
      params: record(string(), string()),
      query: anything(),
      body: anything(),
      started: string(),
      before: anything(),
      after: anything(),
      id: text(),
      titles: optional(record(string(), string())),
      status: count(),
      error: text(),
      unsent: optional(z.literal(true)),
      alone: optional(z.literal(true)),
    }),
  ),
  result: word('done', 'failed', 'interrupted'),
  status: count(),
  error: text(),
  undoes: count(),
  line: string(),
});
export const entry = journalEntry;
export const entries = array(z.extend(journalEntry, { actor: text(), about: string(), undo: text() }));
export const undone = array(
  object({ result: string(), method: string(), address: string(), body: anything(), error: text() }),
);

export const signedIn = object({
  ...all(string, 'profile url user'),
  ...all(text, 'email organization space'),
  token: string(),
});
export const authStatus = array(
  object({
    profile: string(),
    current: boolean(),
    url: string(),
    token: string(),
    state: word('works', 'refused', 'unreachable', 'no token', 'token unreadable', 'missing', 'failed'),
    user: optional(User()),
    role: optional(z.nullable(role())),
    problem: text(),
    database: text(),
  }),
);
export const token = object({ token: string() });
const profileRow = object({
  name: string(),
  current: boolean(),
  url: string(),
  ...all(text, 'org space site journal'),
  'token-command': text(),
  database: text(),
  token: string(),
});
export const profile = profileRow;
export const profiles = array(profileRow);
export const profileWithFolders = z.extend(profileRow, { folders: array(string()) });
export const setting = object({ key: string(), value: string(), origin: text(), source: text() });
export const settings = array(setting);

export const instance = object({ ...all(string, 'profile database organization'), replaced: text() });
export const listening = object({
  url: string(),
  ...all(text, 'token organization user'),
  database: string(),
  profile: text(),
  hint: text(),
  notes: optional(array(string())),
});
export const createdToken = object({ token: string(), user: string(), id: string(), expiresAt: text() });
export const instanceTokens = array(
  object({
    ...all(string, 'id user email label'),
    state: word('active', 'expired', 'revoked'),
    createdAt: string(),
    expiresAt: text(),
  }),
);
export const copiedTables = array(object({ table: string(), rows: number(), checksum: string() }));
export const databaseChecks = array(object({ check: string(), result: word('ok', 'failed'), detail: string() }));

export const lineResult = object({
  line: number(),
  command: string(),
  result: word('done', 'failed', 'not-run'),
  status: count(),
  ms: count(),
  output: anything(),
  error: optional(z.looseObject({ code: string(), message: string() })),
});
export const state = object({ resource: string(), id: string(), state: string() });
export const aliases = array(object({ name: string(), command: string() }));
export const address = object({ url: string() });
export const doctor = array(
  object({ check: string(), state: word('ok', 'warn', 'fail'), detail: string(), hint: text() }),
);
