import type { Lock } from '../lock.ts';
import type { Organization } from '../organization.ts';
import { contentPath } from '../content/content-folder.ts';

/**
 * Adds the parts that were empty when they were exported: they have no files, and Git keeps no empty folders. A part that
 * had files then and has none now is no longer managed.
 */
export function addEmptyParts(
  { organization, contents }: { organization: Organization; contents: Set<string> },
  lock: Lock,
): void {
  for (const part of ['teams', 'sso', 'spaces', 'sites', 'openapi'] as const)
    if (lock.parts.has(part) && !hasFilesIn(lock, part)) organization[part] ??= new Map();
  for (const name of organization.spaces?.keys() ?? []) if (wasEmpty(lock, name)) contents.add(name);
}

/** Whether the content of a space was exported when it had neither pages nor files. */
export const wasEmpty = (lock: Lock, space: string): boolean =>
  lock.revisions.has(space) && !hasFilesIn(lock, contentPath(space));

const hasFilesIn = ({ files }: Lock, folder: string) => [...files.keys()].some((file) => file.startsWith(`${folder}/`));
