import { sql } from 'kysely';
import { queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type TeamRow = Row<'team'> & { members: number; owns: number };

/** What titles are sorted by: case does not count. */
export const titleKey = (title: string) => title.toLowerCase();

// A title that holds `%` or `_` is looked for as it stands.
export const containing = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

interface Variant {
  after: boolean;
  title: boolean;
}
interface Params {
  organization: string;
  user: string;
  caller: string;
  title?: string;
  afterKey?: string;
  afterId?: string;
  limit: number;
}

const ofMember = queryFor<Variant, Params, TeamRow & { role: 'owner' | 'member' }>(
  (variant, db, p) =>
    db
      .selectFrom('team_member as tm')
      .innerJoin('team as t', 't.id', 'tm.team')
      .selectAll('t')
      .select([
        'tm.role',
        sql<number>`(select count(*) from team_member where team = t.id)`.as('members'),
        sql<number>`exists (select 1 from team_member where team = t.id and user = ${p.caller} and role = 'owner')`.as(
          'owns',
        ),
      ])
      .where('tm.user', '=', p.user)
      .where('t.organization', '=', p.organization)
      .$if(variant.title, (q) => q.where(sql<boolean>`t.title_key like ${p.title} escape '\\'`))
      .$if(variant.after, (q) =>
        q.where((eb) => eb(eb.refTuple('t.title_key', 't.id'), '>', eb.tuple(p.afterKey, p.afterId) as never)),
      )
      .orderBy('t.title_key')
      .orderBy('t.id')
      .limit(p.limit) as never,
);

export function listTeamsOfMember(
  db: Db,
  asked: { organization: string; user: string; caller: string; title?: string | undefined },
  after: readonly unknown[] | undefined,
  limit: number,
) {
  const { title, ...params } = asked;
  return ofMember({ after: after !== undefined, title: title !== undefined }).all(db, {
    ...params,
    limit,
    ...(title === undefined ? {} : { title: containing(title) }),
    ...(after ? { afterKey: after[0] as string, afterId: after[1] as string } : {}),
  });
}

export async function countTeamsOfMember(
  db: Db,
  asked: { organization: string; user: string; title?: string | undefined },
): Promise<number> {
  const { count } = await db
    .selectFrom('team_member as tm')
    .innerJoin('team as t', 't.id', 'tm.team')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tm.user', '=', asked.user)
    .where('t.organization', '=', asked.organization)
    .$if(asked.title !== undefined, (q) =>
      q.where(sql<boolean>`t.title_key like ${containing(asked.title!)} escape '\\'`),
    )
    .executeTakeFirstOrThrow();
  return count;
}
