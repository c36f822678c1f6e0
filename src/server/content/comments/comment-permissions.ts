import { atLeast } from '../../../contract/access.ts';
import { forbidden } from '../../engine/access.ts';
import type { Caller, LoadedSpace } from '../../engine/context.ts';
import type { Asked } from '../../engine/implement.ts';

interface Viewing {
  caller: Caller;
  objects: { space: LoadedSpace };
}

const canDelete = ({ caller, objects: { space } }: Viewing, author: string) =>
  author === caller.id || space.level === 'admin';

export const permissionsOn = (viewing: Viewing, author: string) => ({
  view: true,
  edit: author === viewing.caller.id,
  reply: atLeast(viewing.objects.space.level, 'comment'),
  delete: canDelete(viewing, author),
});

/** Permits changes of the text to the author, reactions and resolving to those who can comment. @throws Forbidden */
export async function permitChange(
  { caller, objects: { space }, body }: Viewing & Pick<Asked, 'body'>,
  author: string,
  object: string,
): Promise<void> {
  if (body.body !== undefined && author !== caller.id) throw forbidden(object, 'edit');
  const others = [body.resolved, body.addedReactions, body.removedReactions];
  if (others.some((value) => value !== undefined) && !atLeast(space.level, 'comment'))
    throw forbidden('space', 'comment');
}

/** @throws Forbidden */
export async function permitDeletion(viewing: Viewing, author: string, object: string): Promise<void> {
  if (!canDelete(viewing, author)) throw forbidden(object, 'delete');
}
