import type * as z from 'zod/mini';
import type { ValidationIssue } from '../../../contract/errors.ts';
import type { RelativeReference } from '../../../contract/references.ts';
import { findCollection, findMember, findSpace } from '../../../store/lookups.ts';
import type { LoadedOrg, Scope } from '../../engine/context.ts';
import { Invalid } from '../../engine/errors.ts';
import { levelOn } from '../../organizations/levels.ts';
import { viewerIn } from '../../organizations/viewer.ts';

export type Reference = z.infer<ReturnType<typeof RelativeReference>>;

type OrgScope = Pick<Scope, 'db' | 'caller'> & { objects: { org: LoadedOrg } };

/**
 * Checks the spaces, collections and users that links refer to, each with its place in the body. Pages and files are
 * not checked: content changes, and a link to a missing page is a broken link, not an invalid value.
 *
 * @throws Invalid with all that the caller cannot see
 */
export async function assertVisibleReferences(
  scope: OrgScope,
  references: { path: string; to: Reference | null }[],
): Promise<void> {
  const issues: ValidationIssue[] = [];
  for (const { path, to } of references) {
    const kind = to && (await invisibleObjectOf(scope, to));
    if (!kind) continue;
    const message = `is not a ${kind} of this organization that you can see`;
    issues.push({ in: 'body', path: `${path}/${kind}`, rule: 'reference', message });
  }
  if (issues.length > 0) throw new Invalid(issues);
}

/** The object of a reference that the caller cannot see, or that does not exist. */
async function invisibleObjectOf({ db, caller, objects: { org } }: OrgScope, to: Reference) {
  const viewer = viewerIn(org, caller.id);
  if ('space' in to && to.space !== undefined) {
    const space = await findSpace(db, to.space);
    if (space?.organization !== org.id || space.deleted_at !== null) return 'space';
    if ((await levelOn(db, viewer, 'space', space)) === null) return 'space';
  }
  if (to.kind === 'collection') {
    const collection = await findCollection(db, to.collection);
    if (collection?.organization !== org.id) return 'collection';
    if ((await levelOn(db, viewer, 'collection', collection)) === null) return 'collection';
  }
  if (to.kind === 'user' && !(await findMember(db, org.id, to.user))) return 'user';
  return undefined;
}
