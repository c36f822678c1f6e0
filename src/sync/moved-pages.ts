import { type BasePage, textHash } from '../content/folder/base.ts';
import { isRelative } from '../content/folder/local-links.ts';
import { LinkIndex, type Target } from '../content/markdown/links.ts';
import type { Remote, RemotePage } from './read-remote.ts';

/** The pages that were moved or renamed in the space since the last push, and the links that these moves broke. */
export interface MovedPages {
  /** The address with the target that it had; undefined if it still leads there, or never led anywhere. */
  targetOf(url: string, page: RemotePage): [[string, Target]] | undefined;
  /** The path that a page had; undefined if it still has it. */
  formerPath(page: RemotePage): string | undefined;
}

/** @param index of the pages where they are now; undefined if no page was moved */
export function movedPages(former: readonly BasePage[], remote: Remote, index: LinkIndex): MovedPages | undefined {
  const entries = new Map(former.map((entry) => [entry.id, entry]));
  const formerPath = ({ id, path }: RemotePage) => {
    const before = entries.get(id)?.path;
    return before === path ? undefined : before;
  };
  if (!remote.pages.some((page) => formerPath(page) !== undefined)) return undefined;
  const linked = former.flatMap(({ id, path }) => (path === undefined ? [] : [{ id, path }]));
  const before = new LinkIndex(linked, remote.files);
  return {
    formerPath,
    targetOf(url, page) {
      if (!isRelative(url)) return undefined;
      const target = before.resolve(url, page.id);
      if (target.kind !== 'page' && target.kind !== 'file') return undefined;
      const now = index.resolve(url, page.id);
      // Somebody may have written the link after the move.
      const isOld = now.kind === 'missing' || textHash(page.text) === entries.get(page.id)?.text;
      // The service also finds files that are only near the address, which a folder does not have there.
      return isOld && (target.kind === 'file' || !isSame(target, now)) ? [[url, target]] : undefined;
    },
  };
}

const isSame = (one: Target, other: Target): boolean =>
  one.kind === 'page' ? other.kind === 'page' && one.page === other.page : isSameFile(one, other);

const isSameFile = (one: Target, other: Target): boolean =>
  one.kind === 'file' && other.kind === 'file' && one.file === other.file;
