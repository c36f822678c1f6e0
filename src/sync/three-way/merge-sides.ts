import { type Conflict, merge } from '../../content/merge/merge.ts';
import { mergeLines } from '../../content/merge/merge-lines.ts';
import type { PageRecord } from '../../content/merge/snapshot.ts';
import { textHash } from '../../content/folder/base.ts';
import type { Preference, Side } from '../preference.ts';
import type { Sides } from './sides.ts';

export interface MergeOptions extends Preference {
  /** Whether the folder wins for every page that is or was in it, even without a conflict. */
  overwrite?: boolean | undefined;
  /** Whether pages that were never in the folder are deleted. */
  deleteOthers?: boolean | undefined;
}

interface MergeInput extends Pick<MergeOptions, 'overwrite' | 'deleteOthers'> {
  /** The side that wins the conflicts of a page, by its ID. */
  winner(id: string): Side | undefined;
  /** The form in which texts are merged. */
  stableLinks?: MergeTexts;
}

/** The form in which the text of a page is merged. The folder is `ours`. */
export type MergeTexts = (text: string, page: string, side: 'base' | 'ours' | 'theirs') => string;

/**
 * Three-way merge of the folder with the space.
 *
 * @returns the pages, depth first, whose documents are names in the texts of the sides; or no pages, but conflicts
 */
export async function mergeSides(
  { base = [], folder, app, texts, fixed }: Pick<Sides, 'base' | 'folder' | 'app' | 'texts' | 'fixed'>,
  { overwrite = false, deleteOthers = false, winner, stableLinks = (text) => text }: MergeInput,
): Promise<{ pages: PageRecord[]; conflicts: Conflict[] }> {
  const ancestors = ancestorsFor({ base, folder, app }, { overwrite, deleteOthers, fixed });
  const three = { base: ancestors, folder, app };
  const textOf: MergeTexts = (name, page, side) => stableLinks(texts.get(name) ?? '', page, side);
  // Each round resolves at least one conflict, which can cause another, such as a page that has lost its parent.
  for (let round = 0; ; round += 1) {
    const merged = await merge({ pages: three.base }, { pages: three.folder }, { pages: three.app }, textOf);
    if (merged.result === 'merged') {
      for (const page of merged.pages) {
        const text = merged.texts.get(page.id);
        if (text !== undefined) page.document = nameOf(text, texts);
      }
      return { pages: merged.pages, conflicts: [] };
    }
    const { conflicts } = merged;
    const settled = conflicts.filter((conflict) => {
      const side = overwrite ? 'folder' : winner(conflict.page);
      if (side !== undefined) settle(conflict, side, three, { texts, textOf });
      return side !== undefined;
    });
    if (settled.length === 0 || round > base.length + folder.length + app.length) return { pages: [], conflicts };
  }
}

function nameOf(text: string, texts: Map<string, string>): string {
  const name = textHash(text);
  texts.set(name, text);
  return name;
}

type Three = Record<'base' | 'folder' | 'app', PageRecord[]>;

/** The base, changed so that pages to overwrite or delete look unchanged in the space. */
function ancestorsFor(
  { base, folder, app }: Three,
  { overwrite = false, deleteOthers = false, fixed }: MergeOptions & Pick<Sides, 'fixed'>,
): PageRecord[] {
  const inFolder = new Set(folder.map(({ id }) => id));
  const inApp = new Map(app.map((page) => [page.id, page]));
  const inBase = new Set(base.map(({ id }) => id));
  const ancestors = overwrite
    ? // A page that was deleted in the space becomes a new one.
      base.flatMap((page) => inApp.get(page.id) ?? (inFolder.has(page.id) ? [] : [page]))
    : [...base];
  for (const page of app) {
    if (inBase.has(page.id)) continue;
    if (inFolder.has(page.id) ? overwrite : deleteOthers && !fixed.has(page.id)) ancestors.push(page);
  }
  return ancestors;
}

/** Resolves a conflict by changing the losing side until it agrees with the winner. */
function settle(
  { page: id, kind, members = [] }: Conflict,
  winner: 'app' | 'folder',
  three: Three,
  { texts, textOf }: { texts: Map<string, string>; textOf: MergeTexts },
): void {
  const loser = winner === 'app' ? 'folder' : 'app';
  const [base, won, lost] = [three.base, three[winner], three[loser]].map((pages) => find(pages, id));
  const replace = (side: 'app' | 'folder', page: PageRecord) => {
    three[side] = three[side].map((each) => (each.id === page.id ? page : each));
  };
  if (kind === 'deleted') {
    if (won) {
      // The merge then treats it as a page that the winner added, in its place there.
      three.base = three.base.filter((page) => page.id !== id);
      return;
    }
    if (base) replace(loser, base);
    // Its subpages on the losing side are not part of the conflict: they keep their place on the winning side, or move up.
    for (const page of three[loser].filter(({ parent }) => parent === id)) {
      const other = find(three[winner], page.id);
      if (other) replace(loser, { ...page, parent: other.parent });
      else if (!find(three.base, page.id)) replace(loser, { ...page, parent: base?.parent ?? null });
    }
  } else if (won && lost && kind === 'content') {
    const [ourSide, theirSide] = winner === 'folder' ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
    const read = (page: PageRecord | undefined, side: Parameters<MergeTexts>[2]) =>
      textOf(page?.document ?? '', id, side);
    const [before, ours, theirs] = [read(base, 'base'), read(won, ourSide), read(lost, theirSide)];
    const document = nameOf(mergeLines(before, ours, theirs).text, texts);
    replace(winner, { ...won, document });
    // The title of a page without a text in the folder comes from the name of its subfolder.
    const isWithoutText = loser === 'folder' && theirs === '';
    replace(loser, { ...lost, document, ...(isWithoutText && { title: won.title }) });
  } else if (won && lost) {
    replace(loser, { ...lost, ...Object.fromEntries(members.map((member) => [member, won[member]])) });
  }
}

const find = (pages: readonly PageRecord[], id: string) => pages.find((page) => page.id === id);
