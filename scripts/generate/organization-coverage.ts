import * as z from 'zod/mini';
import { collections, Collection } from '../../src/contract/collections.ts';
import { FileInput, pageMembers } from '../../src/contract/content.ts';
import { CustomField, fields } from '../../src/contract/custom-fields.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { Invite, invites } from '../../src/contract/invites.ts';
import { Member, members, Team } from '../../src/contract/members.ts';
import { openapi, OpenAPISpec } from '../../src/contract/openapi.ts';
import { Organization, orgs } from '../../src/contract/orgs.ts';
import { File, Page } from '../../src/contract/pages.ts';
import { sectionGroups, SiteSectionGroup } from '../../src/contract/section-groups.ts';
import { ShareLink, shareLinks } from '../../src/contract/share-links.ts';
import { Customization, siteCustomization } from '../../src/contract/site-customization.ts';
import { SiteSection, siteSections } from '../../src/contract/site-sections.ts';
import { SiteSpace, siteSpaces } from '../../src/contract/site-spaces.ts';
import { Site, sites } from '../../src/contract/sites.ts';
import { Space, spaces } from '../../src/contract/spaces.ts';
import { SamlProvider, sso } from '../../src/contract/sso.ts';
import { teams } from '../../src/contract/teams.ts';
import { translations, TranslationSettings } from '../../src/contract/translations.ts';
import * as files from '../../src/organization/files/schemas.ts';
import { notExported } from '../../src/organization/not-exported.ts';
import { siteSchema } from '../../src/contract/site-schema.ts';
import { metaMembers } from '../../src/content/folder/page-info.ts';

type Schema = () => z.ZodMiniType;

/** An object of the service, and what files and requests contain of it. */
export interface CoveredObject {
  /** For users, in the singular. */
  name: string;
  /** The files that contain it. */
  file: string;
  /** What the service returns. */
  answer: Schema;
  /** The requests that create or change it. */
  requests: readonly (Endpoint | Schema)[];
  /** The keys of the files. */
  keys?: Schema | readonly string[];
  /** Keys whose name is not that of the attribute, or which are elsewhere. */
  as?: Readonly<Record<string, string>>;
  /** Attributes that can only be set in some cases. */
  notes?: Readonly<Record<string, string>>;
  /** Attributes in the files that a plan does not send, and why. */
  readOnly?: Readonly<Record<string, string>>;
  /** Attributes that are not in the files, and why. */
  leftOut?: Readonly<Record<string, string>>;
}

/** Attributes of many objects. */
const common: Readonly<Record<string, string>> = {
  object: 'the kind of the object',
  id: 'in the shared state and `docsctl.lock.json`; a new object gets another one',
  createdAt: 'set by the service',
  updatedAt: 'set by the service',
  urls: 'set by the service',
  permissions: 'those of the caller',
  organization: 'set by the service',
};

/** Keys that no attribute has. */
const onlyInFiles: Readonly<Record<string, string>> = {
  until: 'the last day, after which an apply removes the membership',
  moved: 'the former name in the files',
  name: 'the name in the files',
};

const counted = 'a count';
const ofAnswer = 'set by the service';

