import { posix } from 'node:path';
import { linkedKey, pagesIn } from './clones.ts';
import { type Expected, Violation } from './expected.ts';
import { step, type SyncStep } from './step.ts';
import { type PageWords, pictureOf, withImage, wordsIn } from './words.ts';
import type { World } from './world.ts';

interface File extends PageWords {
  file: string;
  text: string;
}

/** One of the files of a clone that are pages. */
function pick(world: World, clone: string, index: number): File | undefined {
  const files = [...world.files(clone)];
  const [file, text] = files[index % Math.max(files.length, 1)] ?? [];
  return file === undefined || text === undefined ? undefined : { file, text, ...wordsIn(text)! };
}

/** Replaces the word of a slot. */
const edited = (world: World, clone: string, { key, text, words }: File, slot: string): string => {
  const old = words.get(slot) ?? '';
  const discarded = world.discarded.get(`${clone} ${key} ${slot}`) ?? [];
  return text.replace(`word ${old}.`, `word ${world.words.next(key + slot, [old, ...discarded])}.`);
};

const endings = { none: ' without a commit', commit: '', share: ' and pushes the commit to origin' };
export type Ending = keyof typeof endings;

export const edit = (clone: string, index: number, slot: string, ending: Ending): SyncStep =>
  step(`${clone} edits slot ${slot} of file ${index}${endings[ending]}`, async (expected, world) => {
    const page = pick(world, clone, index);
    if (!page) return;
    world.write(clone, page.file, edited(world, clone, page, slot));
    if (ending !== 'none') await world.commit(clone, 'Edit');
    if (ending === 'share') await share(expected, world, clone);
  });

export const editPicture = (clone: string, index: number, ending: Ending): SyncStep =>
  step(`${clone} edits the picture of file ${index}${endings[ending]}`, async (expected, world) => {
    const page = pick(world, clone, index);
    const path = page && posix.join(posix.dirname(page.file), page.image);
    const shown = path === undefined ? undefined : world.files(clone).pictures.get(path);
    if (path === undefined || shown === undefined) return;
    const discarded = [...world.discarded].flatMap(([slot, words]) =>
      slot.startsWith(`${clone} `) && slot.endsWith(' picture') ? words : [],
    );
    world.write(clone, path, pictureOf(world.words.next('i', [shown, ...discarded])));
    if (ending !== 'none') await world.commit(clone, 'Picture');
    if (ending === 'share') await share(expected, world, clone);
  });

export const commit = (clone: string): SyncStep => step(`${clone} commits`, (_, world) => world.commit(clone, 'Work'));

