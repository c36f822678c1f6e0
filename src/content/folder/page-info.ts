import { type FrontMatterProblem, readFrontMatter } from '../markdown/front-matter.ts';
import { conflictLine } from '../../shared/conflict-marks.ts';
import { scalar, titleOf } from '../markdown/markdown.ts';

export interface PageMeta {
  emoji?: string;
  icon?: string;
  description?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
}

export const metaMembers = ['emoji', 'icon', 'description', 'hidden', 'noIndex', 'noRobotsIndex'] as const;

export interface PageInfo extends PageMeta {
  title?: string;
  /** Why the front matter cannot be parsed. */
  problem?: FrontMatterProblem;
  /** The line of the first merge conflict. */
  conflict?: number;
}

export function readInfo(text: string): PageInfo {
  const { data, problem } = readFrontMatter(text);
  const info: PageInfo = {};
  const title = titleOf(text);
  if (title !== undefined) info.title = title;
  for (const member of ['emoji', 'icon', 'description'] as const) {
    const value = scalar(data[member]);
    if (value !== undefined) info[member] = value;
  }
  for (const member of ['hidden', 'noIndex', 'noRobotsIndex'] as const) if (data[member] === true) info[member] = true;
  if (problem) info.problem = problem;
  const conflict = conflictLine(text, { isMarkdown: true });
  if (conflict !== undefined) info.conflict = conflict;
  return info;
}
