import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';

export default command({
  use: 'rehearse [words...]',
  changes: ['service'],
  prints: async () => (await import('../shared/printed-local.ts')).rehearsal,
  summary: 'Try a plan or a command on a copy of the organization.',
  description:
    'Copies the organization into a local instance, applies the plan or runs the command there, and shows each request with its response, what is different afterwards, who gains or loses access, and which links break. The service receives only reads, and the copy is deleted afterwards. Put a command after --; its questions are answered with yes. With --then-apply, the same is done on the service if everything succeeded.',
  examples: {
    'See what a member loses with another role': 'docsctl rehearse -- members edit member000002 --role read',
    'See which links break if a space is deleted': 'docsctl rehearse -- spaces delete handbook0001',
    'Check whether a whole plan would be accepted':
      'docsctl plan ./organization --out plan.json && docsctl rehearse plan.json',
  },
  exitStatuses: {
    [exit.forbidden]: 'you may not make a change',
    [exit.refused]: 'the service would refuse a change',
    [exit.someFailed]: 'some changes were made on the copy and others were refused',
  },
  docs: 'docs/twin.md',
  seeAlso: ['twin create', 'plan', 'apply'],
  flags: [
    { flags: '--twin', description: 'use a copy of the existing twin instead of reading the organization' },
    { flags: '--then-apply', description: 'then make the same changes on the service, if everything succeeded' },
    { flags: '--keep-going', description: 'with a plan: continue after a failed request, as with apply' },
    {
      flags: '--max-removals <share>',
      description: 'with a plan: how much of each kind may be removed, as with apply',
    },
    { flags: '--without-self', description: 'with a plan: as with apply' },
  ],
  input: {
    context: ['org'],
    texts: { words: 'file of a plan; or a command after --' },
  },
  run: async (invocation) => (await import('./run-rehearse.ts')).runRehearse(invocation),
});
