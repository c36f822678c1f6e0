import { exit, exitMeanings } from '../../src/cli/program/failure.ts';
import { errorCodes, type ErrorHelp } from '../../src/shared/error-codes.ts';

const introduction = `# Errors

docsctl prints errors on standard error. With \`-o json\`, each is one JSON object:

\`\`\`json
{
  "error": {
    "code": "no-token",
    "message": "There is no token for https://docs.example.",
    "hint": "Sign in with \\"docsctl auth login --profile work\\".",
    "docs": "docs/errors.md#no-token"
  }
}
\`\`\`

| member | meaning |
|---|---|
| \`code\` | one of the codes below; it never changes its meaning |
| \`message\` | what failed; for people, may change |
| \`hint\` | what to do next; for people, may change |
| \`docs\` | the section of this page |
| \`status\`, \`reason\` | HTTP status and reason, if the service responded |
| \`details\` | the invalid values of a request: \`in\`, \`path\`, \`rule\` and \`message\` of each |
| \`requestId\` | ID of the request, for the operator of the service |
| \`item\` | the item that failed, if a command works on several; each has an error of its own |

Errors that occur before the first request, such as an unknown option, have the same form. New codes may be added to an exit
status, so a script should treat an unknown code like others with the same exit status.

\`docsctl help errors CODE\` prints the section of a code.
`;

/** `docs/errors.md`: every code with its cause and its remedy, by exit status. */
export function errorsPage(): string {
  const meanings = new Map(exitMeanings);
  const sections = Object.entries(errorCodes).map(([name, codes]) => {
    const status = exit[name as keyof typeof errorCodes];
    const statuses = name === 'interrupted' ? `${status} and ${exit.terminated}` : String(status);
    return `## Exit status ${statuses}: ${meanings.get(status)}\n\n${Object.entries(codes)
      .map(([code, help]) => section(code, help))
      .join('\n')}`;
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const section = (code: string, { cause, remedy }: ErrorHelp) => `### ${code}\n\n${cause} ${remedy}\n`;
