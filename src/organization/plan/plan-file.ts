import * as z from 'zod/mini';
import { type Ids, namedKinds, noIds, type Organization } from '../organization.ts';
import { changeKinds, type Change, type ContentStep, type Step } from './change.ts';
import { objectHash } from './objects.ts';
import { type Secrets, variablesFor, withNames, withValues } from './variables.ts';

/** The version of saved plans. */
export const planVersion = 2;

/** Variables whose values are part of a plan. */
const Variables = z.object({
  variables: z.record(z.string(), z.object({ salt: z.string(), hash: z.string() })),
});

const pageActions = ['create', 'update', 'move', 'delete'] as const;

const Page = z.object({
  action: z.enum(pageActions),
  path: z.string(),
  isFile: z.optional(z.literal(true)),
  title: z.optional(z.string()),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  lines: z.optional(z.object({ added: z.number(), removed: z.number() })),
  fields: z.optional(z.array(z.string())),
  subpages: z.optional(z.number()),
  isDrift: z.optional(z.boolean()),
});

const hashes = z.record(z.string(), z.string());

const PlanFile = z.object({
  version: z.literal(planVersion),
  organization: z.string(),
  folder: z.string(),
  flags: z.object({ prune: z.boolean(), keepDrift: z.boolean() }),
  files: hashes,
  ids: z.partialRecord(z.enum(namedKinds), z.record(z.string(), z.string())),
  changes: z.array(
    z.object({
      kind: z.enum(changeKinds),
      name: z.string(),
      action: z.enum(['create', 'update', 'move', 'delete']),
      fields: z.array(z.object({ field: z.string(), before: z.optional(z.unknown()), after: z.optional(z.unknown()) })),
      file: z.string(),
      basedOn: z.string(),
      isDrift: z.optional(z.boolean()),
      pages: z.optional(z.array(Page)),
      pageCount: z.optional(z.number()),
    }),
  ),
  contents: z.array(
    z.object({
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
    z.object({
      endpoint: z.string(),
      params: z.record(z.string(), z.string()),
      body: z.optional(z.unknown()),
      changes: z.array(z.number()),
      makes: z.optional(z.record(z.string(), z.string())),
      phase: z.number(),
    }),
  ),
});

/** A change, with a hash of the object that it was planned for. */
export type SavedChange = Change & { basedOn: string };

export interface SavedPlan {
  organization: string;
  /** The folder that it is a plan of, as it was named. */
  folder: string;
  /** How it was made: the contents of spaces are compared in the same way again. */
  flags: { prune: boolean; keepDrift: boolean };
  /** Hashes of the files that it is made of, by path. */
  files: Record<string, string>;
  ids: Ids;
  changes: SavedChange[];
  steps: Step[];
  contents: ContentStep[];
  /** What the plan must not show. */
  secrets: Secrets;
}

/** Why a file is not read as a plan. */
export class UnreadablePlan extends Error {
  override readonly name = 'UnreadablePlan';
}

/**
 * @param variable the value of a variable here
 * @throws UnreadablePlan
 * @throws VariableMismatch
 */
export function readPlan(text: string, variable: (name: string) => string | undefined): SavedPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadablePlan('it is not JSON');
  }
  const checks = Variables.safeParse(value).data?.variables ?? {};
  const values = variablesFor(checks, variable);
  const result = PlanFile.safeParse(withValues(value, values));
  if (!result.success) throw new UnreadablePlan(`it does not have the members of a plan of version ${planVersion}`);
  const ids = noIds();
  for (const kind of namedKinds) ids[kind] = new Map(Object.entries(result.data.ids[kind] ?? {}));
  const { version: _, changes, steps, ...others } = result.data;
  return {
    ...others,
    ids,
    changes,
    secrets: new Map([...values].map(([name, secret]) => [secret, name])),
    steps: steps.map(({ makes, ...step }) => ({ ...step, ...(makes && { makes }) })),
  };
}

/** The file of a plan. It has the names of variables, not their values. */
export function writePlan({ organization, ids, changes, steps, secrets, ...others }: SavedPlan): string {
  const sorted = Object.fromEntries(namedKinds.map((kind) => [kind, Object.fromEntries(ids[kind])]));
  const { members, checks } = withNames({ ids: sorted, changes, steps }, secrets);
  return `${JSON.stringify({ version: planVersion, organization, ...others, variables: checks, ...members }, undefined, 2)}\n`;
}

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
