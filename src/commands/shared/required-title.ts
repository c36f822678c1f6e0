import { endpointOf } from '../../cli/command/request.ts';
import type { Fields, Invocation } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { Endpoint } from '../../contract/endpoint.ts';

/**
 * The title of an object to be created, asked for in a terminal. The API makes an "Untitled" one without it, which a call
 * by mistake would leave behind. `--data` is taken as it is.
 *
 * @throws UsageError where nobody can be asked
 */
export async function requiredTitle(invocation: Invocation<{}, { title?: string | undefined }>): Promise<Fields> {
  const { flags, io, path } = invocation;
  if (flags.title !== undefined || flags.data !== undefined) return {};
  if (!io.interactive) {
    throw new UsageError('--title is missing.', `For example: docsctl ${path} --title "Pump manual"`);
  }
  const endpoint = endpointOf(invocation);
  const { openPrompt } = await import('../../cli/prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  return { title: await prompt.input({ message: 'Title:', check: (title) => problemOf(endpoint, title) }) };
}

async function problemOf({ body }: Endpoint, title: string): Promise<string | undefined> {
  if (title === '') return 'It needs a title.';
  const { checkValue, validationIssues } = await import('../../contract/validation-issues.ts');
  const result = body && checkValue(body(), { title });
  if (!result || result.success) return undefined;
  const issue = validationIssues('body', result.issues).find(({ path }) => path === '/title');
  return issue && `It ${issue.message}.`;
}
