import { findIn } from './paged-choices.ts';
import type { Choice, Prompt } from './prompt.ts';

/** One of a list, or none: that is the first choice. @param none what it means to choose none */
export async function pickOptional(
  prompt: Prompt,
  message: string,
  none: string,
  pages: AsyncIterator<Choice<string>[]>,
): Promise<Choice<string> | undefined> {
  const seen = new Map<string, Choice<string>>();
  const find = findIn(() => pages, { serviceFilters: false });
  const value = await prompt.pick({
    message,
    find: async (term, count) => {
      const found = await find(term, count);
      for (const choice of found.choices) seen.set(choice.value, choice);
      return term === '' ? { ...found, choices: [{ value: '', title: 'none', note: none }, ...found.choices] } : found;
    },
  });
  return seen.get(value);
}
