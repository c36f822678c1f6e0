import { approvalFor } from '../../approval/policy.ts';
import type { MadePlan } from '../../organization/plan/make-plan.ts';

/** What of the policy in the shared state the changes of a plan need an approval for. */
export function reasonsForApproval({ plan, shared }: MadePlan): string[] {
  const policy = shared?.state.approval;
  if (!policy || plan.changes.length === 0) return [];
  const isOfPolicy = plan.changes.some(
    ({ kind, fields }) => kind === 'organization' && fields.some(({ field }) => /^approval\b/.test(field)),
  );
  const reasons = plan.steps.flatMap((step) => approvalFor(policy, step) ?? []);
  const isAll = policy.required === 'everything';
  return [...new Set([...(isAll ? ['everything'] : reasons), ...(isOfPolicy ? ['a change of the policy'] : [])])];
}
