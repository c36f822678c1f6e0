import { changeRequests } from '../../contract/change-requests.ts';
import { maxBytes } from '../../journal/run-journal.ts';
import { permanentReason } from '../../journal/permanent.ts';
import type { OrganizationPlan } from '../../organization/plan/change.ts';

const maxNamed = 5;

const isTooLarge = (body: unknown) => JSON.stringify(body ?? null).length > maxBytes.undoable;

/** Notes about the changes of a plan that "docsctl undo" cannot undo, with the reasons. */
export function permanentLines({
  changes,
  steps,
  contents = [],
}: Pick<OrganizationPlan, 'changes' | 'steps'> & Partial<Pick<OrganizationPlan, 'contents'>>): string[] {
  const requests = [
    ...steps.map((step) => ({ endpoint: step.endpoint, indexes: step.changes, isTooLarge: isTooLarge(step.body) })),
    ...contents.map((step) => ({ endpoint: changeRequests.merge.name, indexes: step.changes, isTooLarge: false })),
  ];
  const reasons = new Map<string, Set<number>>();
  for (const { endpoint, indexes, isTooLarge } of requests) {
    const reason = permanentReason(endpoint) ?? (isTooLarge ? 'it is too large for the journal' : undefined);
    if (reason === undefined) continue;
    const all = reasons.get(reason) ?? new Set();
    reasons.set(reason, all);
    for (const index of indexes) all.add(index);
  }
  return [...reasons].map(([reason, indexes]) => {
    const names = [...indexes].flatMap((index) => {
      const change = changes[index];
      return change ? [`${change.kind} ${change.name}`] : [];
    });
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
    return `Cannot be undone: ${names.slice(0, maxNamed).join(', ')}${more}, because ${reason}.`;
  });
}
