import type { z } from 'zod/mini';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { processErrors } from '../../contract/openapi.ts';
import type { orgs } from '../../contract/orgs.ts';
import type { SiteSection } from '../../contract/site-sections.ts';
import type { SiteSpace } from '../../contract/site-spaces.ts';
import { knownMembers } from '../../contract/unknown-keys.ts';
import { isObject } from '../../shared/is-object.ts';
import {
  AdaptiveSchema,
  type CollectionNode,
  type CollectionsFile,
  type InviteLinksFile,
  Looks,
  type MemberRow,
  type OrganizationFile,
  type ProviderFile,
  type SectionEntry,
  type SiteFile,
  type SiteSpaceEntry,
  type SpaceFile,
  type TeamFile,
  type TranslationsFile,
} from '../files/schemas.ts';
import { addressFile } from '../files/specification-address.ts';
import { writeYaml } from '../files/write-files.ts';
import { type Names, withReferences } from '../names.ts';
import { copyCounter, spaceKey } from '../site-keys.ts';
import {
  type Collection,
  type Field,
  type InviteLink,
  type Member,
  type Provider,
  readDocuments,
  readEach,
  type readFieldValues,
  type Reading,
  type Space,
  type Specification,
  type Team,
  type TeamMember,
  type Translation,
  type WholeSite,
} from './read-service.ts';

/** The names and IDs that the files are written with. */
export interface Naming {
  names: Names;
  /** IDs of objects without a name, by keys such as `translation/<title>`. Filled while writing. */
  otherIds: Map<string, string>;
  /** IDs of members by address. Filled while writing. */
  memberIds: Map<string, string>;
  /** What was skipped, and why. Filled while writing. */
  warnings: string[];
}

/** A map sorted by name. */
export const sortedByName = <Value>(entries: Iterable<readonly [string, Value]>): Map<string, Value> =>
  new Map([...entries].toSorted(([one], [other]) => compareTexts(one, other)));

/** The same order on every machine. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** organization.yaml */
export function organizationFile(
  { names, warnings }: Naming,
  org: AnswerOf<typeof orgs.view>,
  customFields: readonly Field[],
): OrganizationFile {
  const site = org.defaultContent?.site;
  const defaultSite = site === undefined ? null : (names.find('sites', site) ?? null);
  if (site !== undefined && defaultSite === null) warnings.push(`The default site ${site} does not exist.`);
  return {
    title: org.title,
    hostname: org.hostname,
    emailDomains: org.emailDomains,
    defaultRole: org.defaultRole ?? null,
    defaultSite,
    logo: org.urls.logo ?? null,
    sso: org.sso ?? false,
    ai: org.ai ?? false,
    inviteLinks: org.inviteLinks,
    customFields: customFields
      .toSorted((one, other) => compareTexts(one.name, other.name))
      .map(({ name, type, title, description, placeholder, options }) => ({
        name,
        type,
        title,
        description,
        placeholder,
        options,
      })),
  };
}

/** The address of a member in the files, or the ID if the service hides the address. */
export const addressOf = ({ id, user }: Pick<Member, 'id' | 'user'>): string => user.email?.toLowerCase() ?? id;

/** All members, with the teams of each by name. @param memberships addresses by team */
export function memberRows(
  { memberIds }: Naming,
  list: readonly Member[],
  memberships: ReadonlyMap<string, TeamFile>,
): MemberRow[] {
  const teamsOf = new Map<string, string[]>();
  for (const [team, { members: roles = {} }] of memberships)
    for (const email of Object.keys(roles)) teamsOf.set(email, [...(teamsOf.get(email) ?? []), team]);
  return list
    .map((member) => {
      const email = addressOf(member);
      memberIds.set(email, member.id);
      return { email, role: member.role, sso: member.sso, teams: teamsOf.get(email) ?? [] };
    })
    .toSorted((one, other) => compareTexts(one.email, other.email));
}

/** teams/*.yaml */
export function teamFiles(
  { names, memberIds }: Naming,
  list: readonly { team: Team; members: readonly TeamMember[] }[],
): Map<string, TeamFile> {
  const files = list.map(({ team: { id, title }, members }) => {
    const roles = members.map(({ organization, team }) => {
      memberIds.set(addressOf(organization), organization.id);
      return [addressOf(organization), team.role] as const;
    });
    const sorted = Object.fromEntries(roles.toSorted(([one], [other]) => compareTexts(one, other)));
    return [names.nameOf('teams', id), { title, members: sorted }] as const;
  });
  return sortedByName(files);
}

/** sso/*.yaml */
export function providerFiles({ names, warnings }: Naming, list: readonly Provider[]): Map<string, ProviderFile> {
  return sortedByName(
    list.map(({ id, label, entityID, ssoURL, certificate, defaultTeam, defaultRole }) => {
      const team = defaultTeam && names.find('teams', defaultTeam.id);
      if (defaultTeam && team === undefined)
        warnings.push(`The default team of the SSO provider "${label}" does not exist.`);
      return [
        names.nameOf('sso', id),
        { label, entityID, ssoURL, certificate, defaultTeam: team ?? null, defaultRole },
      ] as const;
    }),
  );
}

