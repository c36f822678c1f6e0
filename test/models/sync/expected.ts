import type { SpacePage, World } from './world.ts';
import { wordsIn } from './words.ts';

/** What has happened so far, as far as it matters for what may happen next. */
export class Expected {
  /** The last word of each slot in the space, and the page of each key. */
  words = new Map<string, string>();
  ids = new Map<string, string>();
  /** Keys that somebody deleted on purpose, in a clone or in the app. */
  readonly removed = new Set<string>();
  /** Keys that were in the space and are not any more. */
  readonly gone = new Set<string>();
  /** Keys that are gone, and that somebody decided to keep in a folder. */
  readonly kept = new Set<string>();
  /** Whether a flag of the last command decided conflicts. */
  overrules: 'app' | 'folder' | undefined;
  /** Whether the last push or pull ended with another status than 0. */
  isRefused = false;
  pageCount = 0;
  last = '';

  /** The page of a key was deleted in the space, but not in the folder. */
  forget(key: string): void {
    this.ids.delete(key);
    for (const slot of this.words.keys()) if (slot.slice(0, -1) === key) this.words.delete(slot);
  }

  newKey(): string {
    this.pageCount += 1;
    return `p${this.pageCount}`;
  }
}

export class Violation extends Error {}

/** Checks the space against what it had before. */
export async function checkSpace(expected: Expected, world: World): Promise<SpacePage[]> {
  const pages = await world.pages();
  const byKey = Map.groupBy(pages, ({ key }) => key);
  for (const [key, copies] of byKey) {
    if (copies.length > 1)
      throw new Violation(`page ${key} is in the space ${copies.length} times after: ${expected.last}`);
    const { id, words } = copies[0]!;
    if (expected.gone.has(key) && expected.overrules === undefined && !expected.kept.has(key))
      throw new Violation(`page ${key} was deleted and came back after: ${expected.last}`);
    expected.gone.delete(key);
    const before = expected.ids.get(key);
    if (before !== undefined && before !== id)
      throw new Violation(`page ${key} got another ID after: ${expected.last}`);
    expected.ids.set(key, id);
    for (const [slot, word] of words) {
      const earlier = expected.words.get(key + slot);
      if (earlier !== undefined && !world.words.follows(word, earlier)) {
        if (expected.overrules !== 'folder')
          throw new Violation(
            `${earlier} was replaced by ${word}, whose author did not know it, after: ${expected.last}`,
          );
        world.words.decide(word, earlier);
      }
      expected.words.set(key + slot, word);
    }
  }
  for (const key of expected.ids.keys()) {
    if (byKey.has(key)) continue;
    if (!expected.removed.has(key)) throw new Violation(`page ${key} was deleted by nobody, after: ${expected.last}`);
    expected.ids.delete(key);
    expected.gone.add(key);
    for (const word of expected.words.keys())
      if (word.startsWith(key) && word.length === key.length + 1) expected.words.delete(word);
  }
  return pages;
}

/** After a push with status 0, the space knows all that the folder says. */
export function checkPushed(expected: Expected, world: World, clone: string, pages: readonly SpacePage[]): void {
  const inSpace = new Map(pages.map((page) => [page.key, page]));
  for (const [file, text] of world.files(clone)) {
    const own = wordsIn(text);
    const page = own && inSpace.get(own.key);
    if (!own || (!page && expected.gone.has(own.key))) continue;
    if (!page) throw new Violation(`${file} of ${clone} was not pushed: ${expected.last}`);
    for (const [slot, word] of own.words) {
      const other = page.words.get(slot) ?? '';
      if (expected.overrules === 'app') world.words.decide(other, word);
      if (world.words.follows(other, word)) continue;
      throw new Violation(`${word} of ${clone} is not in the space, but ${other}: ${expected.last}`);
    }
  }
}

/** After a pull with status 0, nothing that the clone said before is lost. */
export function checkPulled(
  expected: Expected,
  world: World,
  { clone, before, pages }: { clone: string; before: ReadonlyMap<string, string>; pages: readonly SpacePage[] },
): void {
  const [earlier, now] = [before, world.files(clone)].map(
    (files) => new Map([...files.values()].flatMap((text) => wordsIn(text) ?? []).map((page) => [page.key, page])),
  );
  const inSpace = new Map(pages.map((page) => [page.key, page]));
  if (expected.overrules === 'folder') for (const key of now!.keys()) if (!inSpace.has(key)) expected.kept.add(key);
  const count = [...world.files(clone).values()].filter((text) => wordsIn(text)).length;
  if (count > now!.size) throw new Violation(`a pull doubled a page of ${clone}: ${expected.last}`);
  for (const [key, page] of earlier!) {
    const result = now!.get(key);
    if (!result && inSpace.has(key) && expected.overrules === undefined)
      throw new Violation(`a pull deleted the file of page ${key} in ${clone}: ${expected.last}`);
    for (const [slot, word] of page.words) {
      const after = result?.words.get(slot);
      if (after === undefined) continue;
      if (expected.overrules === 'app') world.words.decide(after, word);
      if (expected.overrules === 'folder') world.words.decide(after, inSpace.get(key)?.words.get(slot) ?? after);
      if (world.words.follows(after, word)) continue;
      throw new Violation(`a pull replaced ${word} of ${clone} by ${after}: ${expected.last}`);
    }
  }
  for (const key of now!.keys()) {
    if (earlier!.has(key) || !expected.removed.has(key) || expected.overrules !== undefined) continue;
    if (!inSpace.has(key)) throw new Violation(`a pull wrote page ${key}, which is not in the space: ${expected.last}`);
  }
}
