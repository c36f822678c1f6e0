import { fields } from '../../contract/custom-fields.ts';
import { eachOf } from '../../shared/each-of.ts';
import { type ReadPort, readService, type ServiceSpace } from '../service-world.ts';
import type { LinkedPage, LinkedText } from '../model.ts';
import { readers } from '../space-changes.ts';
import { dateOf, lostShare, type PageFacts, reportOn, type ReportOptions, type ReportRow } from './content-report.ts';
import { readHistory, type TextHistory } from './text-history.ts';

/** Spaces that are translations of another one, by IDs or titles. */
export interface SpaceTranslations {
  source: string;
  translations: readonly string[];
}

/** A space is not there, or several have its title. */
export class UnknownSpace extends Error {}

/**
 * Reports on all spaces of an organization: owners and reviews from the custom fields of their spaces, changes from revisions.
 *
 * @throws UnknownSpace
 */
export async function reportOnService(
  port: ReadPort,
  orgId: string,
  options: ReportOptions & { spaces?: SpaceTranslations | undefined },
): Promise<ReportRow[]> {
  const world = await readService(port, orgId);
  const spaceOf = (name: string) => spaceIn(world.spaces, name);
  const source = options.spaces && spaceOf(options.spaces.source);
  const translations = new Set(options.spaces?.translations.map(spaceOf));
  const facts: FactsOfPages = new Map();
  const histories = new Map<ServiceSpace, TextHistory>();
  for (const space of world.spaces) {
    port.progress.say(`Reading the history of ${space.name}`);
    const history = await readHistory(port.client, space);
    histories.set(space, history);
    await addFacts(facts, port, space, { history, shared: await fieldValues(port, space, options) });
  }
  const missing = source ? [...translations].flatMap((space) => compare(source, space, { facts, histories })) : [];
  const { rows, checked } = await reportOn(world, (page) => facts.get(page) ?? {}, options);
  const unused = world.spaces.flatMap((space) => {
    const used = checked.uses.filesOf(space);
    return space.files.flatMap(({ id, name, size }): ReportRow[] =>
      used.has(id) ? [] : [{ where: `${space.name}: ${name}`, size, problems: ['unused'] }],
    );
  });
  return [...rows, ...missing, ...unused];
}

type FactsOfPages = Map<LinkedPage, PageFacts>;

/** The owner and the review date of a space. */
async function fieldValues(
  { client }: ReadPort,
  { id }: ServiceSpace,
  { ownerField, reviewField }: ReportOptions,
): Promise<Pick<PageFacts, 'owner' | 'review'>> {
  const values = await client.call(fields.viewValues, { params: { spaceId: id } });
  const valueOf = (field: string) => textOf(values.find(({ customField }) => customField.name === field)?.value);
  return { owner: valueOf(ownerField), review: dateOf(valueOf(reviewField)) };
}

async function addFacts(
  facts: FactsOfPages,
  { signal }: ReadPort,
  { texts }: ServiceSpace,
  { history, shared }: { history: TextHistory; shared: PageFacts },
): Promise<void> {
  const visit = async ({ page, source }: LinkedText) => {
    signal.throwIfAborted();
    if (!page) return;
    const changed = page.updatedAt?.slice(0, 10);
    const changes = history.changesOf(page.key);
    if (!changes) {
      facts.set(page, { ...shared, changed, unchecked: ['shrunk'] });
      return;
    }
    const before = await changes[0]?.textBefore?.();
    facts.set(page, { ...shared, changed, lost: before === undefined ? 0 : lostShare(before, source()) });
  };
  await eachOf(texts, visit, readers);
}

/** Adds how far the pages of a translation are behind. @returns pages without a translation */
function compare(
  source: ServiceSpace,
  space: ServiceSpace,
  { facts, histories }: { facts: FactsOfPages; histories: ReadonlyMap<ServiceSpace, TextHistory> },
): ReportRow[] {
  const byKey = new Map(space.pages.map((page) => [page.key, page]));
  const byPath = new Map(space.pages.map((page) => [page.path, page]));
  return source.pages.flatMap((original): ReportRow[] => {
    const changes = histories.get(source)?.changesOf(original.key);
    // A duplicated space has pages with the same IDs.
    const page = byKey.get(original.key) ?? byPath.get(original.path);
    if (!page) {
      return [{ where: `${space.name}: ${original.path}`, behind: changes?.length ?? 1, problems: ['behind'] }];
    }
    const last = histories.get(space)?.changesOf(page.key)?.[0]?.at;
    const own = facts.get(page);
    if (changes && last !== undefined)
      facts.set(page, { ...own, behind: changes.filter(({ at }) => at > last).length });
    else facts.set(page, { ...own, unchecked: [...(own?.unchecked ?? []), 'behind'] });
    return [];
  });
}

/** @throws UnknownSpace */
function spaceIn(spaces: readonly ServiceSpace[], name: string): ServiceSpace {
  const [only, ...others] = spaces.filter(({ id }) => id === name);
  const [first, ...more] = only ? [only, ...others] : spaces.filter((space) => space.name === name);
  if (first && more.length === 0) return first;
  throw new UnknownSpace(first ? `Several spaces are called "${name}".` : `There is no space "${name}".`);
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