export const retitle = (clone: string, index: number): SyncStep =>
  step(`${clone} changes the title in file ${index}`, async (_, world) => {
    const page = pick(world, clone, index);
    if (!page) return;
    const title = world.words.next('t', [page.title]);
    world.write(clone, page.file, page.text.replace(/^(title: |# ).*$/m, `$1${title}`));
    await world.commit(clone, 'Title');
  });

/** Commits that change nothing together, and one that does: an older one has what nobody wants any more. */
export const takeBack = (clone: string, index: number): SyncStep =>
  step(
    `${clone} commits an edit of file ${index}, takes it back, edits on and pushes to origin`,
    async (expected, world) => {
      const page = pick(world, clone, index);
      if (!page) return;
      const text = edited(world, clone, page, 'a');
      world.write(clone, page.file, text);
      await world.commit(clone, 'Mistake');
      world.words.restore(page.words.get('a') ?? '', wordsIn(text)?.words.get('a') ?? '');
      world.write(clone, page.file, page.text);
      await world.commit(clone, 'Take back');
      world.write(clone, page.file, edited(world, clone, page, 'b'));
      await world.commit(clone, 'Edit');
      await share(expected, world, clone);
    },
  );

export const add = (clone: string, linked: number | undefined): SyncStep =>
  step(
    `${clone} adds a page${linked === undefined ? '' : ` with a link to file ${linked}`}`,
    async (expected, world) => {
      const target = linked === undefined ? undefined : pick(world, clone, linked);
      addPage(world, clone, expected.newKey(), target && { to: target.key, url: target.file });
      await world.commit(clone, 'Add');
    },
  );

/** @returns the text of the page */
export function addPage(world: World, clone: string, key: string, link?: PageWords['link']): string {
  const text = world.newPage(key, link);
  world.write(clone, `${key}.md`, text);
  world.editSummary(clone, (summary) => `${summary.trimEnd()}\n* [Page ${key}](${key}.md)\n`);
  return text;
}

export const remove = (clone: string, index: number): SyncStep =>
  step(`${clone} deletes file ${index}`, async (expected, world) => {
    const page = pick(world, clone, index);
    if (!page || world.files(clone).size < 2) return;
    const { key, file, words } = page;
    // After a pull, nobody can tell whether the file was reset before it was deleted.
    const discarded = [...words.keys()].flatMap((slot) => world.discarded.get(`${clone} ${key} ${slot}`) ?? []);
    expected.remove(key, [...words.values(), ...discarded]);
    expected.removedFiles.add(`${clone} ${key}`);
    allowMovesUp(expected, key);
    world.remove(clone, file);
    world.editSummary(clone, (summary) => summary.replace(new RegExp(`^ *[*-] \\[.*\\]\\(${file}\\)\n`, 'm'), ''));
    await world.commit(clone, 'Delete');
  });

export const rename = (clone: string, index: number, isEdited: boolean): SyncStep =>
  step(`${clone} renames file ${index}${isEdited ? ' with an edit' : ''}`, async (expected, world) => {
    const page = pick(world, clone, index);
    if (!page) return;
    // Without a SUMMARY.md, the folder of the subpages keeps its name.
    allowMovesUp(expected, page.key);
    const name = posix.basename(page.file, '.md');
    const to = posix.join(posix.dirname(page.file), `${world.words.next('n', [name])}.md`);
    if (isEdited) world.write(clone, page.file, edited(world, clone, page, 'a'));
    renameFile(world, clone, page.file, to);
    await world.commit(clone, 'Rename');
  });

export const move = (clone: string, index: number, under: number): SyncStep =>
  step(`${clone} moves file ${index} under file ${under}`, async (expected, world) => {
    const [page, parent] = [pick(world, clone, index), pick(world, clone, under)];
    if (!page || !parent || page.key === parent.key || page.file.includes('/') || parent.file.includes('/')) return;
    if ([...expected.parents.values()].includes(page.key)) return;
    expected.allowMove(page.key, parent.key);
    const to = `${posix.basename(parent.file, '.md')}/${page.file}`;
    renameFile(world, clone, page.file, to);
    world.editSummary(clone, (summary) => {
      const line = summary.split('\n').find((each) => each.includes(`(${to})`));
      if (line === undefined) return summary;
      return summary.replace(`${line}\n`, '').replace(`(${parent.file})\n`, `(${parent.file})\n  ${line}\n`);
    });
    await world.commit(clone, 'Move');
  });

/** The subpages of a page without a file move up. */
function allowMovesUp(expected: Expected, key: string): void {
  for (const [child, parent] of expected.parents)
    if (parent === key) expected.allowMove(child, expected.parents.get(key) ?? '');
}

export const renamePicture = (clone: string, index: number): SyncStep =>
  step(`${clone} renames the picture of file ${index}`, async (_, world) => {
    const page = pick(world, clone, index);
    const files = world.files(clone);
    const shownBy = (file: string, text: string) => posix.join(posix.dirname(file), wordsIn(text)!.image);
    const from = page && shownBy(page.file, page.text);
    if (from === undefined || !files.pictures.has(from)) return;
    const to = posix.join(posix.dirname(from), `${world.words.next('n')}.png`);
    world.rename(clone, from, to);
    for (const [file, text] of files)
      if (shownBy(file, text) === from)
        world.write(clone, file, withImage(text, posix.relative(posix.dirname(file), to)));
    await world.commit(clone, 'Rename');
  });

/** Corrects the links to the file and in it, as an editor does. */
function renameFile(world: World, clone: string, from: string, to: string): void {
  const files = world.files(clone);
  const target = (file: string, url: string) => posix.join(posix.dirname(file), url);
  const newPath = (file: string) => (file === from ? to : file);
  world.remove(clone, from);
  for (const [file, text] of files) {
    const { link } = wordsIn(text)!;
    const leadsTo = link && target(file, link.url);
    const isAffected = link && linkedKey(files, file, link.url) !== undefined && (file === from || leadsTo === from);
    if (!isAffected && file !== from) continue;
    // Only a file that leads to its picture is corrected.
    const shown = target(file, wordsIn(text)!.image);
    const hasPicture = file === from && files.pictures.has(shown);
    const moved = hasPicture ? withImage(text, posix.relative(posix.dirname(to), shown)) : text;
    const url = isAffected ? posix.relative(posix.dirname(newPath(file)), newPath(leadsTo!)) : undefined;
    world.write(
      clone,
      newPath(file),
      url === undefined ? moved : moved.replace(`](${link!.url}) next`, `](${url}) next`),
    );
  }
  world.editSummary(clone, (summary) => summary.replace(`(${from})`, `(${to})`));
}

export const breakFile = (clone: string, index: number): SyncStep =>
  step(`${clone} saves file ${index} as Latin-1`, async (_, world) => {
    const page = pick(world, clone, index);
    if (!page) return;
    world.write(clone, page.file, Buffer.from(`${page.text}\u00e9\u00e8\n`, 'latin1'));
    await world.commit(clone, 'Save');
  });

export const unlist = (clone: string, index: number): SyncStep =>
  step(`${clone} writes the name of file ${index} wrongly in SUMMARY.md`, async (_, world) => {
    const page = pick(world, clone, index);
    if (!page) return;
    world.makeSummary(clone);
    world.editSummary(clone, (summary) => summary.replace(`(${page.file})`, `(x${page.file})`));
    await world.commit(clone, 'Mistake');
  });

export const synchronize = (clone: string): SyncStep =>
  step(`${clone} merges origin and pushes commits to it`, (expected, world) => share(expected, world, clone));

async function share(expected: Expected, world: World, clone: string): Promise<void> {
  if (!world.isClone(clone)) return;
  world.fetch(clone);
  const origin = world.originHead();
  const head = (await world.git(clone, 'rev-parse', 'HEAD'))?.trim();
  if (head === origin || (await world.git(clone, 'merge-base', '--is-ancestor', origin, head!)) !== undefined) {
    await world.publish(clone);
    return;
  }
  await world.git(clone, 'stash', '--quiet', '--include-untracked');
  const before = pagesIn(world.files(clone));
  if ((await world.git(clone, 'merge', '--quiet', '--no-edit', 'origin/main')) === undefined)
    await world.git(clone, 'merge', '--abort');
  else await world.publish(clone);
  // Both added a page, one has reverted that, and Git takes the other's.
  for (const key of pagesIn(world.files(clone)).keys())
    if (!before.has(key) && expected.revertedFiles.has(`${clone} ${key}`)) expected.kept.add(key);
  if ((await world.git(clone, 'stash', 'pop', '--quiet')) !== undefined) return;
  // An edit that conflicts with a commit is given up. Without an edit, there is nothing to give up.
  await world.git(clone, 'reset', '--hard', '--quiet');
  await world.git(clone, 'stash', 'drop', '--quiet');
  await removeDoubles(world, clone);
}

/** Commits that were not pushed to origin are on no branch any more. */
export const reset = (clone: string): SyncStep =>
  step(`${clone} resets the clone to origin`, async (_, world) => {
    world.fetch(clone);
    const before = pagesIn(world.files(clone));
    await world.git(clone, 'reset', '--hard', '--quiet', 'origin/main');
    await removeDoubles(world, clone);
    const after = pagesIn(world.files(clone));
    for (const [key, { words }] of before)
      for (const [slot, word] of words)
        if (after.get(key)?.words.get(slot) !== word) world.discard(`${clone} ${key} ${slot}`, word);
  });

/** A page that a pull gave another file is there twice after a reset, which keeps files that are not tracked. */
async function removeDoubles(world: World, clone: string): Promise<void> {
  const tracked = new Set((await world.git(clone, 'ls-files', '-z', '--', 'docs'))?.split('\0'));
  const files = [...world.files(clone)].map(([file, text]) => ({
    file,
    ...wordsIn(text)!,
    isTracked: tracked.has(`docs/${file}`),
  }));
  const keys = new Set(files.flatMap(({ key, isTracked }) => (isTracked ? [key] : [])));
  for (const { file, key, isTracked } of files) {
    if (isTracked) continue;
    if (keys.has(key)) world.remove(clone, file);
    else world.unbased.add(key);
  }
  if (!tracked.has('docs/SUMMARY.md')) world.remove(clone, 'SUMMARY.md');
}

/** The name that the slug of a page comes from. */
function nameOf(file: string): string {
  const name = posix.basename(file, '.md');
  return name === 'README' ? posix.basename(posix.dirname(file)) : name;
}

/** Reverts the last commit, and pushes. */
export const revert = (clone: string, push: (expected: Expected, world: World) => Promise<void>): SyncStep =>
  step(`${clone} reverts the last commit and pushes`, async (expected, world) => {
    if ((await world.git(clone, 'rev-parse', '--verify', 'HEAD~1')) === undefined) return;
    // A folder whose last pull is reverted is a folder that was not pulled.
    const committed = await world.git(clone, 'show', '--name-only', '--format=', 'HEAD');
    const isPull = committed?.includes('state.json') === true;
    const before = pagesIn(world.files(clone));
    await world.git(clone, 'stash', '--quiet', '--include-untracked');
    const pages = pagesIn(world.files(clone));
    if ((await world.git(clone, 'revert', '--no-edit', 'HEAD')) === undefined)
      await world.git(clone, 'revert', '--abort');
    await world.git(clone, 'stash', 'drop', '--quiet');
    const now = pagesIn(world.files(clone));
    const reverted: { slot: string; from: string; to: string }[] = [];
    for (const [key, { words, file, title }] of before) {
      const after = now.get(key);
      if (after && after.title !== title) world.words.restore(after.title, title);
      if (!after) expected.remove(key, words.values());
      if (!after) expected.revertedFiles.add(`${clone} ${key}`);
      else if (after.file !== file) world.words.restore(nameOf(after.file), nameOf(file));
      // The revert of a pull can change SUMMARY.md.
      if (after?.file !== file || isPull) for (const parent of ['', ...now.keys()]) expected.allowMove(key, parent);
      for (const [slot, from] of pages.get(key)?.words ?? []) {
        const to = after?.words.get(slot);
        if (to === undefined || to === from) continue;
        world.words.restore(to, from);
        reverted.push({ slot: `${key} ${slot}`, from, to });
      }
    }
    for (const key of now.keys()) if (isPull || !pages.has(key)) expected.kept.add(key);
    const inSpace = new Map(expected.words);
    // What was pushed from another branch counts as an edit in the app.
    const last = expected.lastPush?.commit ?? '';
    const isDiverged = (await world.git(clone, 'merge-base', '--is-ancestor', last, 'HEAD')) === undefined;
    await push(expected, world);
    if (expected.isRefused || isPull || isDiverged) return;
    for (const { slot, from, to } of reverted)
      if (inSpace.get(slot) === from && expected.words.get(slot) === from)
        throw new Violation(`${from} is still in the space, although it was reverted to ${to}: ${expected.last}`);
  });
