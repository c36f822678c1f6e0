import { checkPulled, pagesIn } from './clones.ts';
import { checkSpace, type Expected } from './expected.ts';
import { step, type SyncStep } from './step.ts';
import { checkStatus, runPush } from './sync-steps.ts';
import { wordsIn } from './words.ts';
import type { SpacePage, World } from './world.ts';

interface Conflict {
  page: string;
  file?: string;
  kind: 'content' | 'metadata' | 'deleted';
  deletedIn?: 'app' | 'folder';
  members?: { member: string; app: unknown; folder: unknown }[];
}

/** Somebody lets a pull mark the conflicts, takes one side of each hunk, and pushes: that has no conflict any more. */
export const pullMarked = (clone: string, side: 'folder' | 'app'): SyncStep =>
  step(
    `${clone}: docsctl content pull --on-conflict mark, takes what is marked as ${side}, commits and pushes`,
    async (expected, world) => {
      const before = world.files(clone);
      expected.overrules = undefined;
      const run = await world.docsctl(clone, ['pull', '--on-conflict', 'mark']);
      checkStatus(run, expected);
      expected.isRefused = run.status !== 0;
      expected.isPartial = run.status === 8;
      const pages = await checkSpace(expected, world);
      const { conflicts }: { conflicts?: Conflict[] } = run.status === 6 ? errorOf(run.stderr) : { conflicts: [] };
      if (!conflicts || expected.isPartial) return;
      for (const conflict of conflicts) resolve(expected, world, { clone, conflict, pages });
      const isNew = takeSide(world, clone, side, before);
      checkPulled(expected, world, { clone, before, pages });
      await world.commit(clone, 'Pull');
      // A folder that is as its commit, or has only another title or other addresses, could have been reset: the same conflict is reported again.
      const isKnown = conflicts.every(({ kind }) => kind === 'content') && isNew;
      await runPush(expected, world, clone, { isResolved: isKnown || !world.isClone(clone) });
    },
  );

/** What a file has as the space has it. */
const comparable = (text = '') => text.replace(/^---\n[^]*?\n---\n+/, '').replaceAll(/^.*\]\(.*$/gm, '');

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}').error ?? {};

interface Resolved {
  clone: string;
  conflict: Conflict;
  pages: readonly SpacePage[];
}

/** What cannot be marked stays as it is in the folder, or as the side that kept it has it. */
function resolve(expected: Expected, world: World, { clone, conflict, pages }: Resolved): void {
  const folder = pagesIn(world.files(clone));
  const inFolder = [...folder.values()].find(({ file }) => file === conflict.file);
  const key = pages.find(({ id }) => id === conflict.page)?.key ?? inFolder?.key;
  if (key === undefined) return;
  const own = folder.get(key);
  const isMarked = world
    .files(clone)
    .get(own?.file ?? '')
    ?.includes('<<<<<<< ');
  // A file that cannot be read stays.
  if (own && conflict.kind === 'content' && !isMarked)
    for (const [slot, word] of pages.find((page) => page.key === key)?.words ?? [])
      choose(world, own.words.get(slot), word, true);
  if (conflict.deletedIn === 'app') expected.kept.add(key);
  if (conflict.deletedIn === 'folder') expected.removedFiles.delete(`${clone} ${key}`);
  for (const { member, app, folder: value } of conflict.members ?? []) {
    if (member === 'parent') for (const parent of ['', ...expected.ids.keys()]) expected.allowMove(key, parent);
    else choose(world, String(value), String(app), true);
  }
}

/**
 * A choice can be for what the other side knew and replaced, as when a file has its former picture under a new name.
 *
 * @param isOpen whether it is decided again later, because the folder could have been reset
 */
function choose(world: World, winner: string | undefined, loser: string | undefined, isOpen = false): void {
  if (winner === undefined || loser === undefined || winner === loser) return;
  world.words.restore(winner, loser);
  if (isOpen) world.words.restore(loser, winner);
}

/** Takes one side of all hunks. @returns whether all files are other than before */
function takeSide(world: World, clone: string, side: 'folder' | 'app', before: ReadonlyMap<string, string>): boolean {
  let isNew = true;
  for (const [file, text] of world.files(clone)) {
    if (!text.includes('<<<<<<< ')) continue;
    const [own, theirs] = (['$1', '$2'] as const).map((part) => text.replaceAll(hunk, part));
    const [winner, loser] = side === 'folder' ? [own!, theirs!] : [theirs!, own!];
    const [taken, left] = [wordsIn(winner)!, wordsIn(loser)!];
    const isOpen = comparable(winner) === comparable(before.get(file));
    isNew &&= !isOpen;
    choose(world, taken.title, left.title, isOpen);
    for (const [slot, word] of taken.words) choose(world, word, left.words.get(slot), isOpen);
    world.write(clone, file, winner);
    const [shown, other] = [winner, loser].map((each) => pictureIn(world, clone, file, each));
    choose(world, shown, other, isOpen);
  }
  return isNew;
}

const hunk = /^<{7} .*\n([^]*?)^={7}\n([^]*?)^>{7} .*\n/gm;

/** The word in the picture of a text. */
function pictureIn(world: World, clone: string, file: string, text: string): string | undefined {
  const files = world.files(clone);
  files.set(file, text);
  return pagesIn(files).get(wordsIn(text)!.key)?.words.get('picture');
}
