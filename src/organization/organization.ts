import type { LevelRow } from './files/levels.ts';
import type {
  CollectionsFile,
  InviteLinksFile,
  MemberRow,
  OrganizationFile,
  ProviderFile,
  SiteFile,
  SpaceFile,
  TeamFile,
  TranslationsFile,
} from './files/schemas.ts';

/** The kinds of which each object has a name in the files. */
export const namedKinds = ['teams', 'sso', 'collections', 'spaces', 'sites'] as const;
export type NamedKind = (typeof namedKinds)[number];

/**
 * An organization as files say it. A part that is undefined is not managed: its file or folder is missing. An empty one
 * says that there are none. Maps are by the name of the file or folder, and in the order of these names.
 */
export interface Organization {
  organization?: OrganizationFile;
  /** In the order of their addresses. */
  members?: MemberRow[];
  teams?: Map<string, TeamFile>;
  sso?: Map<string, ProviderFile>;
  collections?: CollectionsFile;
  spaces?: Map<string, SpaceFile>;
  sites?: Map<string, SiteFile>;
  /** Texts of specifications by slug. */
  openapi?: Map<string, string>;
  translations?: TranslationsFile;
  inviteLinks?: InviteLinksFile;
  /** Levels granted on spaces. The service has no request that grants them, so they are compared and never sent. */
  levels?: LevelRow[];
}

/** A part that is managed or not as a whole, as `--only` names it. */
export const parts = [
  'organization',
  'members',
  'teams',
  'sso',
  'collections',
  'spaces',
  'content',
  'sites',
  'openapi',
  'translations',
  'invite-links',
  'levels',
] as const;
export type Part = (typeof parts)[number];

/** Ids of named objects in the service, by kind and by name. */
export type Ids = Record<NamedKind, Map<string, string>>;

export const noIds = (): Ids => ({
  teams: new Map(),
  sso: new Map(),
  collections: new Map(),
  spaces: new Map(),
  sites: new Map(),
});
