import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { BodyInput, Endpoint, ParamsOf } from '../../contract/endpoint.ts';
import type { FileProblem } from '../files/problems.ts';
import { type ChangeKind, changeKinds } from '../parts.ts';

// Schemas, because saved plans contain all of these.

const actions = z.enum(['create', 'update', 'move', 'delete']);

const Field = z.strictObject({
  field: z.string(),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
  /** Whether the files are as last applied, so the field was changed in the service. */
  isDrift: z.optional(z.boolean()),
});
export type FieldChange = z.output<typeof Field>;

/** What a plan does to one page or file of a content folder. */
const Page = z.strictObject({
  action: actions,
  /** The file in the content folder, or else the path of the page in the space. */
  path: z.string(),
  /** Whether it is a file, not a page. A removed file stays in the content of the space, but is not exported. */
  isFile: z.optional(z.literal(true)),
  /** Title of an added or removed page. */
  title: z.optional(z.string()),
  /** Old and new path of a moved page, if they differ. */
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  /** How many lines of the text are added or changed, and how many are removed. */
  lines: z.optional(z.strictObject({ added: z.number(), removed: z.number() })),
  /** Changed members other than the text. */
  fields: z.optional(z.array(z.string())),
  /** How many subpages are removed with it. */
  subpages: z.optional(z.number()),
  /** Whether the folder is as last applied, so the change was made in the space. */
  isDrift: z.optional(z.boolean()),
  /** Whether both folder and space were changed, so the plan must not be applied. */
  isConflict: z.optional(z.boolean()),
});
export type PageChange = z.output<typeof Page>;

/** What a plan does to one object. */
export const Change = z.strictObject({
  kind: z.enum(changeKinds),
  /** Its name in the files. */
  name: z.string(),
  action: actions,
  fields: z.array(Field),
  /** The file that describes it. */
  file: z.string(),
  /** Whether the files are as last applied, so the change was made in the service. */
  isDrift: z.optional(z.boolean()),
  /** What it does to the pages and files of a space. */
  pages: z.optional(z.array(Page)),
  /** How many pages the space has. */
  pageCount: z.optional(z.number()),
});
export type Change = z.output<typeof Change>;

/** Indexes of the changes that a step makes. */
const changes = z.array(z.number());

/** The requests that bring a content folder into its space: one change request, merged at the end. */
export const ContentStep = z.strictObject({
  /** The name of the space. */
  content: z.string(),
  /** Its ID, or a placeholder. */
  space: z.string(),
  /** The revision that the step was planned for; undefined for a space that the plan creates. */
  revision: z.optional(z.string()),
  /** A hash of everything that is sent. */
  sends: z.string(),
  /** Hashes of the files that are sent, by path from the folder of the organization. */
  files: z.record(z.string(), z.string()),
  /** How many requests change something. */
  requests: z.number(),
  changes,
});
export type ContentStep = z.output<typeof ContentStep>;

/**
 * One request of a plan. In its parameters and body, `{kind/name}` is a placeholder for the ID of an object that the plan
 * creates.
 */
export const Step = z.strictObject({
  /** The endpoint, by its name in the contract, such as `teams.edit`. */
  endpoint: z.string(),
  params: z.record(z.string(), z.string()),
  body: z.optional(z.unknown()),
  changes,
  /** Placeholders without braces, such as `team/writers`, and where the response has the ID: `id`, `siteSpaces.0.id`. */
  makes: z.optional(z.record(z.string(), z.string())),
  /** Steps of a lower phase are sent first. */
  phase: z.number(),
});
export type Step = z.output<typeof Step>;
export type NewStep = Omit<Step, 'changes'>;

/** An object that the files do not mention, and that is kept. */
export interface Unnamed {
  kind: ChangeKind | 'page';
  name: string;
  /** The file that it would have. */
  file: string;
  /** What it gives to people: a role or a level. */
  fields?: FieldChange[] | undefined;
  /** Whether even --prune keeps it, because exports leave it out. */
  isUnreadable?: boolean;
}

export interface OrganizationPlan {
  changes: Change[];
  /** In the order in which they are sent. */
  steps: Step[];
  /** Sent once all spaces exist. */
  contents: ContentStep[];
  /** What the files ask for and the service cannot do. */
  problems: FileProblem[];
  unnamed: Unnamed[];
}

/** How many requests a plan sends. */
export const requestCount = (steps: readonly Step[], contents: readonly ContentStep[] = []): number =>
  contents.reduce((sum, { requests }) => sum + requests, steps.length);

/** A plan reduced to some of its changes, with the requests that they need. */
export function onlyChanges(plan: OrganizationPlan, isKept: (change: Change) => boolean): OrganizationPlan {
  const kept = plan.changes.filter(isKept);
  const reduced = <S extends Pick<Step, 'changes'>>(step: S): S[] => {
    const indexes = step.changes.flatMap((index) => {
      const change = plan.changes[index];
      return change && isKept(change) ? [kept.indexOf(change)] : [];
    });
    return indexes.length > 0 ? [{ ...step, changes: indexes }] : [];
  };
  return { ...plan, changes: kept, steps: plan.steps.flatMap(reduced), contents: plan.contents.flatMap(reduced) };
}

/** A step that sends a request of the contract. */
export const step = <E extends Endpoint>(
  { name }: E,
  params: ParamsOf<E>,
  { phase, ...others }: { phase: Phase; body?: BodyInput<E> | undefined; makes?: Record<string, string> | undefined },
): NewStep => ({ endpoint: name, params, ...others, phase: phases.indexOf(phase) });

/** The members of a file whose values differ from those of the service. Members that the file omits are not compared. */
export function changedFields(before: object | undefined, after: object): FieldChange[] {
  return Object.entries(after).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const current: unknown = before && Reflect.get(before, field);
    if (before && isDeepStrictEqual(plain(current), plain(value))) return [];
    // Absent and null mean the same.
    if (current == null && value === null) return [];
    return [{ field, ...(before && { before: current }), after: value }];
  });
}

// Objects of a parser may have no prototype.
const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

/** The members of a request that sets the changed fields. */
export const bodyOf = (fields: readonly FieldChange[], names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.filter(({ field }) => names.includes(field)).map(({ field, after }) => [field, after]));

export const isEmpty = (body: object): boolean => Object.keys(body).length === 0;

/** The order of steps: objects are created before others mention them, and deleted after the last reference to them. */
export const phases = [
  // Only addresses of these domains can be invited with SSO.
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
  // Other sites get their basenames.
  'replacedSites',
  'siteSettings',
  'translations',
  'inviteLinks',
  // The settings of the organization depend on other objects.
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
export type Phase = (typeof phases)[number];