/** collections.yaml */
export function collectionsFile(
  { names }: Naming,
  list: readonly Collection[],
  spaceList: readonly Space[],
): CollectionsFile {
  const orders = ordersOf(list, spaceList);
  const orderIn = (parent: string) => (orders.get(parent) ?? []).map(({ kind, id }) => names.nameOf(kind, id));
  const children = Map.groupBy(list, ({ parent }) => parent ?? '');
  const nodesIn = (parent: string): CollectionNode[] =>
    (children.get(parent) ?? []).map(({ id, title, description, defaultLevel }) => ({
      name: names.nameOf('collections', id),
      title,
      description: description ?? '',
      defaultLevel,
      order: orderIn(id),
      collections: nodesIn(id),
    }));
  return { order: orderIn(''), collections: nodesIn('') };
}

interface Placed {
  kind: 'collections' | 'spaces';
  id: string;
}

/**
 * The order of spaces and collections under each parent, with "" for the top level. In the list of spaces, those of a
 * collection are at the place of the collection.
 */
export function ordersOf(
  collectionList: readonly Pick<Collection, 'id' | 'parent'>[],
  spaceList: readonly Pick<Space, 'id' | 'parent'>[],
): Map<string, Placed[]> {
  const above = new Map(collectionList.map(({ id, parent }) => [id, parent ?? '']));
  const orders = new Map<string, Placed[]>();
  const placed = new Set<string>();
  const place = (parent: string, kind: Placed['kind'], id: string) => {
    if (placed.has(`${kind}/${id}`)) return;
    placed.add(`${kind}/${id}`);
    const order = orders.get(parent) ?? [];
    orders.set(parent, order);
    order.push({ kind, id });
  };
  for (const { id, parent } of spaceList) {
    for (const collection of pathTo(parent, above)) place(above.get(collection) ?? '', 'collections', collection);
    place(parent ?? '', 'spaces', id);
  }
  for (const { id, parent } of collectionList) place(parent ?? '', 'collections', id);
  return orders;
}

/** The collections from the top level down to one. */
function pathTo(collection: string | undefined, above: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let id = collection; id !== undefined && id !== '' && !path.includes(id); id = above.get(id)) path.unshift(id);
  return path;
}

/** spaces/<name>/space.yaml */
export function spaceFiles(
  { names }: Naming,
  list: readonly Space[],
  fieldValues: Awaited<ReturnType<typeof readFieldValues>>,
): Map<string, SpaceFile> {
  const files = list.map(({ id, title, emoji, visibility, editMode, defaultLevel, parent }) => {
    const values = (fieldValues.get(id) ?? []).map(({ name, value }) => [name, value] as const);
    return [
      names.nameOf('spaces', id),
      {
        title,
        emoji,
        editMode: editMode ?? 'live',
        defaultLevel,
        visibility,
        collection: parent === undefined ? null : (names.find('collections', parent) ?? null),
        customFields: Object.fromEntries(values.toSorted(([one], [other]) => compareTexts(one, other))),
      },
    ] as const;
  });
  return sortedByName(files);
}

/** The texts of openapi/*.yaml, which are the latest versions, and the slugs of specifications without such a text. */
export async function readSpecifications(
  reading: Reading & Pick<Naming, 'warnings'>,
  list: readonly Specification[],
): Promise<{ texts: Map<string, string>; unread: string[] }> {
  const { warnings } = reading;
  for (const spec of list) {
    const problem = problemOf(spec);
    if (problem === undefined) continue;
    const result =
      spec.lastVersion !== undefined
        ? '; the previous version is still used'
        : spec.sourceURL === undefined
          ? '; it is skipped'
          : '';
    warnings.push(`The specification ${spec.slug} ${problem}${result}.`);
  }
  const texts = await readEach(reading, 'specifications', list, async (spec) => {
    if (spec.sourceURL !== undefined) return [[spec.slug, addressFile(spec.sourceURL)] as const];
    const documents = await readDocuments(reading, spec);
    if (!documents) return [];
    const [document, ...others] = documents;
    if (document && others.length === 0) return [[spec.slug, writeYaml(document[1])] as const];
    warnings.push(
      `The specification ${spec.slug} has ${documents.length} files, and is skipped; use "docsctl openapi download".`,
    );
    return [];
  });
  const read = sortedByName(texts.flat());
  return { texts: read, unread: list.map(({ slug }) => slug).filter((slug) => !read.has(slug)) };
}

/** The problem with processing a specification, as the rest of a sentence. */
function problemOf({ processingState, lastProcessErrorCode: code, lastVersion }: Specification): string | undefined {
  if (processingState !== 'complete') return `is still being processed (${processingState})`;
  if (code) return `failed to be processed when it was last published: ${processErrors[code]} (${code})`;
  return lastVersion === undefined ? 'has no version' : undefined;
}

