import type { Side } from '../../change-requests/read-sides.ts';
import { isMarkdown } from '../../content/folder/file-names.ts';
import { titleOf } from '../../content/markdown/markdown.ts';
import type { Page } from '../../contract/pages.ts';
import { spaces } from '../../contract/spaces.ts';
import { eachOf } from '../../shared/each-of.ts';
import { isHiddenSpace } from '../../shared/state-title.ts';
import type { ContentPort } from '../../sync/read-remote.ts';
import type { LinkFinding } from '../findings.ts';
import { type ReadPort, worldOfSides } from '../service-world.ts';
import {
  type Entry,
  isSame,
  pathOf,
  type PageChange,
  type PageChanger,
  planSpace,
  readers,
  type SpaceChanges,
  stateOf,
} from '../space-changes.ts';
import { brokenBy, isRisky } from './breaks.ts';
import { replaceIn, replaceInField, type Replacement, type Replacing } from './replace-in.ts';

/** A page with its replacements. */
export interface PageReplacement extends PageChange {
  replacements: Replacement[];
}

export type SpaceReplacement = SpaceChanges<PageReplacement>;

/** @param subject of the change request in each space */
export const replacer = (port: ContentPort, replacing: Replacing, subject: string): PageChanger<PageReplacement> => ({
  subject,
  changeOf: (page, text) => changeOf(page, text, replacing),
  others: (main) => filesWithMatches(port, main, replacing),
});

/** Finds what to replace in the main content of all spaces of an organization. */
export async function planService(
  port: ContentPort,
  orgId: string,
  changer: PageChanger<PageReplacement>,
): Promise<SpaceReplacement[]> {
  const listed = await Array.fromAsync(port.client.items(spaces.list, { params: { orgId } }));
  const plans: SpaceReplacement[] = [];
  for (const { id, title } of listed.filter((space) => !isHiddenSpace(space))) {
    port.progress.say(`Reading ${title}`);
    plans.push(await planSpace(port, { id, title }, changer));
  }
  return plans;
}

/** The links that the changes break. */
export async function brokenInService(
  port: ReadPort,
  orgId: string,
  plans: readonly SpaceReplacement[],
): Promise<LinkFinding[]> {
  const changed = plans.flatMap(({ changes }, space) =>
    changes.map(({ id: key, before: { text: before }, replacements }) => ({ space, key, before, replacements })),
  );
  if (!changed.some(isRisky)) return [];
  const mains = plans.map(({ space, main: side }) => ({ space, side }));
  const afterwards = plans.map(({ space, main, changes }) => ({ space, side: withChanges(main, changes) }));
  return brokenBy(await worldOfSides(port, orgId, mains), await worldOfSides(port, orgId, afterwards), changed);
}

function withChanges({ revision, textOf }: Side, changes: readonly PageChange[]): Side {
  const states = new Map(changes.map(({ id, after }) => [id, after]));
  const changed = (pages: readonly Page[]): Page[] =>
    pages.map((page) => ({
      ...page,
      title: states.get(page.id)?.title ?? page.title,
      ...('pages' in page && { pages: changed(page.pages) }),
    }));
  return {
    revision: { ...revision, pages: changed(revision.pages) },
    textOf: async (id) => states.get(id)?.text ?? textOf(id),
  };
}

function changeOf(
  page: Entry,
  text: string,
  replacing: Replacing,
): ReturnType<PageChanger<PageReplacement>['changeOf']> {
  if (page.type === 'link' && replaceInField(page.href ?? '', 'link', replacing).replacements.length > 0) {
    return { reason: 'the API cannot change the address of a link in the navigation' };
  }
  const before = stateOf(page, text);
  const title = replaceInField(before.title, 'title', replacing);
  const description = replaceInField(before.description, 'property', replacing);
  const body = replaceIn(text, replacing, titleOf(text) === before.title ? 'page with title' : 'page');
  if (body.reason !== undefined) return { reason: body.reason };
  const replacements = [...title.replacements, ...description.replacements, ...body.replacements];
  const after = { title: title.value, description: description.value, text: body.text };
  if (isSame(before, after)) return {};
  if (after.title.trim() === '') return { reason: 'its title would be empty' };
  return { change: { id: page.id, path: pathOf(page), before, after, replacements } };
}

/** Reusable texts are files, which only their authors can replace. */
async function filesWithMatches(
  port: ContentPort,
  { revision }: Side,
  replacing: Replacing,
): Promise<SpaceChanges['skipped']> {
  const names: string[] = [];
  await eachOf(
    revision.files.filter(({ name }) => isMarkdown(name)),
    async ({ name, downloadURL }) => {
      const text = Buffer.from(await port.bytes(downloadURL)).toString();
      if (replaceIn(text, replacing, 'file').replacements.length > 0) names.push(name);
    },
    readers,
  );
  return names.toSorted().map((path) => ({ path, reason: 'it is a reusable text, which is a file' }));
}
