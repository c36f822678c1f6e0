import type { z } from 'zod/mini';
import {
  type CollectionNode,
  CollectionsFile,
  InviteLinksFile,
  type LevelRow,
  type MemberRow,
  OrganizationFile,
  ProviderFile,
  SiteFile,
  SpaceFile,
  TeamFile,
  TranslationsFile,
} from './files/schemas.ts';

/**
 * An organization as its files describe it. A part is undefined if its file or folder is missing, and then not managed; an
 * empty part means that there are no such objects. Maps are sorted by the name of the file or folder.
 */
export interface Organization {
  organization?: OrganizationFile;
  /** Sorted by address. */
  members?: MemberRow[];
  teams?: Map<string, TeamFile>;
  sso?: Map<string, ProviderFile>;
  collections?: CollectionsFile;
  spaces?: Map<string, SpaceFile>;
  sites?: Map<string, SiteFile>;
  /** Texts of specifications by slug. */
  openapi?: Map<string, string>;
  translations?: TranslationsFile;
  'invite-links'?: InviteLinksFile;
  /** Levels granted on spaces. The service has no request that grants them, so they are compared but never sent. */
  levels?: LevelRow[];
}

export type FilePart = keyof Organization;

interface PartFile {
  /** Path from the folder of the organization, with `*` for the name of an object. */
  file: string;
  schema?: () => z.ZodMiniType;
  /** The name of its JSON Schema, if other than that of the part. */
  schemaName?: string;
  /** Parts whose objects its files mention. */
  mentions: readonly FilePart[];
}

/** What the files contain. Exports, plans, applies, checks and --only follow from this table. */
export const files: Readonly<Record<FilePart, PartFile>> = {
  organization: { file: 'organization.yaml', schema: OrganizationFile, mentions: ['sites'] },
  members: { file: 'members.csv', mentions: [] },
  teams: { file: 'teams/*.yaml', schema: TeamFile, schemaName: 'team', mentions: ['members'] },
  sso: { file: 'sso/*.yaml', schema: ProviderFile, schemaName: 'sso-provider', mentions: ['teams'] },
  collections: { file: 'collections.yaml', schema: CollectionsFile, mentions: ['spaces'] },
  spaces: {
    file: 'spaces/*/space.yaml',
    schema: SpaceFile,
    schemaName: 'space',
    mentions: ['collections', 'organization'],
  },
  sites: { file: 'sites/*.yaml', schema: SiteFile, schemaName: 'site', mentions: ['spaces', 'collections'] },
  openapi: { file: 'openapi/*.yaml', mentions: [] },
  translations: { file: 'translations.yaml', schema: TranslationsFile, mentions: [] },
  'invite-links': { file: 'invite-links.yaml', schema: InviteLinksFile, mentions: ['spaces', 'collections'] },
  levels: { file: 'levels.csv', mentions: [] },
};

const isFilePart = (word: string): word is FilePart => Object.hasOwn(files, word);
export const fileParts = Object.keys(files).filter(isFilePart);

/** A part of the organization, as `--only` names it. The content of spaces has other kinds of files. */
export type Part = FilePart | 'content';
export const parts: readonly Part[] = fileParts.flatMap((part): Part[] =>
  part === 'spaces' ? [part, 'content'] : [part],
);

/** Whether each object of the part has its own file or folder. */
export const hasObjects = (part: Part): boolean => part === 'content' || files[part].file.includes('*');

/** The files at the top of the folder, and the folders with a file for each object. */
export const topFiles = fileParts.filter((part) => !hasObjects(part)).map((part) => files[part].file);
export const folders = fileParts.filter((part): part is FolderPart => hasObjects(part));

type FolderPart = {
  [P in FilePart]-?: NonNullable<Organization[P]> extends Map<string, unknown> ? P : never;
}[FilePart];

export const levelsFile = files.levels.file;

/** The file with the settings that are different in an environment, such as `organization.staging.yaml`. */
export const overlayFile = (env: string): string => files.organization.file.replace('.', `.${env}.`);
export const environmentOf = (path: string): string | undefined => /^organization\.([\w-]+)\.yaml$/.exec(path)?.[1];
const isOverlay = (path: string): boolean => environmentOf(path) !== undefined;

/** The folder with the content of a space, from the folder of its organization. */
export const contentPath = (space: string): string => `spaces/${space}/content`;

