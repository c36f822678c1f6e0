import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { Model, Step } from '../model.ts';
import { type Fault, makeFolder, type Run, Service } from '../world/service.ts';
import { mutants } from './mutants.ts';

/** A row of a file, and what a correct row asks for. */
interface Row {
  email: string;
  role: string;
}

/** What happens to the requests of a command from a place on; once, or to all that follow. */
interface Trouble {
  at: number;
  kind: 'none' | 'busy' | 'lost request' | 'lost answer' | 'Ctrl-C before' | 'Ctrl-C after';
  isLasting: boolean;
}

interface World {
  organization: string;
  folder: string;
}

interface Expected {
  /** The role of each member, as the last result file says. */
  roles: ReadonlyMap<string, string>;
}

type BatchStep = Step<Expected, World>;
type Kind = 'edit' | 'invite' | 'sync' | 'remove';

let opened: Promise<Service> | undefined;
const service = () => (opened ??= Service.open());

const roles = ['admin', 'create', 'edit', 'review', 'comment', 'read', 'guest'];
const members = ['m0@example.org', 'm1@example.org', 'm2@example.org'];
const people = fc.constantFrom(...members, 'n0@example.org', 'n1@example.org', 'n2@example.org', 'N1@Example.org');
const rows = fc.array(
  fc.record({
    email: fc.oneof({ weight: 8, arbitrary: people }, fc.constantFrom('', 'no address', '=cmd()')),
    role: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...roles.slice(1)) }, fc.constantFrom('', 'boss')),
  }),
  { minLength: 1, maxLength: 6 },
);
const troubles: fc.Arbitrary<Trouble> = fc.record({
  at: fc.integer({ min: 1, max: 8 }),
  kind: fc.constantFrom('none', 'none', 'busy', 'lost request', 'lost answer', 'Ctrl-C before', 'Ctrl-C after'),
  isLasting: fc.boolean(),
});

function faultOf({ at, kind, isLasting }: Trouble) {
  const faults: Record<Trouble['kind'], Fault | undefined> = {
    none: undefined,
    busy: { status: 503, retryAfter: 0 },
    'lost request': { lost: 'request' },
    'lost answer': { lost: 'answer' },
    'Ctrl-C before': { interrupt: 'request' },
    'Ctrl-C after': { interrupt: 'answer' },
  };
  // A second Ctrl-C ends the process at once.
  const isOnce = !isLasting || kind.startsWith('Ctrl-C');
  return (_: unknown, index: number) => (index === at || (index > at && !isOnce) ? faults[kind] : undefined);
}

const listOf = (all: readonly Row[], { column, isInput }: Command) =>
  isInput
    ? all.map(({ email }) => `${email}\n`).join('')
    : `${column},role\n${all.map(({ email, role }) => `${email},${role}\n`).join('')}`;

interface Command {
  column: string;
  words: string[];
  /** Whether the list is standard input and not a file. */
  isInput?: boolean;
}

const commands: Record<Kind, Command> = {
  edit: { column: 'user', words: ['members', 'edit', '--from', 'people.csv'] },
  invite: { column: 'email', words: ['invites', 'send', '--from', 'people.csv', '--update-roles'] },
  sync: { column: 'email', words: ['members', 'sync', 'people.csv'] },
  remove: { column: 'user', words: ['members', 'remove', '-', '--keep-going'], isInput: true },
};

async function rolesOf({ organization }: World): Promise<Map<string, string>> {
  const { items } = await (await service()).call('GET', `/v1/orgs/${organization}/members?limit=1000`);
  return new Map(items.map(({ user, role }: any) => [String(user.email).toLowerCase(), role ?? 'guest']));
}

async function run(kind: Kind, world: World, fault?: ReturnType<typeof faultOf>, retries = 0): Promise<Run> {
  const words = [
    ...commands[kind].words,
    '--result',
    'result.csv',
    '--org',
    world.organization,
    '--yes',
    '--json',
    '--retries',
    String(retries),
  ];
  const input = commands[kind].isInput && { input: readFileSync(join(world.folder, 'people.csv'), 'utf8') };
  return (await service()).run(words, { dir: world.folder, ...(fault && { fault }), ...input });
}

interface Result extends Row {
  result: string;
}

