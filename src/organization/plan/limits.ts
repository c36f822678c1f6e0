import type { Client } from '../../client/client.ts';
import { users } from '../../contract/users.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { Organization } from '../organization.ts';
import { collectionsIn } from '../files/references.ts';
import type { Change, ChangeKind } from './change.ts';

/** Largest share or number of objects of a kind that may be removed. */
export type MaxRemovals = { share: number } | { count: number };

/** `10%` or `3`. @throws EngineError for another text */
export function readMaxRemovals(text = '10%'): MaxRemovals {
  const [, number, percent] = /^(\d+)(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined)
    throw new EngineError('usage', `--max-removals: "${text}" is neither a share as 10% nor a number.`);
  return percent === '%' ? { share: Number(number) / 100 } : { count: Number(number) };
}

interface Losses {
  changes: readonly Change[];
  /** What the service has. */
  current: Organization;
  maxRemovals: MaxRemovals;
  /** Whether the caller and all other administrators may lose their role. */
  withoutSelf: boolean;
}

/** @throws EngineError where changes remove more than was meant */
export async function refuseLosses(
  client: Client,
  { changes, current, maxRemovals, withoutSelf }: Losses,
): Promise<void> {
  const tooMany = tooManyRemovals(changes, current, maxRemovals);
  if (tooMany.length > 0)
    throw new EngineError('refused', `Too much would be removed: ${tooMany.join('; ')}. Nothing was sent.`, {
      hint: 'If that is meant, raise the limit with --max-removals.',
    });
  if (withoutSelf || !changes.some(({ kind }) => kind === 'member')) return;
  const { email } = await client.call(users.current, {});
  const problem = administratorProblem(changes, current, email);
  if (problem !== undefined)
    throw new EngineError('refused', `Refused: ${problem}. Nothing was sent.`, {
      hint: 'If that is meant, add --without-self.',
    });
}

/** The kinds of which a plan removes too many, in words. */
function tooManyRemovals(changes: readonly Change[], current: Organization, max: MaxRemovals): string[] {
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
const removedPages = ({ pages = [] }: Pick<Change, 'pages'>): number =>
  pages.reduce(
    (sum, { action, isFile, subpages = 0 }) => (action === 'delete' && !isFile ? sum + 1 + subpages : sum),
    0,
  );

function countOf(kind: ChangeKind, organization: Organization): number {
  const counts: Record<ChangeKind, number | undefined> = {
    organization: undefined,
    content: undefined,
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
function administratorProblem(
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
