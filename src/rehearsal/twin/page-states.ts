import { isDeepStrictEqual } from 'node:util';
import { generateKeyBetween } from 'fractional-indexing';
import { slugify } from '../../content/markdown/slug.ts';
import type { Page } from '../../contract/pages.ts';
import { longestIncreasingSubsequence } from '../../shared/longest-increasing-subsequence.ts';
import type { PageState } from '../../store/content.ts';
import type { PageExtra } from '../../store/tables.ts';
import { jsonText } from '../../store/json.ts';
import { defaultLayout } from '../../server/content/pages/pages.ts';

export type PageStates = ReadonlyMap<string, PageState>;

/**
 * The pages of a revision as rows. The service reports the order of pages, but not their positions. Pages keep their positions
 * in `before` as far as the order allows, so that only moved pages differ.
 */
export function pageStates(pages: readonly Page[], before: PageStates, createdAt: string): Map<string, PageState> {
  const states = new Map<string, PageState>();
  const add = (siblings: readonly Page[], parent: string | null) => {
    const positions = positionsOf(siblings, parent, before);
    for (const [index, page] of siblings.entries()) {
      states.set(page.id, stateOf(page, { parent, position: positions[index] ?? '', createdAt }));
      if ('pages' in page) add(page.pages, page.id);
    }
  };
  add(pages, null);
  return states;
}

function positionsOf(siblings: readonly Page[], parent: string | null, before: PageStates): string[] {
  const known = new Map<string, string>();
  for (const { id } of siblings) {
    const state = before.get(id);
    if (state?.parent === parent) known.set(id, state.position);
  }
  const sorted = [...known].toSorted(([oneId, one], [otherId, other]) =>
    one < other || (one === other && oneId < otherId) ? -1 : 1,
  );
  const places = new Map(sorted.map(([id], index) => [id, index]));
  const present = siblings.filter(({ id }) => places.has(id));
  const staying = longestIncreasingSubsequence(present, ({ id }) => places.get(id) ?? 0);
  const kept = new Map(staying.map(({ id }) => [id, known.get(id) ?? '']));
  const positions: string[] = [];
  for (const [index, { id }] of siblings.entries()) {
    const next = siblings.slice(index).find((sibling) => kept.has(sibling.id));
    positions.push(
      kept.get(id) ?? generateKeyBetween(positions.at(-1) ?? null, next ? (kept.get(next.id) ?? null) : null),
    );
  }
  return positions;
}

interface Placed {
  parent: string | null;
  position: string;
  createdAt: string;
}

function stateOf(page: Page, { parent, position, createdAt }: Placed): PageState {
  const flags = 'noIndex' in page ? page : { hidden: undefined, noIndex: undefined, noRobotsIndex: undefined };
  const extra = extraOf(page);
  return {
    parent,
    position,
    type: page.type,
    title: page.title,
    slug: 'slug' in page ? page.slug : slugify(page.title),
    emoji: page.emoji ?? null,
    icon: page.icon ?? null,
    description: page.type === 'document' ? (page.description ?? null) : null,
    document: page.type === 'document' ? (page.documentId ?? null) : null,
    hidden: Number(page.type === 'link' ? (page.hidden ?? false) : (flags.hidden ?? false)),
    no_index: Number(flags.noIndex ?? false),
    no_robots_index: Number(flags.noRobotsIndex ?? false),
    extra: Object.keys(extra).length > 0 ? jsonText(extra) : null,
    created_at: page.createdAt ?? createdAt,
    updated_at: page.updatedAt ?? createdAt,
  };
}

function extraOf(page: Page): PageExtra {
  if (page.type === 'link') return { target: page.target, ...(page.href !== undefined && { href: page.href }) };
  if (page.type === 'computed') return { computed: page.computed };
  if (page.type === 'group') return {};
  const { layout, cover, git, computed, computedSeed } = page;
  return {
    ...(!isDeepStrictEqual({ ...layout }, { ...defaultLayout }) && { layout }),
    ...(cover && { cover }),
    ...(git && { git }),
    ...(computed && { computed }),
    ...(computedSeed !== undefined && { computedSeed }),
  };
}
