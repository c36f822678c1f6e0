import type { SpacePage, World } from './world.ts';

export class Violation extends Error {}

/** What is in the space, and what people decided, as far as it matters for what may happen next. */
export class Expected {
  /** The last word of each slot, title and slug in the space, by key and slot: "p1 a". */
  words = new Map<string, string>();
  /** Page IDs by key. */
  ids = new Map<string, string>();
  /** The keys of parents, by key; "" at the top. */
  parents = new Map<string, string>();
  /** Keys of pages whose links lead to the right page. */
  linked = new Set<string>();
  /** What the people knew who deleted a page, by key. */
  readonly removals = new Map<string, Set<string>>();
  /** Files that somebody deleted in a clone, and that nobody brought back: "ann p1". */
  readonly removedFiles = new Set<string>();
  /** Files whose addition somebody reverted in a clone: "ann p1". */
  readonly revertedFiles = new Set<string>();
  /** Moves that people made in clones: "p1: p2 > p3". */
  readonly moves = new Set<string>();
  /** Keys that were in the space and are not any more. */
  readonly gone = new Set<string>();
  /** Deleted pages that somebody decided to keep in a folder. */
  readonly kept = new Set<string>();
  /** The side that a flag of the last command preferred. */
  overrules: 'app' | 'folder' | undefined;
  /** The commit of the last finished push, and a repository that has it. */
  lastPush: { commit: string; clone: string } | undefined;
  /**
   * Whether the last push was that of a job of an older commit than the newest one. It may have come after a pull into a newer
   * commit: then there are two bases, and what both sides change next to each other can be a conflict although only one knows less.
   */
  isCrossed = false;
  /** Whether a push came from another branch than the one before, or had changes without a commit: the same holds. */
  isForked = false;
  /** Whether the last push or pull ended with another status than 0. */
  isRefused = false;
  /** Whether the last push or pull left files out (status 8), and did the rest. */
  isPartial = false;
  pageCount = 0;
  pushCount = 0;
  /** The last step. */
  last = '';

  newKey(): string {
    this.pageCount += 1;
    return `p${this.pageCount}`;
  }

  /** Somebody deletes a page, knowing these words. */
  remove(key: string, words: Iterable<string>): void {
    this.removals.set(key, new Set([...(this.removals.get(key) ?? []), ...words]));
  }

  /** Somebody moves a page whose place they know. */
  allowMove(key: string, to: string): void {
    this.moves.add(`${key}: ${this.parents.get(key) ?? ''} > ${to}`);
  }

  /** The page of a key is no longer in the space. */
  forget(key: string): void {
    this.ids.delete(key);
    this.parents.delete(key);
    this.linked.delete(key);
    for (const file of this.removedFiles) if (file.endsWith(` ${key}`)) this.removedFiles.delete(file);
    for (const slot of this.words.keys()) if (slot.startsWith(`${key} `)) this.words.delete(slot);
  }

  fail(what: string): never {
    throw new Violation(`${what}, after: ${this.last}`);
  }
}

/** Checks the space against what it had before. */
export async function checkSpace(expected: Expected, world: World): Promise<SpacePage[]> {
  const pages = await world.pages();
  const byKey = Map.groupBy(pages, ({ key }) => key);
  const keys = new Map(pages.map(({ id, key }) => [id, key]));
  for (const [key, copies] of byKey) {
    if (copies.length > 1) expected.fail(`page ${key} is in the space ${copies.length} times`);
    const page = copies[0]!;
    if (expected.gone.has(key) && expected.overrules === undefined && !expected.kept.has(key))
      expected.fail(`page ${key} was deleted and came back`);
    expected.gone.delete(key);
    const before = expected.ids.get(key);
    if (before !== undefined && before !== page.id) expected.fail(`page ${key} got another ID`);
    expected.ids.set(key, page.id);
    checkWords(expected, world, page);
    checkParent(expected, key, page.parent === null ? '' : (keys.get(page.parent) ?? ''), byKey);
  }
  for (const key of expected.ids.keys()) if (!byKey.has(key)) checkDeletion(expected, world, key);
  await checkLinks(expected, world, pages);
  return pages;
}

function checkWords(expected: Expected, world: World, { key, words, title, slug }: SpacePage): void {
  const now = new Map([...words, ['title', title], ['slug', slug]]);
  for (const [slot, word] of now) {
    const earlier = expected.words.get(`${key} ${slot}`);
    if (earlier !== undefined && !world.words.follows(word, earlier)) {
      if (expected.overrules !== 'folder')
        expected.fail(`${slot} of ${key}: "${earlier}" was replaced by "${word}", whose author did not know it`);
      // Also if the earlier word came after this one was taken back.
      world.words.restore(word, earlier);
    }
    expected.words.set(`${key} ${slot}`, word);
  }
  for (const slot of ['a', 'b']) if (!now.has(slot)) expected.fail(`page ${key} lost its slot ${slot}`);
}

function checkParent(expected: Expected, key: string, parent: string, pages: ReadonlyMap<string, unknown>): void {
  const before = expected.parents.get(key);
  const isMoved = before !== undefined && before !== parent && (before === '' || pages.has(before));
  if (isMoved && expected.overrules === undefined && !expected.moves.has(`${key}: ${before} > ${parent}`))
    expected.fail(`page ${key} was moved from "${before}" to "${parent}" by nobody`);
  expected.parents.set(key, parent);
}

function checkDeletion(expected: Expected, world: World, key: string): void {
  const known = expected.removals.get(key);
  if (!known) expected.fail(`page ${key} was deleted by nobody`);
  for (const slot of ['a', 'b']) {
    const word = expected.words.get(`${key} ${slot}`) ?? '';
    const isKnown = [...known].some((each) => world.words.follows(each, word));
    if (!isKnown && expected.overrules === undefined)
      expected.fail(`page ${key} was deleted by somebody who did not know ${word}`);
  }
  expected.forget(key);
  expected.gone.add(key);
}

export const isById = (link: SpacePage['link']): boolean => link?.url.startsWith('/pages/') === true;

/** Links never lead to another page, and no link by ID breaks. A move in the app breaks links that somebody wrote there as paths. */
async function checkLinks(expected: Expected, world: World, pages: readonly SpacePage[]): Promise<void> {
  const ids = new Map(pages.map(({ key, id }) => [key, id]));
  for (const { key, id, link } of pages) {
    const right = link && ids.get(link.to);
    if (right === undefined) {
      expected.linked.delete(key);
      continue;
    }
    const target = await world.target(id);
    if (target === right) expected.linked.add(key);
    else if (target !== undefined) expected.fail(`the link of ${key} to ${link?.to} leads to another page`);
    else if (expected.linked.delete(key) && (isById(link) || !expected.last.startsWith('the app:')))
      expected.fail(`the link of ${key} to ${link?.to} (${link?.url}) broke`);
  }
}
