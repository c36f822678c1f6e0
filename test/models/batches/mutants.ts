import type { Mutant } from '../model.ts';

const invite = 'src/commands/invites/invite.ts';
const changeRoles = 'src/commands/shared/change-roles.ts';
const rows = 'src/cli/command/batch/rows.ts';

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
  {
    name: 'after Ctrl-C, people who were changed count as not tried',
    file: 'src/client/retry.ts',
    from: 'throw mayBeDone && error instanceof NotSent ? error.cause : error;',
    to: 'throw notSent(error);',
  },
  {
    name: 'after Ctrl-C, people who were removed count as not tried',
    file: rows,
    from: "if (!(error instanceof CommandError) && !isAnswered(error)) return 'unknown';",
    to: "if (!(error instanceof CommandError) && !isAnswered(error)) return 'not tried';",
  },
  {
    name: 'a wrong row ends a list on standard input, also with --keep-going',
    file: rows,
    from: 'if (!(error instanceof UsageError) && !(await this.#isUnknown(row, error))) throw error;',
    to: 'throw error;',
  },
  {
    name: 'somebody who is no member ends a list on standard input with JSON',
    file: 'src/cli/command/batch/outcome.ts',
    from: 'results.push({ id: idOf(call), result: state });',
    to: 'results.push({ ...(await resultOf(invocation, call)), result: state });',
  },
];
