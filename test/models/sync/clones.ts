import { posix } from 'node:path';
import { type Expected, isById } from './expected.ts';
import { type PageWords, picture, wordsIn } from './words.ts';
import type { Files, SpacePage, World } from './world.ts';

/** The pages of a clone by key. */
export const pagesIn = (files: Files): Map<string, PageWords & { file: string }> =>
  new Map(
    [...files].map(([file, text]) => {
      const page = wordsIn(text)!;
      const shown = files.pictures.get(posix.join(posix.dirname(file), page.image));
      if (shown !== undefined) page.words.set('picture', shown);
      return [page.key, { file, ...page }];
    }),
  );

/** The key of the page that a link of a clone leads to: relative to the file, to the folder of its subpages, or above. */
export function linkedKey(files: ReadonlyMap<string, string>, file: string, url: string): string | undefined {
  const folder = posix.dirname(file);
  const starts = [
    folder,
    file.replace(/(?:\/README)?\.md$/, ''),
    ...(file.endsWith('/README.md') ? [posix.dirname(folder)] : []),
  ];
  // Until pulls correct every link whose file has another name: a page with subpages can be a README.md.
  const paths = starts.flatMap((start) =>
    [url, url.replace(/\.md$/, '/README.md')].map((path) => posix.join(start, path)),
  );
  const texts = paths.map((path) => files.get(path));
  const text = texts.find((each) => each !== undefined);
  return text === undefined ? undefined : wordsIn(text)?.key;
}

/** A push with `--prefer app` decided for the words of the space, also if it left out files. */
export function noteChoices(world: World, clone: string, pages: readonly SpacePage[]): void {
  const own = pagesIn(world.files(clone));
  for (const { key, words } of pages)
    for (const [slot, word] of own.get(key)?.words ?? []) world.words.decide(words.get(slot) ?? word, word);
}

/** After a push with status 0, the space has all words of the folder. */
export function checkPushed(expected: Expected, world: World, clone: string, pages: readonly SpacePage[]): void {
  const inSpace = new Map(pages.map((page) => [page.key, page]));
  const files = world.files(clone);
  const own = pagesIn(files);
  const hasPlace = (key: string) => own.get(key)?.file.replace(/(?:\/README)?\.md$/, '') === pathOf(expected, key);
  for (const [key, { file, words, link, image }] of own) {
    const page = inSpace.get(key);
    const isRight = link && linkedKey(files, file, link.url) === link.to;
    const isInPlace = page?.link?.url === link?.url && hasPlace(key) && hasPlace(link?.to ?? '');
    const isSent = isInPlace || (page?.link?.to === link?.to && isById(page?.link) && inSpace.has(link?.to ?? ''));
    if (isRight && isSent && !expected.linked.has(key))
      expected.fail(
        `the link of ${key} to ${link.to} (${link.url} in ${file}) works in ${clone}, but not in the space`,
      );
    const isPictureKnown = page?.words.has('picture') || (page && isNear(expected, page));
    if (page && words.has('picture') && !isPictureKnown)
      expected.fail(`${file} of ${clone} shows its picture (${image}), but not in the space (${page.image})`);
    if (!page && (expected.gone.has(key) || !world.isListed(clone, file))) continue;
    if (!page) expected.fail(`${file} of ${clone} was not pushed`);
    for (const [slot, word] of words) {
      if (slot === 'picture' && !page.words.has(slot)) continue;
      const other = page.words.get(slot) ?? '';
      if (expected.overrules === 'app') world.words.decide(other, word);
      const isUnknown = expected.isCrossed || expected.isForked || world.wasDiscarded(other) || world.unbased.has(key);
      if (expected.overrules === 'app' && isUnknown && word !== other) world.words.restore(other, word);
      if (expected.overrules === 'app' && world.words.cameBack(other)) continue;
      // Somebody deleted the page who knew the word, and somebody else created it again.
      if ([...(expected.removals.get(key) ?? [])].some((known) => world.words.follows(known, word))) continue;
      if (!world.words.follows(other, word)) expected.fail(`${word} of ${clone} is not in the space, but ${other}`);
    }
  }
}

const showsPicture = (file: string, image: string) => posix.join(posix.dirname(file), image) === picture;

/** Whether somebody wrote the picture as a path in the app, and the page is still where that leads to it. */
const isNear = (expected: Expected, { key, image }: PageWords) => showsPicture(`${pathOf(expected, key)}.md`, image);

/** The path of a page in the space. */
function pathOf(expected: Expected, key: string): string {
  const parent = expected.parents.get(key) ?? '';
  const slug = expected.words.get(`${key} slug`) ?? '';
  return parent === '' ? slug : `${pathOf(expected, parent)}/${slug}`;
}

