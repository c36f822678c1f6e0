import { readFrontMatter } from '../markdown/front-matter.ts';

/** Whether a file of a content has the variables of the space. */
export const isVariables = (name: string): boolean => /^(?:\.gitbook\/)?vars\.ya?ml$/.test(name);

/** What expressions read as `space.vars` and `page.vars`. @param yaml the file with the variables of the space */
export function readVariables(markdown: string, yaml = ''): { space: unknown; page: unknown } {
  // The file is written like front matter.
  const space = readFrontMatter(`---\n${yaml}\n---\n`).data;
  return { space, page: readFrontMatter(markdown).data['vars'] ?? {} };
}
