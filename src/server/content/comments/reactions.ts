import * as store from '../../../store/comments.ts';
import type { Scope } from '../../engine/context.ts';

interface ReactionChange {
  addedReactions?: string[] | undefined;
  removedReactions?: string[] | undefined;
}

/** Changes the caller's reactions. @param target id of a comment or reply */
export async function changeReactions(
  { db, caller, now }: Pick<Scope, 'db' | 'caller' | 'now'>,
  target: string,
  { addedReactions, removedReactions }: ReactionChange,
): Promise<void> {
  await store.addReactions(db, { target, user: caller.id, reacted_at: now }, [...new Set(addedReactions)]);
  await store.removeReactions(db, { target, user: caller.id }, [...new Set(removedReactions)]);
}