/** In the order of the page. */
export const coveredObjects: readonly CoveredObject[] = [
  {
    name: 'organization',
    file: 'organization.yaml',
    answer: Organization,
    requests: [orgs.create, orgs.edit],
    keys: files.OrganizationFile,
    as: { defaultContent: 'defaultSite' },
    leftOut: {
      useCase: 'it is only set when an organization is created',
      communityType: 'the API has no request that changes it',
      plan: 'billing',
      billing: 'billing',
      trial: 'billing',
      blocked: ofAnswer,
      internal_isOnNewTrial: 'internal to the service',
      internal_billingMigration: 'internal to the service',
    },
  },
  {
    name: 'custom field',
    file: 'organization.yaml',
    answer: CustomField,
    requests: [fields.create, fields.edit],
    keys: files.Field,
    notes: { type: 'only when the field is created' },
  },
  {
    name: 'member',
    file: 'members.csv',
    answer: Member,
    requests: [invites.send, members.edit, members.markSso],
    keys: files.MemberRow,
    as: { user: 'email', emails: 'email' },
    notes: { sso: 'can be switched on, and not off' },
    readOnly: { teams: 'only for readers; `teams/` decides' },
    leftOut: {
      joinedAt: ofAnswer,
      lastSeenAt: ofAnswer,
      spaces: counted,
    },
  },
  {
    name: 'team',
    file: 'teams/NAME.yaml',
    answer: Team,
    requests: [teams.create, teams.edit, teams.updateMembers],
    keys: files.TeamFile,
    as: { add: 'members', remove: 'members', memberships: 'members' },
    leftOut: { spaces: counted },
  },
  {
    name: 'SSO provider',
    file: 'sso/NAME.yaml',
    answer: SamlProvider,
    requests: [sso.createProvider, sso.editProvider],
    keys: files.ProviderFile,
    leftOut: { service: ofAnswer },
  },
  {
    name: 'collection',
    file: 'collections.yaml',
    answer: Collection,
    requests: [collections.create, collections.edit, collections.move],
    keys: files.CollectionNode,
    as: { parent: 'collections', position: 'order' },
  },
  {
    name: 'space',
    file: 'spaces/NAME/space.yaml',
    answer: Space,
    requests: [spaces.create, spaces.edit, spaces.move, fields.setValues],
    keys: files.SpaceFile,
    as: { parent: 'collection', position: 'order in collections.yaml', values: 'customFields' },
    readOnly: { visibility: 'determined by the sites that contain the space' },
    leftOut: {
      deletedAt: 'deleted spaces are not in the files',
      gitSync: 'the API has no request that changes it',
      visitorAuth: 'the API has no request that changes it',
      revision: 'in the shared state; `content/` has the pages',
      comments: 'in `comments/` with `export --comments`; a plan does not send them',
      changeRequests: counted,
      changeRequestsOpen: counted,
      changeRequestsDraft: counted,
    },
  },
  {
    name: 'page',
    file: 'spaces/NAME/content/**/*.md',
    answer: Page,
    requests: [() => z.object(pageMembers())],
    keys: [...metaMembers, 'title'],
    as: {
      slug: 'name of the file',
      path: 'path of the file',
      markdown: 'text of the file',
      document: 'text of the file',
      documentId: 'text of the file',
      pages: 'SUMMARY.md',
      into: 'SUMMARY.md',
      at: 'SUMMARY.md',
      type: 'SUMMARY.md',
      target: 'SUMMARY.md',
      href: 'SUMMARY.md',
    },
    leftOut: {
      computed: 'set by integrations',
      computedSeed: 'set by integrations',
      git: 'the commit of the service',
    },
  },
  {
    name: 'file',
    file: 'spaces/NAME/content/.docs/assets/*',
    answer: File,
    requests: [FileInput],
    as: { name: 'name of the file', downloadURL: 'the file', base64: 'the file', url: 'the file' },
    leftOut: {
      contentType: 'from the name and the content of the file',
      size: 'a count',
      dimensions: 'from the content of the file',
      git: 'the commit of the service',
      ref: 'only for other changes in the same request',
    },
  },
  {
    name: 'specification',
    file: 'openapi/NAME.yaml',
    answer: OpenAPISpec,
    requests: [openapi.put],
    as: { slug: 'name of the file', source: 'the file', sourceURL: 'source' },
    notes: { sourceURL: 'instead of the text; the service fetches it when the address changes' },
    leftOut: {
      processingState: ofAnswer,
      lastVersion: ofAnswer,
      lastProcessedAt: ofAnswer,
      lastProcessErrorCode: ofAnswer,
    },
  },
  {
    name: 'translation',
    file: 'translations.yaml',
    answer: TranslationSettings,
    requests: [translations.create, translations.edit],
    keys: files.TranslationEntry,
  },
  {
    name: 'invite link',
    file: 'invite-links.yaml',
    answer: Invite,
    requests: [invites.createLink, invites.editLink],
    keys: files.InviteLinkEntry,
    leftOut: { redundant: ofAnswer },
  },
  {
    name: 'site',
    file: 'sites/NAME.yaml',
    answer: Site,
    requests: [sites.create, sites.edit, sites.sort],
    keys: files.SiteFile,
    as: {
      spaces: 'structure',
      siteSpaces: 'structure',
      defaultSiteSpace: 'default',
      defaultSiteSection: 'default',
      item: 'structure',
      position: 'structure',
      published: 'published',
    },
    notes: { type: 'only when the site is created' },
    leftOut: {
      hostname: 'the API has no request that changes it',
      ads: 'the API has no request that changes it',
      features: 'from the type of the site',
    },
  },
  {
    name: 'section group',
    file: 'sites/NAME.yaml',
    answer: SiteSectionGroup,
    requests: [sectionGroups.create, sectionGroups.edit],
    keys: files.GroupEntry,
    as: { title: 'group' },
  },
  {
    name: 'section',
    file: 'sites/NAME.yaml',
    answer: SiteSection,
    requests: [siteSections.add, siteSections.edit],
    keys: files.SectionEntry,
    as: {
      path: 'section',
      siteSpaces: 'spaces',
      spaceId: 'spaces',
      defaultSiteSpace: 'default',
      sectionGroup: 'group',
    },
  },
  {
    name: 'space of a site',
    file: 'sites/NAME.yaml',
    answer: SiteSpace,
    requests: [siteSpaces.add, siteSpaces.edit],
    keys: files.SiteSpaceEntry,
    as: { spaceId: 'space', sectionId: 'section', section: 'section' },
    leftOut: { title: 'that of the space', hasAdvancedCustomizationFeature: ofAnswer },
  },
  {
    name: 'customization of a site',
    file: 'sites/NAME.yaml',
    answer: Customization,
    requests: [siteCustomization.set],
    keys: files.Looks,
  },
  {
    name: 'adaptive schema of a site',
    file: 'sites/NAME.yaml',
    answer: () => siteSchema.set.definition.body(),
    requests: [siteSchema.set],
    as: { jsonSchema: 'adaptiveSchema' },
  },
  {
    name: 'share link',
    file: 'sites/NAME.yaml',
    answer: ShareLink,
    requests: [shareLinks.create, shareLinks.edit],
    keys: files.ShareLinkEntry,
  },
];

