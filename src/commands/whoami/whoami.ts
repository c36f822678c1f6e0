import { command } from '../../cli/command/define.ts';
import { users } from '../../contract/users.ts';
import { id } from '../shared/columns.ts';

export default command({
  use: 'whoami',
  endpoint: users.current,
  help: {
    description: 'The user whom the token belongs to. "doctor" shows the role in the organization.',
    examples: [
      { run: 'docsctl whoami', does: 'Who the token belongs to' },
      { run: 'docsctl whoami -o id', does: 'The id alone' },
    ],
    seeAlso: ['doctor', 'auth status', 'members view'],
  },
  output: {
    columns: [{ key: 'displayName', title: 'Name' }, { key: 'email', title: 'E-mail' }, id],
  },
});
