import type { Invocation } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/program/failure.ts';

/** Asks for a profile. @throws UsageError if there is no terminal or no profile */
export async function chooseProfile(invocation: Invocation): Promise<string> {
  const { io, path, session } = invocation;
  const profiles = Object.entries(session.config.profiles);
  if (!io.interactive || profiles.length === 0)
    throw new UsageError('<name> is missing.', `See "docsctl ${path} --help".`);
  const { openPrompt } = await import('../../cli/prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  return prompt.select({
    message: 'Which profile?',
    choices: profiles.map(([name, { url }]) => ({ value: name, title: name, note: url })),
    start: session.config.current,
  });
}
