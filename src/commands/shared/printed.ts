import * as z from 'zod/mini';
import { roles } from '../../contract/access.ts';
import { User } from '../../contract/common.ts';
import { members } from '../../contract/members.ts';
import { OpenAPISpec } from '../../contract/openapi.ts';
import { sso } from '../../contract/sso.ts';
import { outcomeStyle } from './columns.ts';
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
  union,
  unknown,
  word,
} from './printed-values.ts';

// The JSON of hand-written commands, for "docsctl help --json". Only that loads this file.

const role = () => z.enum(roles);
const named = () => object({ id: string(), title: string() });
const oneOrMore = <S extends z.ZodMiniType>(schema: S) => union([schema, array(schema)]);

const outcome = z.enum(Object.keys(outcomeStyle));
const result = { outcome, reason: text(), line: count() };
const memberRow = object({
  id: string(),
  displayName: string(),
  email: text(),
  role: z.nullable(role()),
  disabled: boolean(),
});

export const caller = z.extend(User(), {
  // Not the constant, which would give this object the name of the contract's.
  object: string(),
  organization: optional(named()),
  role: optional(union([role(), z.literal('guest')])),
  disabled: optional(boolean()),
  permissions: optional(array(string())),
  profile: text(),
  url: string(),
});

const step = object({
  action: word('make owner', 'hand over', 'remove from organization'),
  user: string(),
  team: text(),
  changeRequest: text(),
  result: word('planned', 'done', 'failed', 'unknown'),
  reason: text(),
});
const offboarding = object({
  object: z.literal('offboarding'),
  id: string(),
  startedAt: string(),
  finishedAt: text(),
  organization: named(),
  by: named(),
  member: z.extend(named(), { email: text(), role: z.nullable(role()) }),
  heir: optional(named()),
  teams: array(z.extend(named(), { role: word('owner', 'member'), ownedAlone: boolean() })),
  changeRequests: array(
    object({ id: string(), space: named(), number: number(), subject: string(), status: string() }),
  ),
  comments: array(object({ id: string(), space: named(), changeRequest: text(), page: text(), text: string() })),
  levels: array(z.extend(named(), { level: role() })),
  links: array(object({ id: string(), text: string() })),
  otherLinks: number(),
  unread: array(named()),
  steps: array(step),
  record: text(),
});
export const offboarded = union([
  offboarding,
  array(object({ user: string(), to: text(), id: text(), ...result, record: text() })),
]);
export const restored = array(object({ user: string(), what: string(), ...result, link: text() }));
export const synced = array(object({ name: string(), role: optional(z.nullable(role())), ...result }));
export const invited = array(
  object({ email: string(), role: optional(z.nullable(role())), sso: optional(boolean()), ...result }),
);
export const memberEdits = union([
  members.edit.answer!(),
  array(members.edit.answer!()),
  array(
    object({
      user: string(),
      id: text(),
      previous: optional(z.nullable(role())),
      role: optional(z.nullable(role())),
      ...result,
    }),
  ),
]);

export const access = array(object({ member: memberRow, space: named(), level: role(), reason: string() }));
export const accessMatrix = array(
  z.extend(memberRow, { spaces: array(z.extend(named(), { level: role(), reason: string() })) }),
);
export const accessCheck = object({
  allowed: boolean(),
  needed: role(),
  level: union([role(), z.literal('none')]),
  reason: string(),
  member: memberRow,
  space: named(),
});
export const reviewFiles = array(object({ owner: string(), file: string(), rows: number() }));
export const reviewChanges = array(
  object({ ...all(string, 'key team member teamId memberId from decision owner'), outcome, reason: text() }),
);
export const reviewCheck = object({ id: string(), entries: number(), findings: number() });

export const ssoSetup = object({
  result: word('created', 'changed', 'unchanged'),
  provider: sso.viewProvider.answer!(),
  enter: object({
    name: string(),
    where: string(),
    fields: array(object({ field: string(), value: string() })),
    notes: array(string()),
  }),
  command: string(),
});

export const pushed = oneOrMore(
  object({
    folder: string(),
    changeRequest: count(),
    status: word('draft', 'open', 'archived', 'merged', 'unchanged', 'stale'),
    ...all(number, 'added changed moved deleted uploaded unchanged kept merged warnings leftOut'),
    revision: string(),
    url: text(),
  }),
);
export const pulled = oneOrMore(
  object({
    folder: string(),
    ...all(number, 'pages written removed kept changedHere merged conflicts leftOut unchanged'),
    revision: string(),
  }),
);
export const contentStatus = array(
  object({
    direction: word('push', 'pull', 'both'),
    action: string(),
    path: string(),
    ...all(text, 'title from what'),
    size: count(),
    folder: text(),
  }),
);
export const contentReport = array(
  object({
    where: string(),
    title: text(),
    links: count(),
    broken: count(),
    similar: optional(array(string())),
    size: count(),
    problems: array(string()),
    ...all(text, 'changed owner review'),
    lost: count(),
    behind: count(),
    unchecked: optional(array(string())),
  }),
);

const place = { file: text(), line: count(), column: count() };
const finding = object({
  level: word('breaking', 'error', 'warning', 'info'),
  rule: string(),
  message: string(),
  ...place,
  subject: text(),
  pointer: text(),
  related: optional(array(object({ ...place, message: string() }))),
  help: text(),
});
export const findings = array(finding);
export const linkFindings = array(
  z.extend(finding, { path: text(), url: text(), target: text(), certain: optional(boolean()) }),
);
const descriptionPlace = optional(object({ ...place, pointer: string() }));
const changeFinding = z.extend(finding, {
  where: string(),
  operations: array(string()),
  before: descriptionPlace,
  after: descriptionPlace,
});
export const changeFindings = array(changeFinding);
export const checkedChanges = array(
  z.extend(changeFinding, { description: string(), kind: word('new', 'changed', 'removed'), source: text() }),
);
export const published = oneOrMore(
  z.extend(OpenAPISpec(), {
    object: string(),
    result: word('created', 'updated', 'unchanged'),
    findings: number(),
    breaking: string(),
  }),
);
export const replaced = array(
  object({
    where: string(),
    ...all(text, 'file space path'),
    place: string(),
    line: count(),
    column: count(),
    before: string(),
    after: string(),
  }),
);
export const exportedSite = object({
  out: string(),
  ...all(number, 'pages written removed unchanged errors warnings'),
});

export const requestDifferences = object({
  changeRequest: object({ id: string(), number: number(), revision: string() }),
  base: object({ revision: string(), current: boolean() }),
  differences: array(
    object({
      kind: word('page', 'file', 'reusable content'),
      change: word('added', 'changed', 'deleted', 'moved'),
      ...all(string, 'id title path'),
      oldPath: text(),
      fields: array(object({ field: string(), before: anything(), after: anything() })),
      insertions: number(),
      deletions: number(),
      lines: array(string()),
    }),
  ),
});

const diff = optional(array(string()));
const planRow = object({
  ...all(string, 'kind name action'),
  file: text(),
  fields: array(
    object({
      field: string(),
      before: anything(),
      after: anything(),
      isDrift: optional(boolean()),
      diff,
      verdict: text(),
    }),
  ),
  isDrift: optional(boolean()),
  pages: optional(array(record(string(), unknown()))),
  pageCount: count(),
});
export const plan = array(planRow);
export const applied = array(
  object({ result: string(), action: string(), kind: string(), name: string(), error: text() }),
);
export const exported = object({
  folder: string(),
  ...all(count, 'members teams spaces sites'),
  ...all(number, 'written removed unchanged kept leftOut'),
});
