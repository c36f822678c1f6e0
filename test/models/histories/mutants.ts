import type { Mutant } from '../model.ts';

const file = 'src/store/postgres/postgres-store.ts';

export const mutants: Mutant[] = [
  {
    name: 'what a write depends on is read outside of its transaction',
    file: 'src/server/engine/handle.ts',
    from: 'transaction(async (db) => handler.handle(await contextIn(db), prepared))',
    to: 'instance.store.read(contextIn).then((early) => transaction((db) => handler.handle({ ...early, db }, prepared)))',
  },
  {
    name: 'a commit that fails is acknowledged',
    file,
    from: "await end('commit');",
    to: "await end('commit').catch(() => {});",
  },
  {
    name: 'a write is acknowledged before its commit',
    file,
    from: "await end('commit');",
    to: "end('commit').catch(() => {});",
  },
  {
    name: 'a write whose connection ended is sent again',
    file: 'src/store/postgres/retries.ts',
    from: "new Set(['40001', '40P01'])",
    to: "new Set(['40001', '40P01', '57P01', 'ECONNRESET', ''])",
  },
];
