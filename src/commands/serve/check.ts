import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { checkFailed } from '../../cli/program/failure.ts';
import type { Store } from '../../store/store.ts';
import { withStore } from './database.ts';

interface CheckResult {
  check: string;
  result: 'ok' | 'failed';
  detail: string;
}

/** Counters, with the rows that they count. */
const counters: [name: string, table: string, counter: string, rows: string][] = [
  ['spaces of organizations', 'organization', 'spaces', 'space where organization = t.id and deleted_at is null'],
  ['change requests of spaces', 'space', 'change_requests', 'change_request where space = t.id'],
  ['open change requests', 'space', 'change_requests_open', "change_request where space = t.id and status = 'open'"],
  ['drafts', 'space', 'change_requests_draft', "change_request where space = t.id and status = 'draft'"],
  ['numbers of change requests', 'space', 'last_number', 'change_request where space = t.id'],
  [
    'open comments of spaces',
    'space',
    'comments',
    "comment where space = t.id and change_request is null and status = 'open'",
  ],
  [
    'open comments of change requests',
    'change_request',
    'comments',
    "comment where change_request = t.id and status = 'open'",
  ],
  ['replies of comments', 'comment', 'replies', 'comment_reply where comment = t.id'],
  [
    'members by role',
    'member_count',
    'members',
    "member where organization = t.organization and coalesce(role, 'guest') = t.role",
  ],
];

export async function check(invocation: Invocation<{}, { db?: string | undefined }>): Promise<void> {
  const results = await withStore(invocation, resultsOf);
  await print(invocation, results);
  const failed = results.filter(({ result }) => result === 'failed').length;
  if (failed === 0) return;
  throw checkFailed(`${failed} of ${results.length} checks failed.`, 'Restore a backup of this database.');
}

async function resultsOf(store: Store): Promise<CheckResult[]> {
  const { structure, references } = await store.check();
  const results = [resultOf('structure', structure), resultOf('references', references)];
  await store.read(async (db) => {
    for (const [name, table, counter, rows] of counters) {
      const sql = `select count(*) as wrong from ${table} t where t.${counter} <> (select count(*) from ${rows})`;
      const { wrong = 0 } = (await db.get<{ wrong: number }>(sql)) ?? {};
      results.push(resultOf(name, wrong === 0 ? '' : `${wrong} wrong`));
    }
  });
  return results;
}

/** @param problem empty if there is none */
const resultOf = (name: string, problem: string): CheckResult => ({
  check: name,
  result: problem === '' ? 'ok' : 'failed',
  detail: problem,
});
