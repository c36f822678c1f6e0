import { findIn } from './paged-choices.ts';
import type { Choice, Prompt } from './prompt.ts';

/** Lets a person pick one of a list, or none: that is the first choice. @param none what it means to pick none */
export async function pickOptional(
  prompt: Prompt,
  message: string,
  none: string,
  pages: AsyncIterator<Choice<string>[]>,
): Promise<Choice<string> | undefined> {
  const byValue = new Map<string, Choice<string>>();
  const find = findIn(() => pages, { serviceFilters: false });
  const value = await prompt.pick({
    message,
    find: async (term, count) => {
      const { choices, complete } = await find(term, count);
      for (const choice of choices) byValue.set(choice.value, choice);
      return { choices: term === '' ? [{ value: '', title: 'none', note: none }, ...choices] : choices, complete };
    },
  });
  return byValue.get(value);
}
