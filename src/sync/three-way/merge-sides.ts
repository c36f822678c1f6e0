import { type Conflict, merge } from '../../content/merge/merge.ts';
import { mergeLines } from '../../content/merge/merge-lines.ts';
import type { PageRecord } from '../../content/merge/snapshot.ts';
import { textHash } from '../../content/folder/base.ts';
import type { Sides } from './sides.ts';

/** What to do where the folder and the space cannot both be kept. */
export interface MergeOptions {
  /** Whose state is taken where both changed the same. */
  prefer?: 'app' | 'folder' | undefined;
  /** The folder's state is taken for every page that it has or had. */
  overwrite?: boolean | undefined;
  /** Pages that the folder never had are deleted. */
  deleteOthers?: boolean | undefined;
}

export interface MergedSides {
  /** Depth first, siblings in their order; the documents are names in the texts of the sides. */
  pages: PageRecord[];
  conflicts: Conflict[];
}

/** Three-way merge of the folder with the space. With conflicts, there are no pages. */
export async function mergeSides(
  { base = [], folder, app, texts, fixed }: Pick<Sides, 'base' | 'folder' | 'app' | 'texts' | 'fixed'>,
  { prefer, overwrite = false, deleteOthers = false }: MergeOptions,
): Promise<MergedSides> {
  const ancestors = ancestorsFor({ base, folder, app }, { overwrite, deleteOthers, fixed });
  const three = { base: ancestors, folder, app };
  const winner = overwrite ? 'folder' : prefer;
  const settling = new Settling(three, texts);
  // Each round decides at least one conflict; a decision can show another, such as a page that has lost its parent.
  for (let round = 0; ; round += 1) {
    const merged = await merge(
      { pages: three.base },
      { pages: three.folder },
      { pages: three.app },
      (name) => texts.get(name) ?? '',
    );
    if (merged.result === 'merged') {
      for (const page of merged.pages) {
        const text = merged.texts.get(page.id);
        if (text !== undefined) page.document = nameOf(text, texts);
      }
      return { pages: merged.pages, conflicts: [] };
    }
    if (winner === undefined || round > base.length + folder.length + app.length)
      return { pages: [], conflicts: merged.conflicts };
    for (const conflict of merged.conflicts) settling.settle(conflict, winner);
  }
}

function nameOf(text: string, texts: Map<string, string>): string {
  const name = textHash(text);
  texts.set(name, text);
  return name;
}

type Three = Record<'base' | 'folder' | 'app', PageRecord[]>;

/** The base in which what shall be overwritten, or deleted, looks unchanged in the space. */
function ancestorsFor(
  { base, folder, app }: Three,
  { overwrite = false, deleteOthers = false, fixed }: MergeOptions & Pick<Sides, 'fixed'>,
): PageRecord[] {
  const inFolder = new Set(folder.map(({ id }) => id));
  const inApp = new Map(app.map((page) => [page.id, page]));
  const inBase = new Set(base.map(({ id }) => id));
  const ancestors = overwrite
    ? // A page that is deleted in the space is a new one.
      base.flatMap((page) => inApp.get(page.id) ?? (inFolder.has(page.id) ? [] : [page]))
    : [...base];
  for (const page of app) {
    if (inBase.has(page.id)) continue;
    if (inFolder.has(page.id) ? overwrite : deleteOthers && !fixed.has(page.id)) ancestors.push(page);
  }
  return ancestors;
}

/** Decides conflicts: changes the side that loses, until it agrees with the other. */
class Settling {
  readonly #three: Three;
  readonly #texts: Map<string, string>;

  constructor(three: Three, texts: Map<string, string>) {
    this.#three = three;
    this.#texts = texts;
  }

  settle({ page: id, kind, members = [] }: Conflict, winner: 'app' | 'folder'): void {
    const loser = winner === 'app' ? 'folder' : 'app';
    if (kind === 'deleted') return this.#settleDeletion(id, winner, loser);
    const won = find(this.#three[winner], id);
    const lost = find(this.#three[loser], id);
    if (!won || !lost) return;
    if (kind === 'content') {
      const [base = '', ours = '', theirs = ''] = [find(this.#three.base, id), won, lost].map((page) =>
        this.#texts.get(page?.document ?? ''),
      );
      const document = nameOf(mergeLines(base, ours, theirs).text, this.#texts);
      this.#replace(winner, { ...won, document });
      this.#replace(loser, { ...lost, document });
      return;
    }
    const values: PageRecord = { ...lost };
    for (const member of members) values[member] = won[member];
    this.#replace(loser, values);
  }

  #settleDeletion(id: string, winner: 'app' | 'folder', loser: 'app' | 'folder'): void {
    const base = find(this.#three.base, id);
    if (find(this.#three[winner], id)) {
      // As if the winner had just added it: it keeps its place there.
      this.#three.base = this.#three.base.filter((page) => page.id !== id);
      return;
    }
    if (base) this.#replace(loser, base);
    // Pages that the other side has under it are not what the conflict is about: they keep the place that they have
    // without it, or move up.
    for (const page of this.#three[loser].filter(({ parent }) => parent === id)) {
      const [won, before] = [find(this.#three[winner], page.id), find(this.#three.base, page.id)];
      if (won) this.#replace(loser, { ...page, parent: won.parent });
      else if (!before) this.#replace(loser, { ...page, parent: base?.parent ?? null });
    }
  }

  #replace(side: 'app' | 'folder', page: PageRecord): void {
    this.#three[side] = this.#three[side].map((each) => (each.id === page.id ? page : each));
  }
}

const find = (pages: readonly PageRecord[], id: string) => pages.find((page) => page.id === id);
