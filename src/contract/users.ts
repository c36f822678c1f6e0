import { User } from './common.ts';
import { endpoints } from './endpoint.ts';

export const users = endpoints('users', {
  current: {
    route: 'GET /v1/user',
    summary: 'Show the user you are signed in as.',
    access: 'token',
    response: User,
  },
  view: {
    route: 'GET /v1/users/{userId}',
    summary: 'Show a user in one of your organizations.',
    access: 'token',
    response: User,
  },
});
