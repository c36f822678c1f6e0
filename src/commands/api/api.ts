import { command } from '../../cli/command/define.ts';
import { flags, use } from './options.ts';

export default command({
  use,
  help: {
    summary: 'Send any request, with the address and the token of the profile.',
    description: `The response is printed unchanged, except that JSON is indented in a terminal; --output, --columns and --jq print it in another form.

The path is below /v1: user, /user and /v1/user are the same. A path that is not part of the API, such as /files/<id>, is sent as given. {org}, {space} and {site} in a path are replaced by the current ones. A full URL must be one of the service: the token is never sent to another one.

Without a method it is POST if there are fields or --input, else GET. With --paginate it is GET.

Fields: a[b]=c sets a nested field, a[]=x appends to a list. With GET, and together with --input, fields are sent in the query.`,
    examples: [
      { run: 'docsctl api user', does: 'GET /v1/user' },
      {
        run: 'docsctl api orgs/{org}/members --paginate --jq "map(.user.email) | length"',
        does: 'All pages of a list as one',
      },
      { run: 'docsctl api POST orgs/{org}/spaces -f title=Pumps -f emoji=🔧', does: 'Create a space' },
      {
        run: `docsctl api PUT orgs/{org}/teams/writers00001/members -F 'add[]=member000100' -F 'memberships[member000003][role]=owner'`,
        does: 'Nested fields and lists',
      },
      { run: 'docsctl api DELETE spaces/quickstart01 --include', does: 'Status and headers too' },
    ],
    exitStatuses: {
      4: 'not allowed (403)',
      5: 'not found (404)',
      6: 'the service refused the request for another reason (4xx)',
    },
    seeAlso: ['help output', 'help exit-codes'],
  },
  input: {
    flags,
    context: ['org', 'space', 'site'],
    suggestions: { method: () => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  },
  writesFilesWith: [],
  run: async (invocation) => (await import('./send.ts')).sendRequest(invocation),
});
