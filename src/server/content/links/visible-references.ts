import type * as z from 'zod/mini';
import type { RelativeReference } from '../../../contract/references.ts';
import { findCollection, findMember, findSpace } from '../../../store/lookups.ts';
import type { Db } from '../../../store/store.ts';
import { asking } from '../spaces/placement.ts';
import type { Caller, OrgAt } from '../../engine/context.ts';
import { Invalid } from '../../engine/errors.ts';
import { levelOn } from '../../organizations/levels.ts';

export type Reference = z.infer<ReturnType<typeof RelativeReference>>;

interface Asker {
  db: Db;
  caller: Caller;
  at: { org: OrgAt };
}

/**
 * Judges the spaces, collections and users that links name, each at its place in the body. Pages and files are
 * content, which comes and goes by itself: a link to one that is not there is a broken link, not a bad value.
 *
 * @throws Invalid with all that the caller cannot see
 */
export async function assertVisibleReferences(
  asker: Asker,
  references: { path: string; to: Reference | null }[],
): Promise<void> {
  const faults = [];
  for (const { path, to } of references) {
    const named = to && (await strangeIn(asker, to));
    if (!named) continue;
    const message = `names no ${named} of this organization that you can see`;
    faults.push({ in: 'body' as const, path: `${path}/${named}`, rule: 'reference' as const, message });
  }
  if (faults.length > 0) throw new Invalid(faults);
}

async function strangeIn({ db, caller, at: { org } }: Asker, to: Reference) {
  const seen = async (kind: 'space' | 'collection', row: Parameters<typeof levelOn>[3] & { organization: string }) =>
    row.organization === org.id && (await levelOn(db, asking(org, caller.id), kind, row)) !== null;
  if ('space' in to && to.space !== undefined) {
    const space = await findSpace(db, to.space);
    if (!space || space.deleted_at !== null || !(await seen('space', space))) return 'space';
  }
  if (to.kind === 'collection') {
    const collection = await findCollection(db, to.collection);
    if (!collection || !(await seen('collection', collection))) return 'collection';
  }
  if (to.kind === 'user' && !(await findMember(db, org.id, to.user))) return 'user';
  return undefined;
}
