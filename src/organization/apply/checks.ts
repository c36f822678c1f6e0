import type { Client } from '../../client/client.ts';
import { users } from '../../contract/users.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { refuseConflicts } from '../content/plan-content.ts';
import { changeKindOf, kinds, type Organization } from '../parts.ts';
import type { Change } from '../plan/change.ts';
import type { MadePlan } from '../plan/make-plan.ts';

interface Checks {
  maxRemovals: MaxRemovals;
  withoutSelf: boolean;
  /** Whether a conflict only fails its space. */
  allowsConflicts: boolean;
  /** Whether an object that may have been renamed may be deleted and created again. */
  allowsRenames: boolean;
}

/** @throws EngineError if the plan must not be applied */
export async function checkPlan(
  client: Client,
  made: MadePlan,
  { allowsConflicts, allowsRenames, ...limits }: Checks,
): Promise<void> {
  const { plan, snapshot, contents } = made;
  if (!allowsConflicts) refuseConflicts(made, 'nothing was sent.');
  if (!allowsRenames) refuseRenames(made);
  await refuseLosses(client, { ...limits, changes: plan.changes, current: snapshot.organization });
  const forbidden = contents.flatMap(({ step }) => {
    const { edit, merge: canMerge } = snapshot.spaces.get(step.content)?.permissions ?? { edit: true, merge: true };
    return edit && canMerge ? [] : [`${edit ? 'merge' : 'edit'} the content of ${step.content}`];
  });
  if (forbidden.length > 0)
    throw new EngineError('forbidden', `permission denied: ${forbidden.join(', ')}. Nothing was sent.`, {
      hint: 'Ask for a higher level on these spaces, or leave out their content folders.',
    });
}

/** @throws EngineError if the plan deletes an object that may have been renamed, because nobody is asked */
function refuseRenames({ plan: { changes }, possible }: MadePlan): void {
  for (const { kind, gone, added } of possible) {
    const isPlanned = (action: 'create' | 'delete', names: readonly string[]) =>
      changes.find(
        (change) => change.action === action && change.kind === changeKindOf[kind] && names.includes(change.name),
      );
    const deleted = isPlanned('delete', gone);
    if (!deleted || !isPlanned('create', added)) continue;
    throw new EngineError(
      'refused',
      `The ${deleted.kind} "${deleted.name}" would be deleted, but it may have been renamed. Nothing was sent.`,
      {
        hint: `If it was renamed, add "moved: ${deleted.name}" to the file of the new one. To delete it anyway, allow the removal with --max-removals, or apply a saved plan.`,
      },
    );
  }
}

/** The share or number of objects of each kind that may be removed. */
export type MaxRemovals = { share: number } | { count: number };

/** Parses `10%` or `3`. @throws EngineError for other texts */
export function readMaxRemovals(text = '10%'): MaxRemovals {
  const [, number, percent] = /^(\d+)(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined)
    throw new EngineError('usage', `--max-removals: "${text}" is neither a percentage nor a number.`);
  return percent === '%' ? { share: Number(number) / 100 } : { count: Number(number) };
}

interface Losses {
  changes: readonly Change[];
  current: Organization;
  maxRemovals: MaxRemovals;
  /** Whether the caller and all other administrators may lose their role. */
  withoutSelf: boolean;
}

/** @throws EngineError if changes remove more than allowed, or the last administrator */
export async function refuseLosses(
  client: Client,
  { changes, current, maxRemovals, withoutSelf }: Losses,
): Promise<void> {
  const tooMany = tooManyRemovals(changes, current, maxRemovals);
  if (tooMany.length > 0)
    throw new EngineError('refused', `Too many removals: ${tooMany.join('; ')}. Nothing was sent.`, {
      hint: 'To remove them anyway, raise the limit with --max-removals.',
    });
  if (withoutSelf || !changes.some(({ kind }) => kind === 'member')) return;
  const { email } = await client.call(users.current, {});
  const problem = administratorProblem(changes, current, email);
  if (problem !== undefined)
    throw new EngineError('refused', `Refused: ${problem}. Nothing was sent.`, {
      hint: 'To do it anyway, use --without-self.',
    });
}

/** Texts about the kinds of which a plan removes too many. */
function tooManyRemovals(changes: readonly Change[], current: Organization, max: MaxRemovals): string[] {
  // One object may always be removed, even if it is more than a tenth of all.
  const allowedOf = (all: number) =>
    'count' in max ? max.count : Math.max(max.share === 0 ? 0 : 1, Math.floor(all * max.share));
  const removed = Map.groupBy(
    changes.filter(({ action }) => action === 'delete'),
    ({ kind }) => kind,
  );
  const objects = [...removed].flatMap(([kind, list]) => {
    const all = kinds[kind].objects(current)?.length ?? 0;
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

/** How many pages of a space a change removes, including subpages. */
const removedPages = ({ pages = [] }: Pick<Change, 'pages'>): number =>
  pages.reduce(
    (sum, { action, isFile, subpages = 0 }) => (action === 'delete' && !isFile ? sum + 1 + subpages : sum),
    0,
  );

/** Whether a plan locks administrators out. @param caller address of the user who runs it */
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
