import fc from 'fast-check';
import { appAdd, appDelete, appEdit, appMove, appPicture, appRename } from './app-steps.ts';
import {
  add,
  breakFile,
  commit,
  edit,
  editPicture,
  type Ending,
  move,
  remove,
  rename,
  renamePicture,
  reset,
  retitle,
  revert,
  synchronize,
  takeBack,
  unlist,
} from './clone-steps.ts';
import type { Expected } from './expected.ts';
import { story } from '../model.ts';
import { pullMarked } from './marked-pull.ts';
import type { SyncStep } from './step.ts';
import { bothAdd, ciJob, pull, push, type PushFlags, runPush } from './sync-steps.ts';
import { slots, type Words } from './words.ts';
import { cloneNames, folderNames, newPage, type World } from './world.ts';

const clone = fc.constantFrom(...cloneNames);
const folder = fc.constantFrom(...cloneNames, ...folderNames);
/** Steps that meet in one page lead to more. */
const place = fc.constantFrom(0, 0, 0, 1, 2, 3);
const linked = fc.constantFrom(undefined, 0, 1, 2);
const slot = fc.constantFrom(...slots, 'a', 'a');
const ending = fc.constantFrom<Ending[]>('none', 'none', 'commit', 'share', 'share');
/** Most pulls are committed at once. */
const commits = fc.integer({ min: 0, max: 4 }).map((number) => number > 0);
const prefer = fc.constantFrom(undefined, undefined, undefined, undefined, 'app' as const, 'folder' as const);
const flags: fc.Arbitrary<PushFlags> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ prefer, ifStale: fc.constantFrom(undefined, undefined, 'skip' as const) }) },
  { weight: 1, arbitrary: fc.record({ cutAt: fc.integer({ min: 3, max: 14 }), isDone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ editAt: fc.integer({ min: 3, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ jobAt: fc.integer({ min: 3, max: 14 }) }) },
);

const revertAndPush = (name: string) => revert(name, (expected, world) => runPush(expected, world, name));

/** What a commit changed and the next one took back, a job of the first one must not bring back. */
const lateJob = (name: string, depth: number | undefined) =>
  story(synchronize(name), push(name, {}), takeBack(name, 0), push(name, {}), ciJob(2, depth, {}));

const overtakenJob = (name: string, jobAt: number) =>
  story(synchronize(name), push(name, {}), takeBack(name, 0), ciJob(2, undefined, { jobAt }));

/** A state that is not committed stays behind when the files are reset. */
const resetPull = (name: string, index: number, slotOfPage: string) =>
  story(appEdit(index, slotOfPage), pull(name, undefined, false), reset(name), push(name, {}));

/** Somebody gives up what is pulled, or pushed from files that are not committed, for a commit that is not in the space. */
function resetToNewer(name: string, index: number, slotOfPage: string, isPulled: boolean): SyncStep {
  const other = cloneNames.find((each) => each !== name) ?? name;
  const given = isPulled ? appEdit(index, slotOfPage) : edit(name, index, slotOfPage, 'none');
  return story(
    synchronize(name),
    synchronize(other),
    push(name, {}),
    given,
    isPulled ? pull(name, undefined, false) : push(name, {}),
    edit(other, index, slotOfPage, 'share'),
    reset(name),
    push(name, {}),
  );
}

/** A job of the commit before a pull comes after it, and both sides go on with the same page. */
const jobBeforePull = (name: string, index: number, choice: 'app' | 'folder' | undefined) =>
  story(
    synchronize(name),
    push(name, {}),
    edit(name, index, 'b', 'share'),
    appEdit(index, 'a'),
    pull(name, undefined, true),
    synchronize(name),
    ciJob(1, undefined, {}),
    edit(name, index, 'b', 'share'),
    appEdit(index, 'a'),
    push(name, { prefer: choice }),
  );

/** What is pushed before it is committed, another clone reverts. */
function uncommittedPush(name: string, index: number): SyncStep {
  const other = cloneNames.find((each) => each !== name) ?? name;
  return story(
    synchronize(name),
    edit(name, index, 'a', 'none'),
    push(name, {}),
    commit(name),
    push(name, {}),
    synchronize(name),
    synchronize(other),
    revertAndPush(other),
  );
}

const generated: { weight: number; steps: fc.Arbitrary<SyncStep> }[] = [
  { weight: 3, steps: fc.tuple(folder, flags).map((args) => push(...args)) },
  { weight: 2, steps: fc.tuple(folder, prefer, commits).map((args) => pull(...args)) },
  { weight: 2, steps: fc.tuple(folder, fc.constantFrom('folder', 'app')).map((args) => pullMarked(...args)) },
  { weight: 3, steps: fc.tuple(folder, place, slot, ending).map((args) => edit(...args)) },
  { weight: 2, steps: clone.map(synchronize) },
  { weight: 1, steps: fc.tuple(clone, place).map((args) => takeBack(...args)) },
  {
    weight: 2,
    steps: fc.tuple(fc.nat(3), fc.constantFrom(undefined, undefined, 1, 2), flags).map((args) => ciJob(...args)),
  },
  { weight: 1, steps: fc.tuple(place, slot).map((args) => appEdit(...args)) },
  { weight: 1, steps: fc.tuple(folder, place, ending).map((args) => editPicture(...args)) },
  { weight: 1, steps: place.map(appPicture) },
  { weight: 1, steps: fc.tuple(folder, place).map((args) => renamePicture(...args)) },
  { weight: 1, steps: place.map(appRename) },
  { weight: 1, steps: fc.tuple(place, place).map((args) => appMove(...args)) },
  { weight: 1, steps: place.map(appDelete) },
  { weight: 1, steps: linked.map(appAdd) },
  { weight: 1, steps: fc.tuple(folder, linked).map((args) => add(...args)) },
  { weight: 1, steps: fc.tuple(folder, fc.boolean(), fc.boolean()).map((args) => bothAdd(...args)) },
  { weight: 1, steps: fc.tuple(folder, place).map((args) => remove(...args)) },
  { weight: 1, steps: fc.tuple(folder, place, fc.boolean()).map((args) => rename(...args)) },
  { weight: 1, steps: fc.tuple(folder, place, place).map((args) => move(...args)) },
  { weight: 1, steps: fc.tuple(folder, place).map((args) => breakFile(...args)) },
  { weight: 1, steps: fc.tuple(folder, place).map((args) => unlist(...args)) },
  { weight: 1, steps: clone.map(reset) },
  { weight: 1, steps: fc.tuple(folder, place).map((args) => retitle(...args)) },
  { weight: 3, steps: clone.map((name) => revertAndPush(name)) },
  { weight: 1, steps: fc.tuple(clone, fc.constantFrom(undefined, 1, 2)).map((args) => lateJob(...args)) },
  { weight: 1, steps: fc.tuple(clone, fc.integer({ min: 3, max: 10 })).map((args) => overtakenJob(...args)) },
  { weight: 1, steps: fc.tuple(clone, place, slot).map((args) => resetPull(...args)) },
  { weight: 1, steps: fc.tuple(clone, place, slot, fc.boolean()).map((args) => resetToNewer(...args)) },
  { weight: 1, steps: fc.tuple(clone, place).map((args) => uncommittedPush(...args)) },
  { weight: 1, steps: fc.tuple(clone, place, prefer).map((args) => jobBeforePull(...args)) },
];

export const steps: fc.Arbitrary<SyncStep>[] = generated.flatMap((each) =>
  Array.from({ length: each.weight }, () => each.steps),
);

/** The files of a repository with three pages. */
export function firstFiles(words: Words): Map<string, string> {
  const link = { to: 'p2', url: 'p2.md' };
  return new Map([
    ['p1.md', newPage(words, 'p1', link)],
    ['p2.md', newPage(words, 'p2')],
    ['p3.md', newPage(words, 'p3')],
  ]);
}

/** Pushes the repository once. */
export async function begin(expected: Expected, world: World): Promise<void> {
  expected.pageCount = 3;
  expected.last = 'the first push';
  await runPush(expected, world, 'ann');
}
