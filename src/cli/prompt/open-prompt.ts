import type { Io } from '../program/io.ts';
import type { Prompt } from './prompt.ts';

/**
 * Lists that redraw themselves if the terminal can, numbered questions elsewhere: with TERM=dumb, and with
 * DOCSCTL_PROMPTS=plain, which people with a screen reader set.
 */
export async function openPrompt(
  { io, signal }: { io: Io; signal: AbortSignal },
  env: Record<string, string | undefined> = process.env,
): Promise<Prompt> {
  // What was printed is read first, and a pager has the keyboard until its end.
  await io.end();
  if (env.TERM === 'dumb' || env.DOCSCTL_PROMPTS === 'plain') {
    const { linePrompt } = await import('./line.ts');
    return linePrompt(io, signal);
  }
  const { interactivePrompt } = await import('./interactive.ts');
  return interactivePrompt(io, signal);
}
