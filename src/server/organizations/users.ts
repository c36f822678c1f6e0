import type { AnswerOf } from '../../contract/endpoint.ts';
import { users } from '../../contract/users.ts';
import { findUser } from '../../store/lookups.ts';
import { sharesOrganization } from '../../store/users.ts';
import { NotFound } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';

export interface Person {
  id: string;
  display_name: string;
  email: string;
  photo_url: string | null;
}

export const presentUser = (base: string, person: Person): AnswerOf<typeof users.current> => ({
  object: 'user',
  id: person.id,
  displayName: person.display_name,
  email: person.email,
  photoURL: person.photo_url ?? undefined,
  urls: { location: `${base}/v1/users/${person.id}` },
});

export const handlers = implement(users, {
  async current({ caller, base }) {
    return presentUser(base, caller);
  },
  async view({ db, caller, params, base }) {
    const user = await findUser(db, params.userId);
    if (user && (user.id === caller.id || (await sharesOrganization(db, user.id, caller.id))))
      return presentUser(base, user);
    throw new NotFound('user', params.userId);
  },
});
