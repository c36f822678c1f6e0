import * as z from 'zod/mini';
import { collections } from '../../contract/collections.ts';
import type { RoleName } from '../../contract/access.ts';
import { RoleOrGuest } from '../../contract/common.ts';
import { fields } from '../../contract/custom-fields.ts';
import { Approval } from '../../approval/policy.ts';
import { TeamRole } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { about, emailAddress, lazy } from '../../contract/schema.ts';
import { sectionGroups } from '../../contract/section-groups.ts';
import { shareLinks } from '../../contract/share-links.ts';
import { Customization } from '../../contract/site-customization.ts';
import { siteSchema } from '../../contract/site-schema.ts';
import { siteSections } from '../../contract/site-sections.ts';
import { siteSpaces } from '../../contract/site-spaces.ts';
import { sites, siteTypes } from '../../contract/sites.ts';
import { spaces, visibilities } from '../../contract/spaces.ts';
import { sso } from '../../contract/sso.ts';
import { teams } from '../../contract/teams.ts';
import { translations } from '../../contract/translations.ts';

/*
 * The files of an organization. They have the same members as the requests that change the objects, so the limits of the
 * contract apply. If a request has the ID of another object, the file has its name. The service keeps the value of a member
 * that is absent, and null clears it.
 */

function bodyOf<Shape extends z.core.$ZodShape>(endpoint: {
  definition: { body: () => z.ZodMiniObject<Shape> };
}): Shape {
  return endpoint.definition.body().shape;
}

const name = (what: string) => about(z.string().check(z.minLength(1)), what);
const teamName = () => name('Team: the name of its file in teams/, without .yaml.');
const spaceName = () => name('Space: the name of its folder in spaces/.');
const collectionName = () => name('Collection: its name in collections.yaml.');
const siteName = () => name('Site: the name of its file in sites/, without .yaml.');

/** The former name of an object whose name in the files changed, which nothing else tells. */
const moved = () =>
  z.optional(name('Its name before it was renamed in the files, so that it is not deleted and created.'));

export const Field = () => {
  const { title, description, placeholder, options } = bodyOf(fields.edit);
  const { name: fieldName, type } = bodyOf(fields.create);
  return z.strictObject({ name: fieldName, type, title, description, placeholder, options });
};

/** organization.yaml */
export const OrganizationFile = lazy(() => {
  const { defaultContent: _, ...settings } = bodyOf(orgs.edit);
  return z.strictObject({
    ...settings,
    defaultSite: z.optional(z.nullable(siteName())),
    customFields: z.optional(z.array(Field())),
    approval: z.optional(
      z.nullable(about(Approval(), 'What needs the approval of another administrator; null for nothing.')),
    ),
  });
});

/** The file of an environment: what is different in it. */
export const OverlayFile = lazy(() =>
  z.extend(OrganizationFile(), { org: z.optional(name('Organization of the environment: its name or ID.')) }),
);

export const notDate = 'must be a date such as 2027-01-31';
export const Until = () => z.iso.date(notDate);
const until = () => z.optional(about(Until(), 'The last day of access. The next apply after this day removes it.'));

/** A row of members.csv. */
export const MemberRow = lazy(() =>
  z.strictObject({
    email: emailAddress('Email address.'),
    role: about(RoleOrGuest(), 'Role in the organization.'),
    sso: z.optional(about(z.boolean(), 'Whether the member signs in through SSO.')),
    teams: z.optional(z.array(teamName())),
    until: until(),
  }),
);

/** teams/<name>.yaml */
export const TeamFile = lazy(() =>
  z.strictObject({
    title: bodyOf(teams.edit).title,
    members: z.optional(
      about(
        z.record(z.string(), z.union([TeamRole(), z.strictObject({ role: TeamRole(), until: until() })])),
        'Roles in the team, by email address.',
      ),
    ),
    moved: moved(),
  }),
);

/** sso/<name>.yaml */
export const ProviderFile = lazy(() =>
  z.strictObject({ ...bodyOf(sso.createProvider), defaultTeam: z.optional(z.nullable(teamName())), moved: moved() }),
);

const order = () =>
  z.optional(about(z.array(z.string()), 'Names of the spaces and collections directly in it, in order.'));

const collectionSettings = () => ({
  name: collectionName(),
  ...bodyOf(collections.edit),
  order: order(),
  moved: moved(),
});
type CollectionSettings = z.output<z.ZodMiniObject<ReturnType<typeof collectionSettings>>>;
export interface CollectionNode extends CollectionSettings {
  collections?: CollectionNode[] | undefined;
}

export const CollectionNode = lazy(() =>
  z.strictObject({
    ...collectionSettings(),
    get collections(): z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniType<CollectionNode>>> {
      return z.optional(z.array(CollectionNode()));
    },
  }),
);

/** collections.yaml */
export const CollectionsFile = lazy(() =>
  z.strictObject({ order: order(), collections: z.optional(z.array(CollectionNode())) }),
);

