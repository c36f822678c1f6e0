import type { Command } from '../cli/tree.ts';
import { users } from '../contract/users.ts';
import { id } from './columns.ts';

const command: Command = {
  use: 'whoami',
  endpoint: users.current,
  columns: [{ key: 'displayName', title: 'Name' }, { key: 'email', title: 'E-mail' }, id],
  examples: [{ run: 'docsctl whoami', does: 'Who the token belongs to' }],
};
export default command;