interface Pulled {
  clone: string;
  before: Files;
  pages: readonly SpacePage[];
  /** Whether the last push came from a later commit. Its base is not known here, so that a flag also decides what it knew. */
  isOld?: boolean;
}

/** After a pull with status 0, the folder has the space, and has lost nothing that it had before. */
export function checkPulled(expected: Expected, world: World, { clone, before, pages, isOld }: Pulled): void {
  const files = world.files(clone);
  const [earlier, now] = [pagesIn(before), pagesIn(files)];
  const inSpace = new Map(pages.map((page) => [page.key, page]));
  if (expected.overrules === 'folder') for (const key of now.keys()) if (!inSpace.has(key)) expected.kept.add(key);
  // The flag decides for a deletion, which the next push makes.
  if (expected.overrules === 'folder')
    for (const [key, { words }] of inSpace)
      if (expected.removedFiles.has(`${clone} ${key}`)) expected.remove(key, words.values());
  if (files.size > now.size) expected.fail(`a pull doubled a page of ${clone}`);
  for (const [key, { words, file }] of earlier) {
    // A file that is not UTF-8 cannot be merged, so one side wins.
    const isUnreadable = before.get(file)?.includes('\ufffd');
    if (expected.overrules === 'app' && isUnreadable) continue;
    expected.removedFiles.delete(`${clone} ${key}`);
    const result = now.get(key);
    if (!result && inSpace.has(key) && expected.overrules === undefined)
      expected.fail(`a pull deleted the file of page ${key} in ${clone}`);
    for (const [slot, word] of words) {
      const after = result?.words.get(slot);
      if (after === undefined) continue;
      // As in Git, a page can show another picture while its former one is edited.
      if (slot === 'picture' && [...files.pictures.values()].includes(word)) continue;
      if (expected.overrules === 'app') world.words.decide(after, word);
      if (expected.overrules === 'app' && (world.wasDiscarded(after) || world.unbased.has(key))) continue;
      if (expected.overrules === 'app' && world.words.cameBack(after)) continue;
      const other = inSpace.get(key)?.words.get(slot) ?? after;
      if (expected.overrules === 'folder' && (isUnreadable || isOld) && after !== other)
        world.words.restore(after, other);
      else if (expected.overrules === 'folder') world.words.prefer(after, other);
      if (!world.words.follows(after, word)) expected.fail(`a pull replaced ${word} of ${clone} by ${after}`);
    }
  }
  for (const [key, { words }] of inSpace) {
    const result = now.get(key);
    const known = [...(expected.removals.get(key) ?? [])];
    const isKnown = [...words.values()].every((word) => known.some((each) => world.words.follows(each, word)));
    if (result && isKnown && expected.overrules === undefined && expected.removedFiles.has(`${clone} ${key}`))
      expected.fail(`a pull wrote page ${key} again, whose file was deleted in ${clone}`);
    for (const [slot, word] of words) {
      const after = result?.words.get(slot);
      if (after !== undefined && !world.words.follows(after, word) && expected.overrules !== 'folder')
        expected.fail(`a pull did not write ${word}: ${clone} has ${after}`);
    }
    if (!result && !earlier.has(key) && !expected.removals.has(key))
      expected.fail(`a pull did not write page ${key} in ${clone}`);
    if (result && !earlier.has(key) && expected.linked.has(key)) checkLink(expected, files, result);
    const isShown = result && (result.words.has('picture') || files.get(result.file)?.includes('\uFFFD'));
    if (words.has('picture') && result && !isShown)
      expected.fail(`a pull left the picture of ${key} (${result.image} in ${result.file}) leading nowhere`);
  }
  for (const key of now.keys())
    if (!earlier.has(key) && !inSpace.has(key)) expected.fail(`a pull wrote page ${key}, which is not in the space`);
  for (const [key, { file, link }] of earlier) {
    const result = now.get(key);
    // Until pulls also correct the links in pages that only the folder has.
    const isRight = link && linkedKey(before, file, link.url) === link.to;
    // Somebody else may have pushed a link to a page that is not in the space.
    const isExpected = expected.linked.has(key) || inSpace.get(key)?.link?.url === link?.url;
    if (result && inSpace.has(key) && isRight && isExpected) checkLink(expected, files, result);
  }
}

/** A link leads to the page that it is meant to lead to, if the folder has that page. */
function checkLink(expected: Expected, files: Files, { key, file, link }: PageWords & { file: string }): void {
  const isReadable = !files.get(file)?.includes('\uFFFD');
  if (!link || !isReadable || expected.overrules !== undefined || !pagesIn(files).has(link.to)) return;
  const target = linkedKey(files, file, link.url);
  if (target !== link.to)
    expected.fail(`a pull left the link of ${key} to ${link.to} (${link.url} in ${file}) leading to ${target}`);
}
