import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import { readLayout } from '../../content/folder/layout.ts';
import type { Remote } from '../../sync/remote.ts';
import type { Base } from '../../content/folder/base.ts';
import type { Lock } from '../lock.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import { markFor, readWhole } from '../../sync/pull-base.ts';
import { readContent } from '../../sync/read-remote.ts';

interface BaseInput {
  lock: Lock;
  /** Name and id of the space. */
  space: string;
  spaceId: string;
  local: LocalFolder;
  remote: Remote;
  texts: FolderTexts;
  /** The content folder, and its name for messages. */
  path: string;
  folder: string;
}

/** Of a folder of which nobody knows what it had: none of the pages of the space is known to come from it. */
export const noBase: Base = { pages: [], files: new Map() };

/**
 * What the content folder had when it was exported, applied or pulled; undefined where it never was, or the service does not show
 * that revision any more. The base that the space keeps of its last push may be that of another folder.
 */
export async function lockedBase(invocation: Invocation<{}, {}>, input: BaseInput): Promise<Base | undefined> {
  const { lock, space, spaceId, local, remote, texts, folder, path } = input;
  // An export and an apply remove the mark, so a pull came later.
  const pulled = await markFor({ target: join(path, local.root), spaceId, changeRequest: undefined, remote });
  const applied = lock.applied.get(space);
  if (!pulled && applied !== undefined) return appliedBase(invocation, spaceId, applied);
  const revisionId = pulled?.revision ?? lock.revisions.get(space);
  const whole = revisionId === undefined ? undefined : await readWhole(invocation, { spaceId, revisionId }, remote);
  if (!whole) return undefined;
  return texts.run(
    'pulledBase',
    { remote: whole.remote, revision: whole.revision.id, local },
    { folder: join(folder, local.root), texts: [...local.pages, ...whole.remote.pages].map(({ text }) => text) },
  );
}

async function appliedBase(
  invocation: Invocation<{}, {}>,
  spaceId: string,
  revisionId: string,
): Promise<Base | undefined> {
  try {
    const { remote, close } = await readContent(invocation, { spaceId, revisionId });
    await close();
    return readLayout(remote.layouts?.[0]).base;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}
