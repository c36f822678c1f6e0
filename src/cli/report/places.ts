import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ReportContext } from './finding.ts';

/** The context of a report of this process. */
export function reportContext(
  env: Record<string, string | undefined>,
  checked: readonly string[],
  directory = process.cwd(),
): ReportContext {
  return { directory, repository: repositoryOf(env, directory), checked };
}

/** The folder of the repository on a build server; elsewhere the working directory. */
function repositoryOf(env: Record<string, string | undefined>, directory: string): string {
  const root = env.GITHUB_ACTIONS === 'true' ? env.GITHUB_WORKSPACE : env.CI_PROJECT_DIR;
  return root ? resolve(root) : directory;
}

/**
 * The name of a file in its repository, with slashes; as it is where it is outside of it. Undefined for an address and
 * for standard input: they are no files.
 */
export function nameInRepository(
  file: string,
  { directory, repository }: Pick<ReportContext, 'directory' | 'repository'>,
): string | undefined {
  if (!isFile(file)) return undefined;
  const name = relative(repository, resolve(directory, file));
  const isInside = name !== '' && !isAbsolute(name) && name.split(sep)[0] !== '..';
  return (isInside ? name : file).split(sep).join('/');
}

export const isFile = (file: string): boolean => file !== '-' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(file);
