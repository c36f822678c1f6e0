import type { Mutant } from '../model.ts';

const status = 'src/proposals/status.ts';
const approve = 'src/commands/proposals/approve.ts';
const apply = 'src/commands/proposals/apply.ts';

export const mutants: Mutant[] = [
  {
    name: 'authors approve their own proposals',
    file: approve,
    from: 'if ((await editorsAmong(client, proposal, [caller.id])).has(caller.id))',
    to: 'if (false as boolean)',
  },
  {
    name: 'approvals of an earlier content count',
    file: status,
    from: 'event.hash !== hash',
    to: '(false as boolean)',
  },
  {
    name: 'an apply does not look whether something was changed since',
    file: apply,
    from: 'isOther || judged.approvals.some(({ event }) => event.digest !== report.digest)',
    to: 'isOther',
  },
  {
    name: 'an approval does not look whether something was changed since',
    file: approve,
    from: 'proposal.report?.isComplete === true && proposal.report.digest !== report.digest',
    to: 'false as boolean',
  },
  {
    name: 'a proposal is applied without an approval',
    file: apply,
    from: 'if (count < required)',
    to: 'if (count + 1 < required)',
  },
  {
    name: 'a proposal is applied without a claim, and again',
    file: apply,
    from: 'await claimProposal(port, proposal);',
    to: '',
  },
  {
    name: 'a revert is sent although something was changed since',
    file: 'src/journal/undo.ts',
    from: "if (state === 'as after') plan.steps.push(step);",
    to: "if (state !== 'as before') plan.steps.push(step);",
  },
  {
    name: 'a rejected proposal stays open',
    file: approve,
    from: 'await archiveProposal(port, proposal);',
    to: '',
  },
];
