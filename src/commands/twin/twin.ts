import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/failure.ts';

const create = command({
  use: 'create',
  changes: ['files', 'settings'],
  prints: async () => (await import('../shared/printed-local.ts')).twin,
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

const columns: Column[] = [
  { key: 'profile' },
  { key: 'title', title: 'Organization' },
  { key: 'url', title: 'Copied from' },
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'size', title: 'Bytes', kind: 'number' },
  { key: 'database', optional: true },
];

const list = command({
  use: 'list',
  changes: [],
  prints: async () => (await import('../shared/printed-local.ts')).twins,
  summary: 'List the twins on this machine.',
  description:
    'Lists the file of "twin create" and the databases of profiles that are twins: the organization, where and when it was copied, and the size. The profile is empty if none uses the file.',
  examples: {
    'See how old the twin is': 'docsctl twin list',
    'Print the files only': 'docsctl twin list --columns database',
  },
  docs: 'docs/twin.md',
  seeAlso: ['twin create', 'twin remove'],
  output: { list: true, fields: ['organization'], columns, idKey: 'profile' },
  run: async (invocation) => (await import('./run-list.ts')).runList(invocation),
});

const remove = command({
  use: 'remove [twin]',
  changes: ['files', 'settings'],
  prints: 'nothing',
  summary: 'Delete a twin and its profile.',
  description:
    'Deletes the database of the twin and the profiles that use it, after a confirmation. The organization that it was copied from is not changed. A file that is not a twin is never deleted.',
  examples: {
    'Delete the twin': 'docsctl twin remove',
    'Delete it without a question': 'docsctl twin remove --yes',
  },
  exitStatuses: { [exit.notFound]: 'there is no such twin', [exit.refused]: 'the file or profile is not a twin' },
  docs: 'docs/twin.md',
  seeAlso: ['twin list', 'profiles delete'],
  input: { texts: { twin: 'profile or database file of the twin (default: the profile "twin")' } },
  run: async (invocation) => (await import('./run-remove.ts')).runRemove(invocation),
});

export default [create, list, remove];
