import type { Mutant } from '../model.ts';

const invite = 'src/commands/invites/invite.ts';
const changeRoles = 'src/commands/shared/change-roles.ts';

export const mutants: Mutant[] = [
  {
    name: 'people without an answer count as not invited',
    file: invite,
    from: "resultOf(invitee, 'unknown', 'no answer; may have been invited')",
    to: "resultOf(invitee, 'not sent', 'no answer')",
  },
  {
    name: 'people without an answer count as invited',
    file: invite,
    from: "resultOf(invitee, 'unknown', 'no answer; may have been invited')",
    to: "resultOf(invitee, 'invited')",
  },
  {
    name: 'a role without an answer counts as failed',
    file: changeRoles,
    from: "isAnswered(error) ? 'failed' : 'unknown'",
    to: "'failed'",
  },
  {
    name: 'after Ctrl-C, what was done is not read back',
    file: 'src/client/read-back.ts',
    from: 'if (!commandSignal.aborted) return client;',
    to: 'if (commandSignal.aborted || !commandSignal.aborted) return client;',
  },
  {
    name: 'members sync does not read back',
    file: 'src/commands/members/sync.ts',
    from: '  if (results.isOpen) {',
    to: '  if (results.isOpen && orgId === "") {',
  },
  {
    name: 'addresses in other case are other people',
    file: 'src/client/find-members.ts',
    from: 'export const keyOf = (email: string): string => email.toLowerCase();',
    to: 'export const keyOf = (email: string): string => email;',
  },
  {
    name: 'failed rows do not count in the status',
    file: 'src/commands/shared/result-file.ts',
    from: "const bad = new Set<Outcome>(['refused', 'failed', 'unknown']);",
    to: "const bad = new Set<Outcome>(['failed', 'unknown']);",
  },
];
