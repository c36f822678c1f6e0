import { checkPulled, pagesIn } from './clones.ts';
import { checkSpace, type Expected } from './expected.ts';
import { step, type SyncStep } from './step.ts';
import { checkStatus, conflictsIn, type ReportedConflict, runPush } from './sync-steps.ts';
import { wordsIn } from './words.ts';
import type { SpacePage, World } from './world.ts';

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
      const conflicts = run.status === 6 ? conflictsIn(run) : [];
      if (expected.isPartial || (expected.isRefused && conflicts.length === 0)) return;
      for (const conflict of conflicts) resolve(expected, world, { clone, conflict, pages });
      const resolved = takeSide(world, clone, side, before);
      checkPulled(expected, world, { clone, before, pages });
      await world.commit(clone, 'Pull');
      await runPush(expected, world, clone, { resolved });
    },
  );

/** What a file has as the space has it. */
const comparable = (text = '') => text.replace(/^---\n[^]*?\n---\n+/, '').replaceAll(/^.*\]\(.*$/gm, '');

interface Resolved {
  clone: string;
  conflict: ReportedConflict;
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
  if (conflict.deletedIn === 'app') {
    expected.kept.add(key);
    // The next push adds the page as it is in the folder, whatever others had changed before it was deleted.
    for (const deleted of expected.removals.get(key) ?? [])
      for (const word of own?.words.values() ?? []) choose(world, word, deleted);
  }
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

/**
 * Takes one side of all hunks. In a clone, a file that is as its commit, or has only another title or other addresses, could have
 * been reset, so that the same conflict is reported again.
 *
 * @returns the other files
 */
function takeSide(
  world: World,
  clone: string,
  side: 'folder' | 'app',
  before: ReadonlyMap<string, string>,
): Set<string> {
  const resolved = new Set<string>();
  for (const [file, text] of world.files(clone)) {
    if (!text.includes('<<<<<<< ')) continue;
    const [own, theirs] = (['$1', '$2'] as const).map((part) => text.replaceAll(hunk, part));
    const [winner, loser] = side === 'folder' ? [own!, theirs!] : [theirs!, own!];
    const [taken, left] = [wordsIn(winner)!, wordsIn(loser)!];
    const isOpen = world.isClone(clone) && comparable(winner) === comparable(before.get(file));
    if (!isOpen) resolved.add(file);
    choose(world, taken.title, left.title, isOpen);
    for (const [slot, word] of taken.words) choose(world, word, left.words.get(slot), isOpen);
    world.write(clone, file, winner);
    const [shown, other] = [winner, loser].map((each) => pictureIn(world, clone, file, each));
    choose(world, shown, other, isOpen);
  }
  return resolved;
}

const hunk = /^<{7} .*\n([^]*?)^={7}\n([^]*?)^>{7} .*\n/gm;

/** The word in the picture of a text. */
function pictureIn(world: World, clone: string, file: string, text: string): string | undefined {
  const files = world.files(clone);
  files.set(file, text);
  return pagesIn(files).get(wordsIn(text)!.key)?.words.get('picture');
}