const FieldValue = () => z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

/** spaces/<name>/space.yaml */
export const SpaceFile = lazy(() =>
  z.strictObject({
    ...bodyOf(spaces.edit),
    visibility: z.optional(
      about(z.enum(visibilities), 'Who can read it. Determined by the sites that contain the space.'),
    ),
    collection: z.optional(z.nullable(collectionName())),
    moved: moved(),
    customFields: z.optional(about(z.record(z.string(), FieldValue()), 'Values of custom fields, by field name.')),
  }),
);

export const SiteSpaceEntry = () =>
  z.strictObject({ space: spaceName(), default: isDefault(), ...bodyOf(siteSpaces.edit) });
const isDefault = () => z.optional(about(z.boolean(), 'Whether it is shown first.'));

export const SectionEntry = lazy(() => {
  const { defaultSiteSpace: _, path, ...settings } = bodyOf(siteSections.edit);
  return z.strictObject({
    section: z.nonoptional(path),
    default: isDefault(),
    ...settings,
    spaces: z.array(SiteSpaceEntry()).check(z.minLength(1)),
  });
});

export const GroupEntry = lazy(() => {
  const { title, icon } = bodyOf(sectionGroups.edit);
  return z.strictObject({ group: z.nonoptional(title), icon, sections: z.array(SectionEntry()) });
});

export const ShareLinkEntry = () => z.strictObject({ name: bodyOf(shareLinks.create).name, active: z.boolean() });

// Members are compared one by one, so their types do not matter.
export const AdaptiveSchema = (): z.ZodMiniType<Record<string, unknown>> => bodyOf(siteSchema.set).jsonSchema;
export const Looks: () => z.ZodMiniType<Record<string, unknown>> = Customization;

/** sites/<name>.yaml */
export const SiteFile = lazy(() => {
  const { defaultSiteSpace: _, defaultSiteSection: __, adaptiveContent: ___, ...settings } = bodyOf(sites.edit);
  return z.strictObject({
    type: z.optional(about(z.enum(siteTypes), 'Type of the site; it cannot be changed.')),
    ...settings,
    adaptiveContent: z.optional(about(z.boolean(), 'Whether the content adapts to the visitor.')),
    published: z.optional(about(z.boolean(), 'Whether the site is published.')),
    structure: z.optional(
      about(
        z.union([z.array(z.union([GroupEntry(), SectionEntry()])), z.array(SiteSpaceEntry())]),
        'Groups and sections with their spaces, or the spaces of a site without sections, in order.',
      ),
    ),
    shareLinks: z.optional(z.array(ShareLinkEntry())),
    adaptiveSchema: z.optional(about(AdaptiveSchema(), 'JSON Schema of visitor claims.')),
    moved: moved(),
    customization: z.optional(about(Looks(), 'All settings, as printed by "sites customization".')),
  });
});

export const TranslationEntry = () => z.strictObject(bodyOf(translations.create));

/** translations.yaml */
export const TranslationsFile = lazy(() => z.strictObject({ translations: z.array(TranslationEntry()) }));

export const InviteLinkEntry = () => {
  const level = about(RoleOrGuest(), 'Level that the link gives; null for guests.');
  return z.union([
    z.strictObject({ role: level }),
    z.strictObject({ space: spaceName(), level }),
    z.strictObject({ collection: collectionName(), level }),
  ]);
};

/** invite-links.yaml */
export const InviteLinksFile = lazy(() => z.strictObject({ links: z.array(InviteLinkEntry()) }));

type Of<Schema extends () => z.ZodMiniType> = z.output<ReturnType<Schema>>;
export type OrganizationFile = Of<typeof OrganizationFile>;
export type MemberRow = Of<typeof MemberRow>;
export type TeamFileText = Of<typeof TeamFile>;
/** A team without the terms of its members. */
export interface TeamFile extends Omit<TeamFileText, 'members'> {
  members?: Record<string, z.output<ReturnType<typeof TeamRole>>> | undefined;
}
export type ProviderFile = Of<typeof ProviderFile>;
export type CollectionsFile = Of<typeof CollectionsFile>;
export type SpaceFile = Of<typeof SpaceFile>;
export type SiteFile = Of<typeof SiteFile>;
export type SectionEntry = Of<typeof SectionEntry>;
type GroupEntry = Of<typeof GroupEntry>;
export type SiteSpaceEntry = z.output<ReturnType<typeof SiteSpaceEntry>>;
export type TranslationsFile = Of<typeof TranslationsFile>;
export type InviteLinksFile = Of<typeof InviteLinksFile>;

/** A row of levels.csv: a level that was granted to a member on a space. */
export interface LevelRow {
  email: string;
  /** The name of the space. */
  space: string;
  level: RoleName;
  /** ISO date. */
  until?: string | undefined;
}
