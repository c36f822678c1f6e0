import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';

const create = command({
  use: 'create',
  help: {
    summary: 'Copy an organization into a local instance, to try changes on.',
    description: `Reads the organization through its API and writes it as a database on this machine: members, teams, roles, levels, SSO, custom fields, collections, spaces with their content and open change requests, comments, sites, specifications, translations and links, all with the ids that they have in the service. The profile "twin" uses it. Nothing is sent to the service but reads.

A twin that exists is replaced after a question, or with --yes; while the new one is read, the old one stays. What the service does not show is not in the twin: passwords, tokens and other secrets, sent mails, old revisions. The command says what it could not read, with counts. Everybody who can read the file can read the organization: it is readable by you only.`,
    examples: [
      { run: 'docsctl twin create', does: 'A twin of the organization in use' },
      { run: 'docsctl twin create --from local --yes', does: 'Of that of another profile, in place of an older twin' },
    ],
    exitStatuses: {
      [exit.refused]: 'the profile "twin" is for another place, or its file is not a twin',
      [exit.someFailed]: 'the twin is made, and lacks what you may not read',
    },
    seeAlso: ['export', 'profiles use'],
  },
  input: {
    flags: [{ flags: '--from <profile>', description: 'the profile of the organization to copy' }],
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