/** Objects of which the files contain nothing, or nothing that is sent. */
const others: readonly [name: string, reason: string][] = [
  ['change request', 'work in progress; a merged one is part of the content. The state of a review cannot be written'],
  [
    'comment',
    'in `comments/` with `export --comments`; a plan does not send them, because their authors would be lost',
  ],
  ['level', 'in `levels.csv`; the API has no request that grants or revokes one'],
  ['version of a specification', 'only the latest one is in the files'],
  ['revision', 'the files have the current one; older ones cannot be written'],
  ['user', 'belongs to a person, not to the organization'],
  ['deleted space', 'not part of the organization until somebody restores it'],
];

const introduction = `# What the files of an organization contain

Every attribute of every object of the service, and the keys of the requests that change it. \`docsctl export\` writes what has a
key in the files, \`plan\` and \`drift\` compare it, and \`apply\` sends it if the column "sent" says so. This page is generated from
the descriptions of the endpoints; a test fails if an attribute is neither in the files nor has a reason.

See [An organization as code](organization-as-code.md) for the files.
`;

/** `docs/organization-coverage.md` */
export function organizationCoverage(): string {
  const sections = coveredObjects.map((object) => {
    const rows = rowsOf(object).map(
      ({ attribute, key, isSent, reason = '' }) =>
        `| \`${attribute}\` | ${key === undefined ? 'no' : key === attribute ? 'yes' : shown(object, key)} | ${isSent ? 'yes' : 'no'} | ${reason} |`,
    );
    const title = `## ${object.name[0]!.toUpperCase()}${object.name.slice(1)}`;
    const head = '| attribute | in the files | sent | |\n|---|---|---|---|';
    return `${title}\n\nIn \`${object.file}\`.\n\n${head}\n${rows.join('\n')}\n`;
  });
  const rest = others.map(([name, reason]) => `| ${name} | ${reason} |`).join('\n');
  return [introduction, ...sections, `## Other objects\n\n| object | |\n|---|---|\n${rest}\n`].join('\n');
}

/** A key of a YAML file, or a place in words. */
const shown = ({ keys = [] }: CoveredObject, key: string): string => {
  const all = typeof keys === 'function' ? keysOf(keys()) : keys;
  return all.includes(key) || /^[\w.*]+$/.test(key) ? `\`${key}\`` : key;
};

/** One line of the table. */
interface Row {
  attribute: string;
  /** The key in the files. */
  key?: string | undefined;
  /** Whether a plan shows a difference, and an apply sends it. */
  isSent: boolean;
  reason?: string | undefined;
}

/** @throws Error about an attribute without a place or a reason, and about a reason without its attribute */
export function rowsOf(object: CoveredObject): Row[] {
  const { name, answer, requests, keys = [], as = {}, readOnly = {}, notes = {} } = object;
  const inFiles = typeof keys === 'function' ? keysOf(keys()) : keys;
  const bodies = requests.flatMap((each) => (typeof each === 'function' ? [each()] : each.body ? [each.body()] : []));
  const writable = new Set(bodies.flatMap(keysOf));
  const own = { ...notExported[name], ...object.leftOut };
  const attributes = [...new Set([...keysOf(answer()), ...writable])];
  for (const each of Object.keys({ ...as, ...readOnly, ...notes, ...own }))
    if (!attributes.includes(each)) throw new Error(`${name} has no attribute "${each}".`);
  const rows = attributes.map((attribute): Row => {
    const key = as[attribute] ?? inFiles.find((each) => each === attribute);
    const reason =
      own[attribute] ?? readOnly[attribute] ?? notes[attribute] ?? (key === undefined ? common[attribute] : undefined);
    if (key === undefined && reason === undefined)
      throw new Error(`"${attribute}" of ${name} is nowhere in the files.`);
    if (key !== undefined && own[attribute] !== undefined)
      throw new Error(`"${attribute}" of ${name} is in the files.`);
    return { attribute, key, isSent: key !== undefined && readOnly[attribute] === undefined, reason };
  });
  const present = new Set(rows.map(({ key }) => key));
  const more = inFiles.filter((key) => !present.has(key));
  return [...rows, ...more.map((key) => ({ attribute: key, key, isSent: true, reason: onlyInFiles[key] }))];
}

/** The members of an object, or of any of the alternatives of a union. */
function keysOf(schema: z.ZodMiniType): string[] {
  if (schema instanceof z.ZodMiniObject) return Object.keys(schema.shape);
  const { options } = schema.def as { options?: readonly z.ZodMiniType[] };
  if (options) return [...new Set(options.flatMap(keysOf))];
  throw new Error(`Not an object: ${schema.def.type}`);
}
