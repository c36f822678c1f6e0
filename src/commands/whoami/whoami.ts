import type { Command } from '../../cli/command/command.ts';
import { users } from '../../contract/users.ts';
import { id } from '../shared/columns.ts';

const command: Command = {
  use: 'whoami',
  endpoint: users.current,
  help: {
    description: 'The user whose token is used. Which role that gives in the organization is told by "doctor".',
    examples: [
      { run: 'docsctl whoami', does: 'Who the token belongs to' },
      { run: 'docsctl whoami -o id', does: 'The id alone' },
    ],
    seeAlso: ['doctor', 'auth status', 'members view'],
  },
  output: {
    columns: [{ key: 'displayName', title: 'Name' }, { key: 'email', title: 'E-mail' }, id],
  },
};
export default command;
