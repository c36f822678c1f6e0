import { command } from '../../cli/command/define.ts';
import { flags, use } from './options.ts';

export default command({
  use,
  changes: ['service'],
  prints: 'anything',
  summary: 'Send any request with the address and token of the profile.',
  description: `Prints the response unchanged, except that JSON is indented in a terminal; --output, --columns and --jq change the format.

Paths are relative to /v1: user, /user and /v1/user are the same. Paths outside the API, such as /files/<id>, are sent unchanged. {org}, {space} and {site} are replaced with the current ones. A full URL must belong to the service, so that the token is never sent elsewhere.

The default method is POST with fields or --input, and otherwise GET; with --paginate it is GET. a[b]=c sets a nested field and a[]=x appends to a list. With GET or --input, fields are sent in the query.`,
  examples: {
    'GET /v1/user': 'docsctl api user',
    'Fetch all pages of a list': 'docsctl api orgs/{org}/members --paginate --jq "map(.user.email) | length"',
    'Create a space': 'docsctl api POST orgs/{org}/spaces -f title=Pumps -f emoji=🔧',
    'Set nested fields and lists': `docsctl api PUT orgs/{org}/teams/writers00001/members -F 'add[]=member000100' -F 'memberships[member000003][role]=owner'`,
    'Print status and headers, too': 'docsctl api DELETE spaces/quickstart01 --include',
  },
  exitStatuses: {
    4: 'not allowed (403)',
    5: 'not found (404)',
    6: 'the service refused the request for another reason (4xx)',
  },
  seeAlso: ['help output', 'help exit-codes'],
  flags,
  input: {
    context: ['org', 'space', 'site'],
    suggestions: { method: () => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  },
  writesFilesWith: [],
  run: async (invocation) => (await import('./send.ts')).sendRequest(invocation),
});
