import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type ShareLinkRow = Row<'share_link'>;

interface Params {
  site: string;
  afterTime?: string;
  afterId?: string;
  limit: number;
}

const list = queryFor<{ after: boolean }, Params, ShareLinkRow>((variant, db, p) =>
  db
    .selectFrom('share_link')
    .selectAll()
    .where('site', '=', p.site)
    .$if(variant.after, (q) =>
      q.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p.afterTime as never, p.afterId as never))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** Newest first, older than `after`, a time and an id. */
export const listShareLinks = (db: Db, site: string, after: readonly unknown[] | undefined, limit: number) =>
  list({ after: after !== undefined }).all(db, {
    site,
    limit,
    ...(after ? { afterTime: after[0] as string, afterId: after[1] as string } : {}),
  });

const count = query<{ site: string }, { count: number }>((db, p) =>
  db
    .selectFrom('share_link')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('site', '=', p.site),
);
export const countShareLinks = async (db: Db, site: string) => (await count.first(db, { site }))!.count;

const opening = query<{ site: string; key: string }, { id: string }>((db, p) =>
  db.selectFrom('share_link').select('id').where('key', '=', p.key).where('site', '=', p.site).where('active', '=', 1),
);
/** Whether an active link of the site has this key. */
export const opens = async (db: Db, site: string, key: string) =>
  (await opening.first(db, { site, key })) !== undefined;

const one = query<{ id: string }, ShareLinkRow>((db, p) =>
  db.selectFrom('share_link').selectAll().where('id', '=', p.id),
);

export async function insertShareLink(db: Db, { site, name, now }: { site: string; name: string; now: string }) {
  const id = newId();
  // The key is all that guards the site: twice an id's length is beyond guessing.
  const key = newId() + newId();
  await db.insertInto('share_link').values({ id, site, key, name, active: 1, created_at: now }).execute();
  return (await one.first(db, { id }))!;
}

export async function changeShareLink(db: Db, id: string, change: Partial<Pick<ShareLinkRow, 'name' | 'active'>>) {
  if (Object.keys(change).length > 0) await db.updateTable('share_link').set(change).where('id', '=', id).execute();
  return (await one.first(db, { id }))!;
}

export async function deleteShareLink(db: Db, id: string): Promise<void> {
  await db.deleteFrom('share_link').where('id', '=', id).execute();
}
