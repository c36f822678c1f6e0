import type { FileProblem } from '../files/problems.ts';
import type { Change, ContentStep, Step } from './change.ts';
import { Draft, type PlanInput, type Unnamed } from './draft.ts';
import { planFields, planMembers, planProviders, planSettings, planTeams } from './people.ts';
import { planCollections, planMoves, planSpaces } from './places.ts';
import { planInviteLinks, planSpecifications, planTranslations } from './publishing.ts';
import { planSites } from './sites.ts';

export interface OrganizationPlan {
  changes: Change[];
  /** In the order in which they are sent. */
  steps: Step[];
  /** Sent when all spaces are there. */
  contents: ContentStep[];
  /** What the files ask for and the service cannot do. */
  problems: FileProblem[];
  /** Objects that the files do not name, and that are kept. */
  unnamed: Unnamed[];
}

/** How many requests a plan sends. */
export const requestCount = (steps: readonly Step[], contents: readonly ContentStep[] = []): number =>
  contents.reduce((sum, { requests }) => sum + requests, steps.length);

/** A plan with some of its changes, and with the requests that these need. */
export function onlyChanges(plan: OrganizationPlan, isKept: (change: Change) => boolean): OrganizationPlan {
  const changes = plan.changes.filter(isKept);
  const ofKept = <S extends Pick<Step, 'changes'>>(step: S): S[] => {
    const kept = step.changes.flatMap((index) => {
      const change = plan.changes[index];
      return change && isKept(change) ? [changes.indexOf(change)] : [];
    });
    return kept.length > 0 ? [{ ...step, changes: kept }] : [];
  };
  return { ...plan, changes, steps: plan.steps.flatMap(ofKept), contents: plan.contents.flatMap(ofKept) };
}

/** What it takes to make an organization as its files say. */
export function planOrganization(input: PlanInput): OrganizationPlan {
  const draft = new Draft(input);
  planSettings(draft);
  planFields(draft);
  planMembers(draft);
  planTeams(draft);
  planProviders(draft);
  planCollections(draft);
  planSpaces(draft);
  planMoves(draft);
  planSpecifications(draft);
  planSites(draft);
  planTranslations(draft);
  planInviteLinks(draft);
  const { changes, steps, problems, unnamed } = draft;
  return { changes, steps: steps.toSorted((one, other) => one.phase - other.phase), contents: [], problems, unnamed };
}
