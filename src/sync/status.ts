import { StaleCheckout } from './find-base.ts';
import type { Operation, PushConflict } from './plan.ts';
import { type PlannedPull, planPull, type Pull } from './pull.ts';
import { leftOut, planPush, type Push } from './push.ts';
import type { ContentPort } from './read-remote.ts';

/** What a push and a pull of a folder would do. */
export interface Status {
  /** What a push would send, in the order of the plan, with the files of the pages. */
  push: { operation: Operation; file: string | undefined }[];
  /** Whether the folder and the space were never synchronized. */
  isFirst: boolean;
  /** How many files a push would leave out, because they cannot be read or are too large. */
  leftOut: number;
  /** Set if the checkout is older than the last push. */
  stale: StaleCheckout | undefined;
  pull: PlannedPull;
  conflicts: PushConflict[];
}

/** Compares a folder with its space, and changes nothing. */
export async function statusOf(port: ContentPort, pull: Pull, push: Push): Promise<Status> {
  const { conflicts, ...pushed } = await pushStatus(port, push);
  const pulled = await planPull(port, { ...pull, options: { mark: true } });
  const named = new Set(conflicts.map(nameOf));
  const others = pulled.merged.conflicts.filter((conflict) => !named.has(nameOf(conflict)));
  return { ...pushed, pull: pulled, conflicts: [...conflicts, ...others] };
}

const nameOf = ({ page, file, path }: PushConflict) => page || (file ?? path);

async function pushStatus(port: ContentPort, push: Push): Promise<Omit<Status, 'pull'>> {
  const none = { push: [], isFirst: false, leftOut: 0, stale: undefined, conflicts: [] };
  if (push.local.pages.every(({ isUnreadable }) => isUnreadable)) return none;
  try {
    const { plan, compared } = await planPush(port, push);
    const { isFirst, conflicts } = plan;
    // What the push would send apart from the conflicts.
    const options = { ...push.options, prefer: 'app' as const };
    const rest = conflicts.length === 0 ? plan : (await planPush(port, { ...push, options })).plan;
    const contested = new Set(conflicts.map(({ page }) => page));
    const operations = rest.operations.filter((operation) => !('id' in operation && contested.has(operation.id)));
    const files = new Map(push.local.pages.map(({ path, file }) => [path, file]));
    const former = new Map(compared.base?.pages.map(({ id, file }) => [id, file]));
    const fileOf = (operation: Operation) => {
      if (operation.kind === 'upload') return operation.name;
      return ('id' in operation ? former.get(operation.id) : undefined) ?? files.get(operation.path) ?? undefined;
    };
    return {
      ...none,
      isFirst,
      leftOut: leftOut(push, plan),
      conflicts,
      push: operations.map((operation) => ({ operation, file: fileOf(operation) })),
    };
  } catch (error) {
    if (error instanceof StaleCheckout) return { ...none, stale: error };
    throw error;
  }
}