/** The file of a part, or of one of its objects. */
export const pathOf = (part: Part, name: string): string =>
  part === 'content' ? contentPath(name) : files[part].file.replace('*', () => name);

/** The name of the object in a file of this part; "" for a part that is a single file, undefined for other files. */
export function nameIn(part: FilePart, path: string): string | undefined {
  const [before = '', after] = files[part].file.split('*');
  if (after === undefined) return path === before || (part === 'organization' && isOverlay(path)) ? '' : undefined;
  const name = path.slice(before.length, path.length - after.length);
  return path === before + name + after && name !== '' && !name.includes('/') ? name : undefined;
}

/** The kinds whose objects have names in the files. */
export const namedKinds = ['teams', 'sso', 'collections', 'spaces', 'sites'] as const;
export type NamedKind = (typeof namedKinds)[number];

export const eachNamedKind = <T>(make: (kind: NamedKind) => T): Record<NamedKind, T> => ({
  teams: make('teams'),
  sso: make('sso'),
  collections: make('collections'),
  spaces: make('spaces'),
  sites: make('sites'),
});

/** IDs of named objects in the service, by kind and by name. */
export type Ids = Record<NamedKind, Map<string, string>>;

export const noIds = (): Ids => eachNamedKind(() => new Map());

/** All collections, with the path to each in collections.yaml. */
export function* collectionsIn(
  nodes: readonly CollectionNode[] = [],
  at: readonly PropertyKey[] = [],
  parent: string | null = null,
): Generator<{ node: CollectionNode; at: readonly PropertyKey[]; parent: string | null }> {
  for (const [index, node] of nodes.entries()) {
    const here = [...at, 'collections', index];
    yield { node, at: here, parent };
    yield* collectionsIn(node.collections, here, node.name);
  }
}

/** The objects of one kind by name; undefined if the files do not manage them. */
type Objects<T> = (organization: Organization) => [name: string, object: T][] | undefined;

const kind = <T>(part: Part, objects: Objects<T>) => ({ part, objects });

export type InviteLink = InviteLinksFile['links'][number];

/** What a link gives access to. Links have no other name. */
export function inviteLinkName(link: InviteLink): string {
  if ('space' in link) return `space ${link.space}`;
  return 'collection' in link ? `collection ${link.collection}` : 'organization';
}

/** The kinds of objects that a plan changes, by their names for users. */
export const kinds = {
  organization: kind('organization', ({ organization }) => {
    const { customFields: _, ...settings } = organization ?? {};
    return organization && [[settings.title ?? '', settings]];
  }),
  'custom field': kind('organization', ({ organization }) =>
    organization?.customFields?.map((field) => [field.name, field]),
  ),
  member: kind('members', ({ members }) =>
    // `teams` is only for reading.
    members?.map(({ email, role, sso }) => [email, { email, role, sso }]),
  ),
  team: kind('teams', ({ teams }) => teams && [...teams]),
  'SSO provider': kind('sso', ({ sso }) => sso && [...sso]),
  collection: kind(
    'collections',
    ({ collections }) =>
      collections &&
      [...collectionsIn(collections.collections)].map(
        ({ node, parent }): [string, CollectionNode & { parent: string | null }] => [
          node.name,
          { ...node, collections: undefined, parent },
        ],
      ),
  ),
  space: kind('spaces', ({ spaces }) => spaces && [...spaces]),
  content: kind('content', () => undefined),
  specification: kind('openapi', ({ openapi }) => openapi && [...openapi]),
  site: kind('sites', ({ sites }) => sites && [...sites]),
  translation: kind('translations', ({ translations }) => translations?.translations.map((each) => [each.title, each])),
  'invite link': kind('invite-links', ({ 'invite-links': file }) =>
    file?.links.map((link) => [inviteLinkName(link), link]),
  ),
};
export type ChangeKind = keyof typeof kinds;
const isChangeKind = (word: string): word is ChangeKind => Object.hasOwn(kinds, word);
export const changeKinds = Object.keys(kinds).filter(isChangeKind);

/** The kind of named objects, and the word for one of them in placeholders such as `{team/writers}`. */
export const singular: Readonly<Record<NamedKind, string>> = {
  teams: 'team',
  sso: 'provider',
  collections: 'collection',
  spaces: 'space',
  sites: 'site',
};

export const changeKindOf: Readonly<Record<NamedKind, ChangeKind>> = {
  teams: 'team',
  sso: 'SSO provider',
  collections: 'collection',
  spaces: 'space',
  sites: 'site',
};
