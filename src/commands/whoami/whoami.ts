import { command } from '../../cli/command/define.ts';
import { users } from '../../contract/users.ts';
import { id } from '../shared/columns.ts';

export default command({
  use: 'whoami',
  prints: async () => (await import('../shared/printed.ts')).caller,
  endpoint: users.current,
  summary: 'Show who you are signed in as.',
  description:
    'Shows the user that the token belongs to, the role and the permissions in the organization, and the profile. Without a default organization, shows them if you belong to one only. With -o id, asks for nothing but the user.',
  examples: {
    'Show who you are signed in as': 'docsctl whoami',
    'Print the ID only': 'docsctl whoami -o id',
    'Check the role in a script': 'docsctl whoami --jq .role',
  },
  seeAlso: ['doctor', 'auth status', 'members view'],
  input: { context: ['org'] },
  output: {
    columns: [
      { key: 'displayName', title: 'Name' },
      { key: 'email', title: 'Email' },
      id,
      { key: 'role' },
      { key: 'organization.title', title: 'Organization' },
      { key: 'permissions', title: 'May', kind: 'list' },
      { key: 'profile' },
      { key: 'url', title: 'Service' },
    ],
  },
  run: async (invocation) => (await import('./run-whoami.ts')).runWhoami(invocation),
});
