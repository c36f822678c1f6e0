import { readFrontMatter } from '../markdown/front-matter.ts';

/** Whether a file contains the variables of the space. */
export const isVariables = (name: string): boolean => /^(?:\.gitbook\/)?vars\.ya?ml$/.test(name);

/** The values of `space.vars` and `page.vars` in expressions. @param yaml the file with the variables of the space */
export function readVariables(markdown: string, yaml = ''): { space: unknown; page: unknown } {
  // The file has the format of front matter.
  const space = readFrontMatter(`---\n${yaml}\n---\n`).data;
  return { space, page: readFrontMatter(markdown).data['vars'] ?? {} };
}
