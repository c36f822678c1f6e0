import type { PageRecord } from '../../../content/merge/snapshot.ts';
import type { PageRow, PageState } from '../../../store/content.ts';
import { jsonText } from '../../../store/json.ts';
import type { PageExtra } from '../../../store/tables.ts';
import { extraOf } from '../pages/page-extra.ts';

/** A page as `content/merge` merges it, with the members of the API. */
export interface MergeRecord extends PageRecord, PageExtra {
  position: string;
  type: PageState['type'];
  /** The slug. Not as `slug`: the merge would change equal ones by its own rule, and main content keeps its addresses. */
  address: string;
  emoji: string | null;
  icon: string | null;
  description: string | null;
  hidden: number;
  noIndex: number;
  noRobotsIndex: number;
  createdAt: string;
  updatedAt: string;
}

export function recordOf(row: PageRow): MergeRecord {
  return {
    id: row.page,
    parent: row.parent,
    position: row.position,
    type: row.type,
    title: row.title,
    address: row.slug,
    emoji: row.emoji,
    icon: row.icon,
    description: row.description,
    document: row.document,
    hidden: row.hidden,
    noIndex: row.no_index,
    noRobotsIndex: row.no_robots_index,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...extraOf(row),
  };
}

export function stateOfRecord(record: MergeRecord): PageState {
  const { id: _, parent, position, type, title, address, emoji, icon, description, document, ...others } = record;
  const { hidden, noIndex, noRobotsIndex, createdAt, updatedAt, ...extra } = others;
  return {
    parent,
    position,
    type,
    title,
    slug: address,
    emoji,
    icon,
    description,
    document,
    hidden,
    no_index: noIndex,
    no_robots_index: noRobotsIndex,
    extra: Object.keys(extra).length > 0 ? jsonText(extra) : null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
