import type { Command } from '../cli/tree.ts';
import { users } from '../contract/users.ts';
import { id } from './columns.ts';

const command: Command = {
  use: 'whoami',
  endpoint: users.current,
  columns: [{ key: 'displayName', title: 'Name' }, { key: 'email', title: 'E-mail' }, id],
  description: 'The user whose token is used. Which role that gives in the organization is told by "doctor".',
  examples: [
    { run: 'docsctl whoami', does: 'Who the token belongs to' },
    { run: 'docsctl whoami -o id', does: 'The id alone' },
  ],
  see: ['doctor', 'auth status', 'members view'],
};
export default command;
