import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';

export default command({
  use: 'rehearse [words...]',
  help: {
    summary: 'Try a plan or a command on a copy of the organization, and show what it does.',
    description: `Copies the organization into a local instance as "docsctl twin create" does, applies the plan or runs the command there under the rules of the service, and shows each request with its answer, what is different afterwards, who gains or loses access to which space, and which links break. The copy is removed at the end. The service itself gets nothing but reads.

The file of "docsctl plan --out" stands alone; a command stands after --, without "docsctl" or with it. Questions of the command are answered with yes. Commands that write files or settings on this machine cannot be rehearsed.

With --then-apply the same is done in the service after a question, or with --yes, if all went well. What a copy does not have, such as old revisions, is not rehearsed: "docsctl twin create" lists it.`,
    examples: [
      {
        run: 'docsctl rehearse -- members edit member000002 --role read',
        does: 'What a member loses with another role',
      },
      { run: 'docsctl rehearse -- spaces delete handbook0001', does: 'Which links a deleted space breaks' },
      {
        run: 'docsctl plan ./organization --out plan.json && docsctl rehearse plan.json',
        does: 'Whether all of a plan will be accepted',
      },
    ],
    exitStatuses: {
      [exit.forbidden]: 'you may not make a change, as in the service',
      [exit.refused]: 'the rules refuse a change',
      [exit.someFailed]: 'some changes were made on the copy and others were refused',
    },
    seeAlso: ['twin create', 'plan', 'apply'],
  },
  input: {
    flags: [
      { flags: '--twin', description: 'on a copy of the twin that is there, instead of reading the organization' },
      { flags: '--then-apply', description: 'afterwards do the same in the service, if all went well' },
      { flags: '--keep-going', description: 'with a plan: go on after a failed request, as apply does' },
      {
        flags: '--max-removals <share>',
        description: 'with a plan: how much of each kind may be removed, as for apply',
      },
      { flags: '--without-self', description: 'with a plan: as for apply' },
    ],
    context: ['org'],
    texts: { words: 'the file of a plan; or a command, after --' },
  },
  run: async (invocation) => (await import('./run-rehearse.ts')).runRehearse(invocation),
});
