import { changeRequests } from '../../contract/change-requests.ts';
import { fields } from '../../contract/custom-fields.ts';
import { openapi } from '../../contract/openapi.ts';
import { JournalRoom } from '../../journal/run-journal.ts';
import { permanentReason } from '../../journal/permanent.ts';
import type { Change, OrganizationPlan } from '../../organization/plan/change.ts';

const maxNamed = 5;

/** Notes about the changes of a plan that "docsctl undo" cannot undo, with the reasons. */
export function permanentLines({
  changes,
  steps,
  contents = [],
}: Pick<OrganizationPlan, 'changes' | 'steps'> & Partial<Pick<OrganizationPlan, 'contents'>>): string[] {
  const room = new JournalRoom();
  const requests = [
    ...steps.map((step) => {
      const isTooLarge = !room.takes(step.endpoint, step.body);
      const reason = permanentReason(step.endpoint) ?? permanentUpdate(step.endpoint, changes[step.changes[0] ?? -1]);
      return { indexes: step.changes, reason: reason ?? (isTooLarge ? 'it is too large for the journal' : undefined) };
    }),
    ...contents.map((step) => ({ indexes: step.changes, reason: permanentReason(changeRequests.merge.name) })),
  ];
  const reasons = new Map<string, Set<number>>();
  for (const { indexes, reason } of requests) {
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

/** Why a request cannot be undone that could be for another object. */
function permanentUpdate(endpoint: string, change: Change | undefined): string | undefined {
  if (change?.action !== 'update') return undefined;
  if (endpoint === openapi.put.name) return 'published versions cannot be removed';
  const options = endpoint === fields.edit.name ? change.fields.find(({ field }) => field === 'options') : undefined;
  const [before, after] = [options?.before, options?.after].map((list) => (Array.isArray(list) ? list : []));
  const isLost = before?.some((option) => !after?.includes(option)) ?? false;
  return isLost ? 'the service deletes the values with a removed option' : undefined;
}
