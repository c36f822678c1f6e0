import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { isObject } from '../../shared/is-object.ts';
import { type Ids, namedKinds, noIds, type Organization } from '../organization.ts';
import { changeKinds, type Change, type ContentStep, type Step } from './change.ts';
import { objectHash } from './objects.ts';
import { checksOf, type Secrets, secretsIn, variablesFor, withNames, withValues } from './variables.ts';

/** The version of saved plans. */
export const planVersion = 3;

/** Variables whose values are part of a plan. */
const Variables = z.object({
  variables: z.record(z.string(), z.strictObject({ salt: z.string(), hash: z.string() })),
});

const pageActions = ['create', 'update', 'move', 'delete'] as const;

const Page = z.strictObject({
  action: z.enum(pageActions),
  path: z.string(),
  isFile: z.optional(z.literal(true)),
  title: z.optional(z.string()),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  lines: z.optional(z.strictObject({ added: z.number(), removed: z.number() })),
  fields: z.optional(z.array(z.string())),
  subpages: z.optional(z.number()),
  isDrift: z.optional(z.boolean()),
});

const hashes = z.record(z.string(), z.string());

const PlanFile = z.strictObject({
  version: z.literal(planVersion),
  organization: z.string(),
  folder: z.string(),
  flags: z.strictObject({ only: z.optional(z.array(z.string())), prune: z.boolean(), keepDrift: z.boolean() }),
  files: z.record(z.string(), z.string()),
  folders: z.array(z.string()),
  contentFolders: z.array(z.string()),
  applied: hashes,
  ids: z.partialRecord(z.enum(namedKinds), z.record(z.string(), z.string())),
  changes: z.array(
    z.strictObject({
      kind: z.enum(changeKinds),
      name: z.string(),
      action: z.enum(['create', 'update', 'move', 'delete']),
      fields: z.array(
        z.strictObject({ field: z.string(), before: z.optional(z.unknown()), after: z.optional(z.unknown()) }),
      ),
      file: z.string(),
      basedOn: z.string(),
      isDrift: z.optional(z.boolean()),
      pages: z.optional(z.array(Page)),
      pageCount: z.optional(z.number()),
    }),
  ),
  contents: z.array(
    z.strictObject({
      content: z.string(),
      space: z.string(),
      revision: z.optional(z.string()),
      sends: z.string(),
      files: hashes,
      requests: z.number(),
      changes: z.array(z.number()),
    }),
  ),
  steps: z.array(
    z.strictObject({
      endpoint: z.string(),
      params: z.record(z.string(), z.string()),
      body: z.optional(z.unknown()),
      changes: z.array(z.number()),
      makes: z.optional(z.record(z.string(), z.string())),
      phase: z.number(),
    }),
  ),
  variables: z.record(z.string(), z.strictObject({ salt: z.string(), hash: z.string() })),
});

/** A change, with a hash of the object that it was planned for. */
export type SavedChange = Change & { basedOn: string };

export interface SavedPlan {
  organization: string;
  /** The folder that it is a plan of, as it was named. */
  folder: string;
  /** How it was made. */
  flags: { only?: string[] | undefined; prune: boolean; keepDrift: boolean };
  /** The texts of the files that it is made of, by path. The plan follows from them and from what the service has. */
  files: Record<string, string>;
  /** The folders of the organization that were there, and the spaces that had their content in them. */
  folders: string[];
  contentFolders: string[];
  /** Hashes of the files as they were last written or applied before. */
  applied: Record<string, string>;
  ids: Ids;
  changes: SavedChange[];
  steps: Step[];
  contents: ContentStep[];
  /** The variables that the files name, with their values, which the plan must not show. */
  variables: ReadonlyMap<string, string>;
}

/** Why a file is not read as a plan. */
export class UnreadablePlan extends Error {
  override readonly name = 'UnreadablePlan';
}

/**
 * @param variable the value of a variable here
 * @throws UnreadablePlan also for a file that was edited
 * @throws VariableMismatch
 */
export function readPlan(text: string, variable: (name: string) => string | undefined): SavedPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadablePlan('it is not JSON');
  }
  const wrongMembers = new UnreadablePlan(`it does not have the members of a plan of version ${planVersion}`);
  if (!isObject(value) || value['version'] !== planVersion) throw wrongMembers;
  const { digest, ...members } = value;
  // Of members that are there twice, readers see different ones.
  if (digest !== digestOf(members) || text.replaceAll('\r\n', '\n') !== textOf(value))
    throw new UnreadablePlan('it was edited after "docsctl plan" wrote it');
  const checks = Variables.safeParse(members).data?.variables ?? {};
  const variables = variablesFor(checks, variable);
  const result = PlanFile.safeParse(withValues(members, variables));
  if (!result.success) throw wrongMembers;
  const ids = noIds();
  for (const kind of namedKinds) ids[kind] = new Map(Object.entries(result.data.ids[kind] ?? {}));
  const { version: _, changes, steps, ...others } = result.data;
  return {
    ...others,
    ids,
    changes,
    variables,
    steps: steps.map(({ makes, ...step }) => ({ ...step, ...(makes && { makes }) })),
  };
}

/** The file of a plan. It has the names of variables, not their values. */
export function writePlan({ organization, files, ids, changes, steps, variables, ...others }: SavedPlan): string {
  const sorted = Object.fromEntries(namedKinds.map((kind) => [kind, Object.fromEntries(ids[kind])]));
  const members = {
    version: planVersion,
    organization,
    ...others,
    variables: checksOf(variables),
    ...withNames({ files, ids: sorted, changes, steps }, secretsIn(variables)),
  };
  return textOf({ ...members, digest: digestOf(members) });
}

const textOf = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Finds accidental edits. Who edits a plan on purpose can make it anew, so an apply also plans again and compares. */
const digestOf = (members: object) => createHash('sha256').update(JSON.stringify(members)).digest('hex');

/** The changes with a hash of what each was planned for: of an object, or the revision of a space. */
export const withHashes = (
  changes: readonly Change[],
  contents: readonly ContentStep[],
  { current, secrets }: { current: Organization; secrets: Secrets },
): SavedChange[] =>
  changes.map((change, index) => {
    const content = contents.find((each) => each.changes.includes(index));
    return { ...change, basedOn: content ? (content.revision ?? 'none') : objectHash(current, change, secrets) };
  });
