import { relative } from 'node:path';
import { UsageError } from '../../cli/program/failure.ts';
import type { Project } from '../../cli/settings/project.ts';
import { isAddress } from '../../openapi/find-descriptions.ts';
import { projectPath } from '../../cli/settings/project-paths.ts';
import { expandSources } from '../../openapi/find-descriptions.ts';

export interface Source {
  source: string;
  slug?: string;
}

/** The paths under `openapi:` in the project file, as they are there but relative to the working directory. */
export function projectWords(project: Project | undefined): Source[] {
  return (project?.openapi ?? []).map(({ path, slug }, index) => ({
    source:
      project === undefined || isAddress(path)
        ? path
        : relative(process.cwd(), projectPath(project, `openapi[${index}].path`, path)) || '.',
    ...(slug === undefined ? {} : { slug }),
  }));
}

/**
 * The descriptions of the project file. A path may be a folder or a pattern.
 *
 * @throws UsageError if there are none, or if several would share a slug
 */
export function projectSources(project: Project | undefined, argument: string): Source[] {
  const words = projectWords(project);
  if (words.length === 0) {
    throw new UsageError(
      `<${argument}> is missing.`,
      'Name a file, a folder, a pattern, an address or -, or list the sources under "openapi:" in .docsctl.yaml.',
    );
  }
  return words.flatMap(({ source, slug }) => {
    const sources = expandSources([source]);
    if (slug !== undefined && sources.length > 1)
      throw new UsageError(`"${source}" in .docsctl.yaml contains several descriptions, but has one slug.`);
    return sources.map((each) => ({ source: each, ...(slug === undefined ? {} : { slug }) }));
  });
}
