import { isAbsolute, relative, resolve, sep } from 'node:path';

/** From the most severe to the least. `breaking` is a change, the others may be anything that was found. */
const levels = ['breaking', 'error', 'warning', 'info'] as const;
export type Level = (typeof levels)[number];

/** A place in a file. */
export interface ReportPlace {
  /** Relative to the working directory, an address, or `-` for standard input. */
  file: string;
  /** From 1, as is the column. */
  line?: number | undefined;
  column?: number | undefined;
}

/** What a check found, as all formats of a report show it. Further fields are in JSON only. */
export interface ReportFinding {
  level: Level;
  /** Name of the rule. */
  rule: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  /** What it is about if it is not in a file, such as the path of a page. */
  subject?: string | undefined;
  /** JSON Pointer to the value in the file: a baseline knows the finding by it when lines move. */
  pointer?: string | undefined;
  /** Other places that it is about, such as the same operation in the earlier version. */
  related?: readonly (ReportPlace & { message: string })[] | undefined;
  /** Address of a page about the rule. */
  help?: string | undefined;
}

/** Where files are. */
export interface Directories {
  /** The working directory: files of findings are relative to it. */
  directory: string;
  /** The folder of the repository: build servers name files relative to it. */
  repository: string;
}

/** The parts of a report besides its findings. */
export interface ReportContext extends Directories {
  /** Everything that was checked, also what nothing was found in. */
  checked: readonly string[];
}

/** A finding as one line: `file:line:column level message (rule)`. */
export function formatFinding(finding: ReportFinding): string {
  const { level, message, rule } = finding;
  const place = placeOf(finding);
  return `${place === '' ? '' : `${place} `}${level} ${message} (${rule})`;
}

/** `file:line:column`, as far as they are known. */
export const placeOf = ({ file, subject, line, column }: ReportFinding): string =>
  [file ?? subject, line, column].filter((part) => part !== undefined).join(':');

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
 * The name of a file in its repository, with slashes; as it is if it is outside of it. Undefined for an address and
 * for standard input: they are no files.
 */
export function nameInRepository(file: string, { directory, repository }: Directories): string | undefined {
  if (!isFile(file)) return undefined;
  const name = relative(repository, resolve(directory, file));
  const isInside = name !== '' && !isAbsolute(name) && name.split(sep)[0] !== '..';
  return (isInside ? name : file).split(sep).join('/');
}

export const isFile = (file: string): boolean => file !== '-' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(file);
