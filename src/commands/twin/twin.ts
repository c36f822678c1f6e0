import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';

const create = command({
  use: 'create',
  summary: 'Copy an organization into a local instance to try changes on it.',
  description:
    'Reads the organization through its API and writes a database on this machine, with the same IDs, for the profile "twin". The service receives only reads. An existing twin is replaced after a confirmation, once the new one is complete. Passwords, tokens and other secrets, sent emails and old revisions are not copied; the command reports what it could not read. Only you can read the file.',
  examples: {
    'Copy the current organization': 'docsctl twin create',
    'Copy the organization of another profile, replacing an older twin': 'docsctl twin create --from local --yes',
  },
  exitStatuses: {
    [exit.refused]: 'the profile "twin" has another address, or its file is not a twin',
    [exit.someFailed]: 'the twin lacks what you may not read',
  },
  docs: 'docs/twin.md',
  seeAlso: ['export', 'profiles use'],
  flags: [{ flags: '--from <profile>', description: 'profile of the organization to copy' }],
  input: {
    context: ['org'],
  },
  output: {
    columns: [
      { key: 'profile' },
      { key: 'database' },
      { key: 'organization' },
      { key: 'members', kind: 'number' },
      { key: 'teams', kind: 'number' },
      { key: 'collections', kind: 'number' },
      { key: 'spaces', kind: 'number' },
      { key: 'sites', kind: 'number' },
      { key: 'refused', title: 'Not readable', kind: 'number' },
    ],
    idKey: 'profile',
  },
  run: async (invocation) => (await import('./run-create.ts')).runCreate(invocation),
});

export default [create];
