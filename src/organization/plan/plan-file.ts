import * as z from 'zod/mini';
import { type Ids, namedKinds, noIds, type Organization } from '../organization.ts';
import { changeKinds, type Change, type Step } from './change.ts';
import { objectHash } from './objects.ts';

/** The version of saved plans. */
export const planVersion = 1;

const PlanFile = z.object({
  version: z.literal(planVersion),
  organization: z.string(),
  ids: z.partialRecord(z.enum(namedKinds), z.record(z.string(), z.string())),
  changes: z.array(
    z.object({
      kind: z.enum(changeKinds),
      name: z.string(),
      action: z.enum(['create', 'update', 'move', 'delete']),
      fields: z.array(z.object({ field: z.string(), before: z.optional(z.unknown()), after: z.optional(z.unknown()) })),
      file: z.string(),
      basedOn: z.string(),
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
  ids: Ids;
  changes: SavedChange[];
  steps: Step[];
}

/** Why a file is not read as a plan. */
export class UnreadablePlan extends Error {
  override readonly name = 'UnreadablePlan';
}

/** @throws UnreadablePlan */
export function readPlan(text: string): SavedPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadablePlan('it is not JSON');
  }
  const result = PlanFile.safeParse(value);
  if (!result.success) throw new UnreadablePlan(`it does not have the members of a plan of version ${planVersion}`);
  const ids = noIds();
  for (const kind of namedKinds) ids[kind] = new Map(Object.entries(result.data.ids[kind] ?? {}));
  const { organization, changes, steps } = result.data;
  return {
    organization,
    ids,
    changes,
    steps: steps.map(({ makes, ...step }) => ({ ...step, ...(makes && { makes }) })),
  };
}

export function writePlan({ organization, ids, changes, steps }: SavedPlan): string {
  const sorted = Object.fromEntries(namedKinds.map((kind) => [kind, Object.fromEntries(ids[kind])]));
  return `${JSON.stringify({ version: planVersion, organization, ids: sorted, changes, steps }, undefined, 2)}\n`;
}

export const withHashes = (changes: readonly Change[], current: Organization): SavedChange[] =>
  changes.map((change) => ({ ...change, basedOn: objectHash(current, change) }));
