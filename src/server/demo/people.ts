import type { RoleName } from '../../contract/access.ts';
import { query } from '../../store/query.ts';
import type { Row } from '../../store/tables.ts';
import { day, type Demo, memberId } from './calls.ts';
import { words } from '../../shared/words.ts';

const firstNames = words(
  'Ada Alan Amara Björn Chiara Dmitri Edsger Fatima Grace Hedy Ingrid Jun Katherine Linus Margaret Niklaus Olga Ravi Søren 美咲',
);
const lastNames = words(
  'Almeida Bakker Castillo Dubois Eriksen Fischer García Hopper Ivanova Jensen Kowalska Lovelace Moreau Nakamura Okafor Papadakis Quinn Rossi Schmidt Turing',
);
const insertUser = query<Omit<Row<'user'>, 'seq' | 'photo_url'>>((db, p) =>
  db
    .insertInto('user')
    .values({ id: p.id, display_name: p.display_name, email: p.email, photo_url: null, created_at: p.created_at }),
);
const insertMember = query<Row<'member'>>((db, p) =>
  db.insertInto('member').values({
    organization: p.organization,
    user: p.user,
    role: p.role,
    disabled: p.disabled,
    sso: p.sso,
    joined_at: p.joined_at,
    last_seen_at: p.last_seen_at,
  }),
);

/** @param members how many there are then, with the administrator */
export async function addPeople({ instance, organization, timeOf }: Demo, members: number) {
  await instance.store.write(async (db) => {
    for (let i = 0; i < members - 1; i++) {
      const id = memberId(i + 1);
      const first = itemAt(firstNames, i);
      const last = itemAt(lastNames, Math.floor(i / firstNames.length));
      await insertUser.run(db, {
        id,
        display_name: `${first} ${last}`,
        email: `person${i + 1}@lumen.example`,
        created_at: timeOf(day * 400),
      });
      await insertMember.run(db, {
        organization,
        user: id,
        role: roleOf(i),
        disabled: Number(i % 97 === 13),
        sso: Number(i % 5 === 0),
        joined_at: timeOf(day * (1 + ((i * 7) % 390)) + i * 1000),
        last_seen_at: i % 6 === 5 ? null : timeOf(60_000 * (1 + ((i * 131) % 200_000))),
      });
    }
  });
}

const memberRoles: RoleName[] = ['read', 'comment', 'edit', 'review', 'create'];

function roleOf(i: number): RoleName | null {
  if (i % 250 === 0) return 'admin';
  if (i % 11 === 0) return null;
  return itemAt(memberRoles, i);
}

/** The item at an index; the list repeats. */
function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('The list is empty.');
  return item;
}
