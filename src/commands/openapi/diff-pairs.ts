import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argument } from '../../cli/command/invocation.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { slugOf } from '../../openapi/index.ts';
import { expandSources } from '../../openapi/find-descriptions.ts';
import { projectSources } from './project-sources.ts';
import { readDescriptions } from './read-source.ts';
import type { DiffInvocation } from './flags.ts';

/** Two descriptions to compare. */
export interface DiffPair {
  before: string;
  after: string;
  /** The new description does not exist. */
  isRemoved?: true;
  /** The old description may be absent: it has not been published yet. */
  mayBeNew?: true;
}

/**
 * The descriptions to compare: the two arguments, those with the same path in two folders, or without arguments everything in
 * the project file with its published version.
 *
 * @throws UsageError if they cannot be compared
 */
export async function pairsOf(invocation: DiffInvocation): Promise<DiffPair[]> {
  const { args } = invocation;
  if (args.old === undefined && args.new === undefined) return publishedPairs(invocation);
  const before = argument(invocation, 'old');
  const after = argument(invocation, 'new');
  if (before === '-' && after === '-')
    throw new UsageError('Only one of the two descriptions can be -.', 'Save the other one to a file.');
  if (isFolder(before) && isFolder(after)) return pairsBelow(before, after);
  return [{ before, after }];
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function pairsBelow(oldFolder: string, newFolder: string): DiffPair[] {
  return expandSources([oldFolder]).map((before) => {
    const after = join(newFolder, relative(oldFolder, before));
    return { before, after, ...(existsSync(after) ? {} : { isRemoved: true as const }) };
  });
}

async function publishedPairs(invocation: DiffInvocation): Promise<DiffPair[]> {
  const sources = projectSources(await invocation.session.project(), 'old');
  const pairs: DiffPair[] = [];
  for (const { source, slug } of sources) {
    if (slug !== undefined) pairs.push({ before: slug, after: source, mayBeNew: true });
    else
      for await (const { description } of readDescriptions(invocation, [{ source }])) {
        const derived = slugOf(description.title);
        if (derived === '')
          throw new UsageError(`${source} has no title to derive a slug from.`, 'Add a slug to .docsctl.yaml.');
        pairs.push({ before: derived, after: source, mayBeNew: true });
      }
  }
  return pairs;
}
