import { newId } from '../store/ids.ts';
import { createChangeRequest, editChangeRequest } from '../store/changeRequests.ts';
import { createSpace } from '../store/spaces.ts';
import { titleKey } from '../store/teams.ts';
import type { RoleName } from '../contract/access.ts';
import { administrator } from './founding.ts';
import type { Instance } from './instance.ts';

export const demoMembers = 2500;
const day = 86_400_000;

const given = [
  'Ada',
  'Alan',
  'Amara',
  'Björn',
  'Chiara',
  'Dmitri',
  'Edsger',
  'Fatima',
  'Grace',
  'Hedy',
  'Ingrid',
  'Jun',
  'Katherine',
  'Linus',
  'Margaret',
  'Niklaus',
  'Olga',
  'Ravi',
  'Søren',
  '美咲',
];
const family = [
  'Almeida',
  'Bakker',
  'Castillo',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Hopper',
  'Ivanova',
  'Jensen',
  'Kowalska',
  'Lovelace',
  'Moreau',
  'Nakamura',
  'Okafor',
  'Papadakis',
  'Quinn',
  'Rossi',
  'Schmidt',
  'Turing',
];
const teams = ['Writers', 'Support', 'Platform', 'Developer relations', 'Design'];
const spaces: [emoji: string, title: string][] = [
  ['📘', 'Handbook'],
  ['🔌', 'API guides'],
  ['🚀', 'Getting started'],
  ['📦', 'Release notes'],
  ['🛟', 'Support playbook'],
];

/** The same people, teams and spaces each time, apart from ids: examples can name them. */
export async function seedDemo(instance: Instance): Promise<void> {
  const { organization, user: admin } = (await instance.store.read(administrator))!;
  const start = instance.now();
  const at = (ms: number) => new Date(start - ms).toISOString();
  await instance.store.write(async (db) => {
    await db
      .updateTable('organization')
      .set({ title: 'Lumen Docs', hostname: 'lumen', email_domains: '["lumen.example"]' })
      .where('id', '=', organization)
      .execute();
    await db.insertInto('organization_email_domain').values({ domain: 'lumen.example', organization }).execute();

    const people: string[] = [];
    for (let i = 0; i < demoMembers - 1; i++) {
      const id = newId();
      people.push(id);
      const first = given[i % given.length]!;
      const last = family[Math.floor(i / given.length) % family.length]!;
      await db
        .insertInto('user')
        .values({
          id,
          display_name: `${first} ${last}`,
          email: `person${i + 1}@lumen.example`,
          photo_url: null,
          created_at: at(day * 400),
        })
        .execute();
      await db
        .insertInto('member')
        .values({
          organization,
          user: id,
          role: roleOf(i),
          disabled: Number(i % 97 === 13),
          sso: Number(i % 5 === 0),
          joined_at: at(day * (1 + ((i * 7) % 390)) + i * 1000),
          last_seen_at: i % 6 === 5 ? null : at(60_000 * (1 + ((i * 131) % 200_000))),
        })
        .execute();
    }

    for (const [number, title] of teams.entries()) {
      const id = newId();
      await db
        .insertInto('team')
        .values({ id, organization, title, title_key: titleKey(title), created_at: at(day * (200 - number)) })
        .execute();
      for (const [place, user] of people.slice(number * 12, number * 12 + 12).entries()) {
        await db
          .insertInto('team_member')
          .values({ team: id, user, role: place === 0 ? 'owner' : 'member' })
          .execute();
      }
    }

    for (const [emoji, title] of spaces) {
      await createSpace(db, {
        organization,
        parent: null,
        title,
        emoji,
        editMode: 'live',
        author: admin,
        now: at(day * 30),
      });
    }
    const [first] = await db
      .selectFrom('space')
      .selectAll()
      .where('organization', '=', organization)
      .orderBy('position')
      .limit(1)
      .execute();
    for (const [days, subject, status] of [
      [9, 'Explain the new pump', 'open'],
      [4, 'Mend typing errors', 'draft'],
    ] as const) {
      const request = await createChangeRequest(db, {
        space: first!,
        subject,
        author: people[0]!,
        now: at(day * days),
      });
      if (status === 'open')
        await editChangeRequest(db, request.id, { status: 'open', updated_at: at(day * days - 3_600_000) });
    }
  });
}

function roleOf(i: number): RoleName | null {
  if (i % 250 === 0) return 'admin';
  if (i % 11 === 0) return null;
  return (['read', 'comment', 'edit', 'review', 'create'] as const)[i % 5]!;
}
