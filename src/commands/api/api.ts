import type { Command } from '../../cli/command/command.ts';

const several = (text: string, before: string[] = []) => [...before, text];

const command: Command = {
  use: 'api [method] <path>',
  help: {
    summary: 'Send any request, with the address and the token of the profile.',
    description: `Paths are below /v1: user, /user and /v1/user are one; {org}, {space} and {site} in them stand for those of the context. What is no path of the API stays as it is, as /files/<id> does. A whole address must be one of the service: the token is sent nowhere else.

GET where no method is given, POST where there are fields or an input and no --paginate. The answer is printed as it came, unless --output, --columns or --jq say otherwise.

Fields: a[b]=c nests, a[]=x appends to a list. With GET, and beside --input, they go into the query.`,
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
    exitStatuses: { 4: 'not allowed (403)', 5: 'not found (404)', 6: 'any other refusal of the service (4xx)' },
    seeAlso: ['help output', 'help exit-codes'],
  },
  input: {
    flags: [
      {
        flags: '-f, --field <key=value>',
        description: 'a field whose value is text as it stands (repeatable)',
        with: (option) => option.argParser(several),
      },
      {
        flags: '-F, --typed <key=value>',
        description: 'a field whose value is true, false, null, a number, JSON, or @file (repeatable)',
        takesFile: true,
        with: (option) => option.argParser(several),
      },
      { flags: '--input <file>', description: 'send this file as the body; - is standard input' },
      {
        flags: '-H <name:value>',
        description: 'a header (repeatable)',
        with: (option) => option.argParser(several),
      },
      { flags: '--paginate', description: 'follow all pages of a list, and print their items as one list' },
      {
        flags: '-i, --include',
        description: 'print status and headers before the answer, with the token hidden in all of it',
      },
    ],
    context: ['org', 'space', 'site'],
    suggestions: { method: () => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  },
  run: async (invocation) => (await import('./request.ts')).request(invocation),
};
export default command;
