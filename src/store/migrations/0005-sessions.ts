import type { Migration } from './dialects.ts';

/** What a browser is signed in with: one-time links, and the sessions that they open. Only hashes are stored. */
export const sessions: Migration = () => /* sql */ `
create table session (
  hash text primary key,
  kind text not null,
  "user" text not null references "user" (id) on delete cascade,
  token text references token (id) on delete cascade,
  expires_at text not null
) strict;
create index session_of_user on session ("user");
create index session_of_token on session (token);
create index session_expires on session (expires_at);
`;