function resultsIn({ folder }: World, { column }: { column: string }): Result[] {
  const records: Record<string, string>[] = parse(readFileSync(join(folder, 'result.csv')), { columns: true });
  return records.map((record) => ({
    email: (record[column] ?? '').replace(/^'/, '').toLowerCase(),
    role: record.role ?? '',
    result: record.result ?? '',
  }));
}

const reached = new Set(['invited', 'changed', 'unchanged', 'member already']);
const gone = new Set(['removed', 'already gone']);
const unknown = new Set(['unknown', 'sent, answer unknown']);
const unfinished = new Set(['not sent', 'not tried', 'failed']);
const notDone = new Set([...unfinished, 'refused', 'not changed']);

/** The result file says what the service says. */
function check(
  results: readonly Result[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  trouble: Trouble,
): void {
  const decided = new Set(
    results
      .filter(({ result }) => reached.has(result) || gone.has(result) || unknown.has(result))
      .map(({ email }) => email),
  );
  for (const { email, role, result } of results) {
    const now = after.get(email);
    const told = `${email} with the role ${role}: the file says "${result}", before ${before.get(email) ?? 'none'}, now ${now ?? 'none'}`;
    if (reached.has(result) && (now === undefined || (role !== '' && now !== role))) throw new Error(told);
    if (gone.has(result) && now !== undefined && email.includes('@')) throw new Error(told);
    if (notDone.has(result) && !decided.has(email) && now !== before.get(email)) throw new Error(told);
    if (result === 'unknown' && !trouble.isLasting) throw new Error(`${told}, and could have been read back`);
    if (![reached, gone, unknown, notDone].some((words) => words.has(result)) && result !== 'repeated')
      throw new Error(told);
  }
}

const batch = (kind: Kind, all: Row[], trouble: Trouble): BatchStep => {
  const { at, isLasting } = trouble;
  const faultText =
    trouble.kind === 'none' ? '' : `; ${trouble.kind} at request ${at}${isLasting ? ' and after it' : ''}`;
  const people = all.map(({ email, role }) => (kind === 'remove' ? email : `${email}=${role}`));
  const text = `docsctl ${commands[kind].words.join(' ')} with ${people.join(' ')}${faultText}`;
  return {
    check: () => true,
    toString: () => text,
    async run(expected, world) {
      const command = commands[kind];
      rmSync(join(world.folder, 'result.csv'), { force: true });
      writeFileSync(join(world.folder, 'people.csv'), listOf(all, command));
      const before = await rolesOf(world);
      const first = await run(kind, world, faultOf(trouble), trouble.kind === 'busy' && !isLasting ? 1 : 0);
      const after = await rolesOf(world);
      const kept = kind === 'remove' && trouble.kind === 'none' ? all.filter(({ email }) => after.has(email)) : [];
      if (kept.length > 0) throw new Error(`${kept[0]?.email} is not removed: ${first.stderr}`);
      if (
        ![0, 7, 8, 130].includes(first.status) &&
        !(first.status === 2 && all.every(({ email }) => !email.includes('@')))
      )
        throw new Error(`status ${first.status}: ${first.stderr}`);
      let results: Result[];
      try {
        results = resultsIn(world, command);
      } catch {
        // It ended before anything was sent.
        if (JSON.stringify([...before]) !== JSON.stringify([...after]))
          throw new Error('changes without a result file');
        return;
      }
      check(results, before, after, trouble);
      if (
        first.status === 0 &&
        results.some(({ result }) => !reached.has(result) && !gone.has(result) && result !== 'repeated')
      )
        throw new Error(`status 0, and the file says ${JSON.stringify(results)}`);
      // The result file is the input that finishes the rest.
      writeFileSync(join(world.folder, 'people.csv'), readFileSync(join(world.folder, 'result.csv')));
      const again = await run(kind, world);
      const last = await rolesOf(world);
      const finished = resultsIn(world, command);
      check(finished, after, last, { ...trouble, kind: 'none', isLasting: false });
      expected.roles = last;
      // A row that names nobody cannot be finished.
      const left = finished.filter(
        ({ email, result }) =>
          (unfinished.has(result) || unknown.has(result)) && (!command.isInput || email.includes('@')),
      );
      if (left.length > 0) throw new Error(`a second run left ${JSON.stringify(left)}: ${again.stderr}`);
    },
  };
};

/** Lists of people, sent to a service that is busy, breaks the connection, or whose user presses Ctrl-C. */
export const model: Model<Expected, World> = {
  name: 'batches',
  steps: [
    fc.tuple(fc.constantFrom<Kind>('edit', 'invite', 'sync', 'remove'), rows, troubles).map((args) => batch(...args)),
  ],
  maxSteps: 3,
  async open() {
    const opened = await service();
    const organization = await opened.newOrganization('Batches');
    for (const email of members)
      await opened.newMember(organization, {
        name: email.slice(0, 2),
        email: `${email.slice(0, 2)}@example.org`,
        role: 'read',
      });
    const world = { organization, folder: await makeFolder('batches') };
    return { expected: { roles: await rolesOf(world) }, world };
  },
  close: async ({ folder }) => rmSync(folder, { recursive: true }),
  end: async () => (await opened)?.close(),
  stateOf: ({ roles: members }) => [...members].map(String).toSorted().join(' '),
  mutants,
};
