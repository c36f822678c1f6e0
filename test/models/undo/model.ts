import fc from 'fast-check';
import type { Model, Step } from '../model.ts';
import { lineMakers } from '../world/command-lines.ts';
import { cellsOf, type DatabaseState, databaseState, differences } from '../world/database-state.ts';
import { randomFrom } from '../world/generate.ts';
import { endHomes, type Home, openHome } from '../world/home.ts';
import { lineText, listed, showRun, Violation } from '../world/shown.ts';
import { mutants } from './mutants.ts';

interface Expected {
  done: string[];
}

type UndoStep = Step<Expected, Home>;

const makers = await lineMakers();
/** Commands that can be undone come more often, and moves most. */
const paths = [...makers.keys()].toSorted().flatMap((path) => {
  const times = path.endsWith(' move') ? 6 : /(?:delete|remove|transfer)$/.test(path) ? 1 : 3;
  return Array.from({ length: times }, () => path);
});

interface Choice {
  command: number;
  seed: number;
  /** Changes of somebody else between the command and its undo. */
  others: readonly { command: number; seed: number }[];
  redoes: boolean;
}

/** Runs a command line, and makes the model know what it created. */
async function run(home: Home, words: readonly string[], as?: string) {
  const result = await home.service.run([...words, '--yes', '--json'], { dir: home.folder, as });
  showRun(words, result);
  await home.service.settle();
  if (result.status === 0 && result.stdout !== '') home.organization.learn(parsed(result.stdout));
  return result;
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

/** A change request cannot be deleted: its undo archives it. */
const isExpected = (difference: string) => /^\+ change_request |^change_request \w+\.status/.test(difference);

const derived = /^rank$/;

/** Rows in something that somebody else deleted, such as the place of a space in a site that is gone: no undo can restore them. */
function rowsGoneWithOthers(before: DatabaseState, after: DatabaseState, mixed: DatabaseState): ReadonlySet<string> {
  const gone = [...after.keys()].filter((row) => !mixed.has(row)).map((row) => row.split(' ').slice(1));
  // Rows with keys of several columns contain nothing.
  const containers = new Set(gone.flatMap((key) => (key.length === 1 ? key : [])));
  return new Set(
    [...before].flatMap(([row, cells]) => (Object.values(cells).some((id) => containers.has(String(id))) ? [row] : [])),
  );
}

/** Rows that were created, and what somebody else has put into them since: an undo deletes both. */
function createdRows(before: DatabaseState, after: DatabaseState, mixed: DatabaseState): ReadonlySet<string> {
  const created = new Set([...after.keys()].filter((row) => !before.has(row)));
  let size = -1;
  while (size !== created.size) {
    ({ size } = created);
    const containers = new Set([...created].map((row) => row.split(' ').slice(1).join(' ')));
    for (const [row, cells] of mixed)
      if (!before.has(row) && Object.values(cells).some((id) => containers.has(String(id)))) created.add(row);
  }
  return created;
}

/** What the command changed is as before; what somebody else changed since stays. */
function checkMixed(before: DatabaseState, after: DatabaseState, mixed: DatabaseState, now: DatabaseState): string[] {
  const [one, two, three, four] = [before, after, mixed, now].map((state) => cellsOf(state, derived));
  const cells = new Set([...one!.keys(), ...two!.keys(), ...three!.keys(), ...four!.keys()]);
  const gone = rowsGoneWithOthers(before, after, mixed);
  const created = createdRows(before, after, mixed);
  const rowOf = (cell: string) => cell.replace(/\.\w+$/, '');
  return [...cells].flatMap((cell) => {
    const [was, did, other, is] = [one!, two!, three!, four!].map((map) => map.get(cell));
    const expected = did === other ? was : other;
    // With the first section of a site, the service also moves the spaces into one that are deleted at the time.
    const isMoved = did === undefined && other === undefined && /^site_space \w+\.section$/.test(cell);
    const isDeleted = was === undefined && is === undefined && created.has(rowOf(cell));
    if (is === expected || isDeleted || isExpected(`+ ${cell}`) || gone.has(rowOf(cell)) || isMoved) return [];
    return [`${cell}: ${was} > ${did} > ${other}, undone: ${is}`];
  });
}

/** Whether an undo was refused only because of changes in the meantime. */
function isOnlyChanged(stderr: string): boolean {
  const line = stderr.split('\n').find((each) => each.startsWith('{"error"')) ?? '';
  const { error } = (parsed(line) ?? {}) as { error?: { changed?: unknown[]; impossible?: unknown[] } };
  return (error?.changed ?? []).length > 0 && error?.impossible?.length === 0;
}

const otherLine = ({ organization }: Home, { command, seed }: Choice['others'][number]): string[] =>
  makers.get(paths[command % paths.length]!)!({ ids: organization, random: randomFrom(seed) });

async function undo(
  home: Home,
  before: DatabaseState,
  after: DatabaseState,
  others: Choice['others'],
): Promise<number> {
  const lines: string[] = [];
  for (const each of others) {
    const words = otherLine(home, each);
    lines.push(lineText(words));
    await run(home, [...words, '--no-journal'], home.organization.users.get('admin'));
  }
  const mixed = await databaseState(home.service);
  const { status, stderr, stdout } = await run(home, ['undo']);
  const now = await databaseState(home.service);
  const said = `${stderr}${stdout}`;
  if ([4, 5, 6].includes(status)) {
    const sent = differences(mixed, now);
    if (sent.length > 0)
      throw new Violation(`an undo with status ${status} changed something:${listed(sent)}\n${said}`);
    // Somebody else may have made the caller less than an administrator before.
    const { organization, service } = home;
    const isAdministrator = mixed.get(`member ${organization.id} ${service.admin}`)?.['role'] === 'admin';
    const mayBeForbidden = status === 4 && !isAdministrator;
    if (lines.length === 0 && !mayBeForbidden && (status !== 6 || isOnlyChanged(stderr)))
      throw new Violation(`an undo was refused because of changes that nobody made:\n${said}`);
    return status;
  }
  if (status !== 0) throw new Violation(`an undo ended with status ${status}:\n${said}`);
  const left =
    lines.length === 0
      ? differences(before, now).filter((difference) => !isExpected(difference))
      : checkMixed(before, after, mixed, now);
  if (left.length > 0) throw new Violation(`an undo with status 0 left or lost something:${listed(left)}\n${said}`);
  return status;
}

async function redo(home: Home, after: DatabaseState): Promise<void> {
  const history = await run(home, ['history', '--limit', '1']);
  const { number } = (JSON.parse(history.stdout) as { number: number }[])[0]!;
  const before = await databaseState(home.service);
  const { status, stderr } = await run(home, ['undo', String(number)]);
  const now = await databaseState(home.service);
  const left = differences(status === 0 ? after : before, now).filter((difference) => !isExpected(difference));
  if (![0, 6].includes(status) || left.length > 0)
    throw new Violation(`the undo of an undo ended with status ${status}, and left or lost:${listed(left)}\n${stderr}`);
}

const step = ({ command, seed, others, redoes }: Choice): UndoStep => {
  const path = paths[command % paths.length]!;
  let line = path;
  return {
    check: () => true,
    toString: () => line,
    async run(expected, home) {
      const words = makers.get(path)!({ ids: home.organization, random: randomFrom(seed) });
      line = lineText(words);
      const before = await databaseState(home.service);
      const { status } = await run(home, words);
      const after = await databaseState(home.service);
      const isChanged = differences(before, after).length > 0;
      expected.done.push(`${path} ${status}`);
      // What failed without a change has no entry to undo.
      if (!isChanged) return;
      if (others.length > 0)
        line += `; then somebody else: ${others.map((each) => lineText(otherLine(home, each))).join('; ')}`;
      const undone = await undo(home, before, after, others);
      expected.done.push(`undo ${path} ${undone}`);
      if (undone === 0 && redoes && others.length === 0) await redo(home, after);
    },
  };
};

const other = fc.record({ command: fc.nat(10_000), seed: fc.nat(2 ** 30) });
const choice: fc.Arbitrary<Choice> = fc.record({
  command: fc.nat(10_000),
  seed: fc.nat(2 ** 30),
  others: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Choice['others']>([]) },
    { weight: 1, arbitrary: fc.array(other, { minLength: 1, maxLength: 3 }) },
  ),
  redoes: fc.boolean(),
});

/** Every command that changes something, and its undo, also after changes of other people. */
export const model: Model<Expected, Home> = {
  name: 'undo',
  steps: [choice.map(step)],
  maxSteps: 12,
  open: async () => ({ expected: { done: [] }, world: await openHome() }),
  close: (home) => home.close(),
  end: endHomes,
  stateOf: ({ done }) => done.slice(-2).join(' '),
  mutants,
};
