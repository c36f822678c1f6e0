import { command } from '../../cli/command/define.ts';
import { users } from '../../contract/users.ts';
import { id } from '../shared/columns.ts';

export default command({
  use: 'whoami',
  endpoint: users.current,
  description: 'Shows the user that the token belongs to. Use "doctor" to see the role in the organization.',
  examples: {
    'Show who you are signed in as': 'docsctl whoami',
    'Print the ID only': 'docsctl whoami -o id',
  },
  seeAlso: ['doctor', 'auth status', 'members view'],
  output: { columns: [{ key: 'displayName', title: 'Name' }, { key: 'email', title: 'Email' }, id] },
});
