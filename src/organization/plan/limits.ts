import type { Organization } from '../organization.ts';
import { collectionsIn } from '../files/references.ts';
import type { Change, ChangeKind } from './change.ts';

/** Largest share or number of objects of a kind that may be removed. */
export type MaxRemovals = { share: number } | { count: number };

/** `10%` or `3`; undefined for another text. */
export function readMaxRemovals(text: string): MaxRemovals | undefined {
  const [, number, percent] = /^(\d+)(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  return percent === '%' ? { share: Number(number) / 100 } : { count: Number(number) };
}

/** The kinds of which a plan removes too many, in words. */
export function tooManyRemovals(changes: readonly Change[], current: Organization, max: MaxRemovals): string[] {
  // One object of a few is more than a tenth of them.
  const allowedOf = (all: number) =>
    'count' in max ? max.count : Math.max(max.share === 0 ? 0 : 1, Math.floor(all * max.share));
  const removed = Map.groupBy(
    changes.filter(({ action }) => action === 'delete'),
    ({ kind }) => kind,
  );
  const objects = [...removed].flatMap(([kind, list]) => {
    const all = countOf(kind, current);
    const allowed = allowedOf(all);
    return list.length > allowed ? [`${list.length} of ${all} ${kind}s (at most ${allowed})`] : [];
  });
  const pages = changes.flatMap((change) => {
    const { pageCount: all = 0, name } = change;
    const count = removedPages(change);
    const allowed = allowedOf(all);
    return count > allowed ? [`${count} of ${all} pages of ${name} (at most ${allowed})`] : [];
  });
  return [...objects, ...pages];
}

/** How many pages of a space a change removes, with those below them. */
export const removedPages = ({ pages = [] }: Pick<Change, 'pages'>): number =>
  pages.reduce(
    (sum, { action, isFile, subpages = 0 }) => (action === 'delete' && !isFile ? sum + 1 + subpages : sum),
    0,
  );

function countOf(kind: ChangeKind, organization: Organization): number {
  const counts: Partial<Record<ChangeKind, number | undefined>> = {
    member: organization.members?.length,
    team: organization.teams?.size,
    'SSO provider': organization.sso?.size,
    collection: [...collectionsIn(organization.collections?.collections)].length,
    space: organization.spaces?.size,
    site: organization.sites?.size,
    specification: organization.openapi?.size,
    translation: organization.translations?.translations.length,
    'invite link': organization.inviteLinks?.links.length,
    'custom field': organization.organization?.customFields?.length,
  };
  return counts[kind] ?? 0;
}

/** What a plan does to administrators that nobody could undo. @param caller address of who runs it */
export function administratorProblem(
  changes: readonly Change[],
  { members = [] }: Organization,
  caller: string | undefined,
): string | undefined {
  const lost = new Set(
    changes.flatMap(({ kind, name, action, fields }) => {
      if (kind !== 'member') return [];
      const role = fields.find(({ field }) => field === 'role');
      return action === 'delete' || (role && role.after !== 'admin') ? [name] : [];
    }),
  );
  const added = changes.some(
    ({ kind, fields }) => kind === 'member' && fields.some(({ field, after }) => field === 'role' && after === 'admin'),
  );
  if (caller !== undefined && lost.has(caller.toLowerCase()))
    return 'you would be removed, or no longer be an administrator';
  const others = members.filter(({ role, email }) => role === 'admin' && email !== caller?.toLowerCase());
  const isLast = others.length > 0 && others.every(({ email }) => lost.has(email)) && !added;
  return isLast ? 'no other administrator would be left' : undefined;
}
