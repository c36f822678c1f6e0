import { isDeepStrictEqual } from 'node:util';
import type { BodyInput, Endpoint, ParamsOf } from '../../contract/endpoint.ts';

/** Kinds of objects that a plan changes, as people call them. */
export const changeKinds = [
  'organization',
  'custom field',
  'member',
  'team',
  'SSO provider',
  'collection',
  'space',
  'content',
  'specification',
  'site',
  'translation',
  'invite link',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface FieldChange {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** What a plan does to one page or file of a content folder. */
export interface PageChange {
  action: 'create' | 'update' | 'move' | 'delete';
  /** The file in the content folder; else the address of the page in the space. */
  path: string;
  /** It is no page. A file that is removed stays in the content of the space, and is in no export. */
  isFile?: true | undefined;
  /** Of a page that is added or removed. */
  title?: string | undefined;
  /** Old and new address of a page that is moved, if they differ. */
  from?: string | undefined;
  to?: string | undefined;
  /** How many lines of its text are new or other ones, and how many go. */
  lines?: { added: number; removed: number } | undefined;
  /** Members beside the text that change. */
  fields?: string[] | undefined;
  /** How many pages below it are removed with it. */
  subpages?: number | undefined;
  /** Whether the folder has it as it was last applied, so that somebody changed the space. */
  isDrift?: boolean | undefined;
  /** Whether folder and space were both changed, so that the plan must not be applied. */
  isConflict?: boolean | undefined;
}

/** What a plan does to one object. */
export interface Change {
  kind: ChangeKind;
  /** Its name in the files. */
  name: string;
  action: 'create' | 'update' | 'move' | 'delete';
  fields: FieldChange[];
  /** The file that says so. */
  file: string;
  /** Whether the files are as they were last applied, so that somebody changed the service. */
  isDrift?: boolean | undefined;
  /** What it does to the pages and files of a space. */
  pages?: PageChange[] | undefined;
  /** How many pages the space has. */
  pageCount?: number | undefined;
}

/** The requests that bring a content folder into its space: one change request, merged at the end. */
export interface ContentStep {
  /** The name of the space. */
  content: string;
  /** Its id, or a placeholder. */
  space: string;
  /** The revision that it was planned for; absent for a space that the plan makes. */
  revision?: string | undefined;
  /** A hash of all that is sent. */
  sends: string;
  /** Hashes of the files that it is made of, by path from the folder of the organization. */
  files: Record<string, string>;
  /** How many requests change something. */
  requests: number;
  /** Changes that it carries out, by their index in the plan. */
  changes: number[];
}

/**
 * One request of a plan. Ids of objects that the plan makes stand as `{kind/name}` in parameters and body, and are put in
 * when the object is there.
 */
export interface Step {
  /** The endpoint, by its name in the contract: `teams.edit`. */
  endpoint: string;
  params: Record<string, string>;
  body?: unknown;
  /** Changes that it carries out, by their index in the plan. */
  changes: number[];
  /** Placeholders without braces, as `team/writers`, and where the answer has the id: `id`, `siteSpaces.0.id`. */
  makes?: Record<string, string>;
  /** Steps of a lower phase are sent first. */
  phase: number;
}

export type NewStep = Omit<Step, 'changes'>;

/** A step that sends a request of the contract. */
export function step<E extends Endpoint>(
  endpoint: E,
  params: ParamsOf<E>,
  { phase, body, makes }: { phase: Phase; body?: BodyInput<E>; makes?: Record<string, string> },
): NewStep {
  return {
    endpoint: endpoint.name,
    params,
    ...(body !== undefined && { body }),
    ...(makes !== undefined && { makes }),
    phase: phases.indexOf(phase),
  };
}

/**
 * The members that a file sets and that the service has otherwise. What a file leaves out is not compared.
 *
 * @param before members of the service; undefined where there is no such object
 */
export function changedFields(
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>>,
): FieldChange[] {
  return Object.entries(after).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const current = before?.[field];
    if (before && isDeepStrictEqual(plain(current), plain(value))) return [];
    // What is not set, and set to nothing, is the same for people.
    if (isNothing(current) && isNothing(value)) return [];
    return [{ field, ...(before && { before: current }), after: value }];
  });
}

const isNothing = (value: unknown) => value === undefined || value === null;

// Objects of a parser may have no prototype.
const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

/** The members of a request that sets the changed fields. */
export const bodyOf = (fields: readonly FieldChange[], names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.filter(({ field }) => names.includes(field)).map(({ field, after }) => [field, after]));

/** The order of steps: an object is there before another one mentions it, and goes after the last one that does. */
export const phases = [
  // Only addresses of these domains are invited with SSO.
  'emailDomains',
  'fields',
  'members',
  'teams',
  'teamMembers',
  'providers',
  'collections',
  'collectionSettings',
  'spaces',
  'spaceSettings',
  'moves',
  'content',
  'specifications',
  'sites',
  'structure',
  'siteSettings',
  'translations',
  'inviteLinks',
  // What others depend on goes last.
  'settings',
  'deleteInviteLinks',
  'deleteTranslations',
  'deleteSites',
  'deleteSpecifications',
  'deleteSpaces',
  'deleteCollections',
  'deleteProviders',
  'deleteTeams',
  'deleteFields',
  'deleteMembers',
] as const;
type Phase = (typeof phases)[number];