/** translations.yaml */
export function translationsFile({ otherIds }: Naming, list: readonly Translation[]): TranslationsFile {
  for (const { title, id } of list) otherIds.set(`translation/${title}`, id);
  return {
    translations: list
      .toSorted((one, other) => compareTexts(one.createdAt, other.createdAt) || compareTexts(one.id, other.id))
      .map(({ title, languages }) => ({ title, languages })),
  };
}

/** invite-links.yaml, without the secrets that open the links. */
export function inviteLinksFile({ names, otherIds }: Naming, newestFirst: readonly InviteLink[]): InviteLinksFile {
  const list = newestFirst.toReversed();
  for (const [index, { id }] of list.entries()) otherIds.set(`invite link/${index}`, id);
  return {
    links: list.map((invite) => {
      if ('space' in invite)
        return { space: names.find('spaces', invite.space.id) ?? invite.space.id, level: invite.level };
      if ('collection' in invite)
        return {
          collection: names.find('collections', invite.collection.id) ?? invite.collection.id,
          level: invite.level,
        };
      return { role: invite.role };
    }),
  };
}

type Structure = WholeSite['structure'];
type Section = z.output<ReturnType<typeof SiteSection>>;
type SpaceInSite = z.output<ReturnType<typeof SiteSpace>>;

/** sites/<name>.yaml */
export function siteFile(naming: Naming, { site, structure, customization, schema, links }: WholeSite): SiteFile {
  const oldestFirst = links.toReversed();
  const name = naming.names.nameOf('sites', site.id);
  for (const [index, { id }] of oldestFirst.entries()) naming.otherIds.set(`share link/${name}/${index}`, id);
  storeIds(naming, name, structure);
  return {
    title: site.title,
    type: site.type,
    visibility: site.visibility,
    basename: site.basename,
    published: site.published,
    proxy: site.proxy?.origin ?? null,
    adaptiveContent: site.adaptiveContent?.enabled ?? false,
    structure: structureEntries(naming, structure),
    shareLinks: oldestFirst.map(({ name: linkName, active }) => ({ name: linkName, active })),
    adaptiveSchema: schema && knownSettings(naming, `${name}: adaptiveSchema`, AdaptiveSchema(), schema.jsonSchema),
    customization: withReferences(
      knownSettings(naming, `${name}: customization`, Looks(), customization),
      (kind, id) => naming.names.find(kind, id) ?? id,
    ),
  };
}

/** The settings that the files can contain. A newer service may have others. */
function knownSettings(
  { warnings }: Naming,
  what: string,
  schema: z.ZodMiniType,
  settings: unknown,
): Record<string, unknown> {
  const { value, unknown } = knownMembers(schema, settings);
  if (unknown.length > 0)
    warnings.push(
      `The site ${what} has settings that this version of docsctl does not support: ${unknown.join(', ')}. They are skipped.`,
    );
  return isObject(value) ? value : {};
}

/** Stores the IDs of groups, sections and site spaces under the keys that plans use. */
function storeIds({ names, otherIds }: Naming, site: string, structure: Structure): void {
  const storeSpaces = (section: string, list: readonly SpaceInSite[]) => {
    const copyOf = copyCounter();
    for (const entry of list) {
      const space = names.find('spaces', entry.space.id) ?? entry.space.id;
      otherIds.set(`site space/${site}/${spaceKey({ section, space, copy: copyOf(space) })}`, entry.id);
    }
  };
  const storeSection = ({ id, path, siteSpaces }: Section) => {
    otherIds.set(`section/${site}/${path}`, id);
    storeSpaces(path, siteSpaces);
  };
  if (structure.type === 'siteSpaces') return storeSpaces('', structure.structure);
  for (const entry of structure.structure) {
    if (entry.object === 'site-section') storeSection(entry);
    else {
      otherIds.set(`group/${site}/${entry.title}`, entry.id);
      entry.sections.forEach(storeSection);
    }
  }
}

function structureEntries(naming: Naming, structure: Structure): SiteFile['structure'] {
  if (structure.type === 'siteSpaces') return structure.structure.map((entry) => siteSpaceEntry(naming, entry));
  return structure.structure.map((entry) =>
    entry.object === 'site-section-group'
      ? {
          group: entry.title,
          icon: entry.icon ?? null,
          sections: entry.sections.map((section) => sectionEntry(naming, section)),
        }
      : sectionEntry(naming, entry),
  );
}

function sectionEntry(naming: Naming, section: Section): SectionEntry {
  return {
    section: section.path,
    title: section.title,
    ...(section.default && { default: true }),
    icon: section.icon ?? null,
    description: section.description ?? null,
    condition: section.condition ?? null,
    spaces: section.siteSpaces.map((entry) => siteSpaceEntry(naming, entry)),
  };
}

function siteSpaceEntry(
  { names }: Naming,
  { space, path, default: isDefault, condition }: SpaceInSite,
): SiteSpaceEntry {
  return {
    space: names.find('spaces', space.id) ?? space.id,
    path,
    ...(isDefault && { default: true }),
    condition: condition ?? null,
  };
}
