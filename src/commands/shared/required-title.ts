import { endpointOf } from '../../cli/command/request.ts';
import type { Fields, Invocation } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { Endpoint } from '../../contract/endpoint.ts';

/**
 * Asks for the title of a new object. Without a title, the API would create an "Untitled" one, for example by mistake.
 *
 * @throws UsageError if there is no terminal
 */
export async function requiredTitle(invocation: Invocation<{}, { title?: string | undefined }>): Promise<Fields> {
  const { flags, io, path } = invocation;
  if (flags.title !== undefined || flags.data !== undefined) return {};
  if (!io.interactive)
    throw new UsageError('--title is missing.', `For example: docsctl ${path} --title "Pump manual"`);
  const endpoint = endpointOf(invocation);
  const { openPrompt } = await import('../../cli/prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  return { title: await prompt.input({ message: 'Title:', check: (title) => problemOf(endpoint, title) }) };
}

async function problemOf({ body }: Endpoint, title: string): Promise<string | undefined> {
  if (title === '') return 'Enter a title.';
  const { checkValue, validationIssues } = await import('../../contract/validation-issues.ts');
  const result = body && checkValue(body(), { title });
  if (!result || result.success) return undefined;
  const issue = validationIssues('body', result.issues).find(({ path }) => path === '/title');
  return issue && `It ${issue.message}.`;
}
