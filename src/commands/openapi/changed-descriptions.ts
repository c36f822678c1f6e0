import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { git } from '../../shared/git.ts';
import { hasDescriptionName, isLikelyDescription, maxBytes } from '../../openapi/index.ts';
import { filesOfCommit, type GitFiles } from '../../openapi/files-of-commit.ts';
import { isSelected } from '../../openapi/find-descriptions.ts';
import { changedFiles, type MergeBase } from '../../shared/merge-base.ts';
import { readOverlays } from './read-source.ts';

/** A description that a branch changes. */
export type ChangedDescription =
  | { kind: 'new'; path: string }
  | { kind: 'removed'; path: string }
  /** With its files at the merge base, and its old name if it was renamed. */
  | { kind: 'changed'; path: string; before: GitFiles; oldName: string | undefined };

/**
 * The descriptions that differ from the merge base, because of the files that they refer to, too. Renamed files are compared
 * with their old ones.
 *
 * @param paths the descriptions in the working tree
 * @param words that selected them: a description that is no longer there may match, too
 * @param overlays the files of overlays; a change of one is a change of every description
 */
export async function* changedDescriptions(
  base: MergeBase,
  paths: readonly string[],
  words: readonly string[],
  overlays: readonly string[],
): AsyncGenerator<ChangedDescription> {
  const changed = await changedFiles(base);
  const root = realpathSync.native(base.root);
  const nameOf = (path: string) => relative(root, realPathOf(path)).split(sep).join('/');
  const toWorkingDirectory = (name: string) => relative(process.cwd(), join(base.root, name));
  // One outside of the repository is the same for both sides.
  const ours = overlays.map(nameOf).filter((name) => !isOutside(name));
  for (const path of paths) {
    const name = nameOf(path);
    if (changed.added.has(name)) {
      yield { kind: 'new', path };
      continue;
    }
    if (changed.all.size === 0) continue;
    const oldName = changed.renamed.get(name);
    const before = await filesOfCommit(`git:${base.commit}:${oldName ?? name}`, ours);
    before.overlays.push(...readOverlays(overlays.filter((each) => isOutside(nameOf(each)))));
    if (before.paths.values().some((each) => changed.all.has(each))) yield { kind: 'changed', path, before, oldName };
    else before.remove();
  }
  for (const name of changed.removed) {
    const path = toWorkingDirectory(name);
    if (!hasDescriptionName(name) || !isSelected(path, words)) continue;
    const text = await git(['cat-file', 'blob', `${base.commit}:${name}`], { maxOutput: maxBytes + 1_024 });
    if (typeof text !== 'string' && isLikelyDescription(text.toString('utf8'))) yield { kind: 'removed', path };
  }
}

const isOutside = (name: string) => name === '..' || name.startsWith('../') || isAbsolute(name);

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}
