import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import type { Store } from '../../store/store.ts';
import { withStore } from './database.ts';

interface CheckResult {
  check: string;
  result: 'ok' | 'failed';
  detail: string;
}

/** Counters that must equal the number of their rows. */
const counters: [name: string, sql: string][] = [
  [
    'spaces of organizations',
    'select count(*) as wrong from organization o where o.spaces <> (select count(*) from space where organization = o.id and deleted_at is null)',
  ],
  [
    'change requests of spaces',
    'select count(*) as wrong from space s where s.change_requests <> (select count(*) from change_request where space = s.id)',
  ],
  [
    'open change requests',
    "select count(*) as wrong from space s where s.change_requests_open <> (select count(*) from change_request where space = s.id and status = 'open')",
  ],
  [
    'drafts',
    "select count(*) as wrong from space s where s.change_requests_draft <> (select count(*) from change_request where space = s.id and status = 'draft')",
  ],
  [
    'numbers of change requests',
    'select count(*) as wrong from space s where s.last_number <> (select count(*) from change_request where space = s.id)',
  ],
  [
    'open comments of spaces',
    "select count(*) as wrong from space s where s.comments <> (select count(*) from comment where space = s.id and change_request is null and status = 'open')",
  ],
  [
    'open comments of change requests',
    "select count(*) as wrong from change_request c where c.comments <> (select count(*) from comment where change_request = c.id and status = 'open')",
  ],
  [
    'replies of comments',
    'select count(*) as wrong from comment c where c.replies <> (select count(*) from comment_reply where comment = c.id)',
  ],
  [
    'members by role',
    "select count(*) as wrong from (select organization, coalesce(role, 'guest') as role, count(*) as n from member group by 1, 2) m join member_count c using (organization, role) where c.members <> m.n",
  ],
];

/** Checks the database and changes nothing. */
export async function check(invocation: Invocation<{}, { db?: string | undefined }>): Promise<void> {
  const results = await withStore(invocation, resultsOf);
  await print(invocation, results);
  const failed = results.filter(({ result }) => result === 'failed').length;
  if (failed === 0) return;
  throw new CommandError(`${failed} of ${results.length} checks failed.`, {
    exitCode: exit.checkFailed,
    hint: 'Replace this file by a backup.',
  });
}

async function resultsOf(store: Store): Promise<CheckResult[]> {
  const { structure, references } = await store.check();
  const results = [resultOf('structure', structure), resultOf('references', references)];
  await store.read(async (db) => {
    for (const [name, sql] of counters) {
      const { wrong = 0 } = (await db.get<{ wrong: number }>(sql)) ?? {};
      results.push(resultOf(name, wrong === 0 ? '' : `${wrong} wrong`));
    }
  });
  return results;
}

/** @param problem empty where there is none */
const resultOf = (name: string, problem: string): CheckResult => ({
  check: name,
  result: problem === '' ? 'ok' : 'failed',
  detail: problem,
});
