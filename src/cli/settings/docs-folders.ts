import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Invocation } from '../command/command.ts';
import { scopeOf } from '../command/invocation.ts';
import { UsageError } from '../program/failure.ts';
import type { Docs } from '../../shared/docs.ts';
import { projectPath } from './project-paths.ts';

/** The folder in the arguments, or else the folders in the project file. @throws UsageError if there are none */
export async function docsOf({
  args,
  session,
}: Pick<Invocation<{ folder?: string | undefined }, {}>, 'args' | 'session'>): Promise<Docs[]> {
  if (args.folder !== undefined) return [{ name: args.folder, path: resolve(args.folder) }];
  const project = await session.project();
  if (!project?.content?.length) {
    throw new UsageError(
      '<folder> is missing.',
      'Name a folder of Markdown, or list folders under "content:" in .docsctl.yaml.',
    );
  }
  if (project.root !== undefined) projectPath(project, 'root', project.root);
  return project.content.map(({ path, root, space }, index) => {
    const name = root === undefined ? path : join(path, root);
    const real = projectPath(project, `content[${index}].path`, path);
    return {
      name,
      path: root === undefined ? real : projectPath(project, `content[${index}].root`, name),
      ...(space === undefined ? {} : { space }),
    };
  });
}

/** The space of a folder: from --space, or else from the project file, or else the default. @throws UsageError */
export async function spaceOf(invocation: Invocation<Invocation['args'], {}>, { space }: Docs): Promise<string> {
  const file = (await invocation.session.project())?.file ?? '';
  const own = space === undefined ? undefined : { value: space, origin: 'project' as const, source: file };
  return scopeOf(invocation, 'space', own);
}

/**
 * The only folder in the project file, or the working directory if it has none.
 *
 * @param verb for the error message
 * @throws UsageError if the project file has several
 */
export async function oneFolder(invocation: Pick<Invocation, 'session'>, verb: string): Promise<string> {
  const project = await invocation.session.project();
  if (!project?.content?.length) return '.';
  const docs = await docsOf({ session: invocation.session, args: {} });
  const [first, ...others] = docs;
  if (first && others.length === 0) return first.path;
  throw new UsageError(
    `${project.file} names ${docs.length} folders.`,
    `Name the one to ${verb}: ${docs.map(({ name }) => name).join(', ')}.`,
  );
}

/** The folders in the arguments, or else in the project file, as real paths. @throws UsageError if one is not a folder */
export async function foldersOf(
  invocation: Pick<Invocation<{ folder?: string[] | undefined }, {}>, 'args' | 'session'>,
): Promise<Docs[]> {
  const { folder: words = [] } = invocation.args;
  const folders =
    words.length === 0
      ? await docsOf({ session: invocation.session, args: {} })
      : words.map((name) => ({ name, path: resolve(name) }));
  for (const { name, path } of folders) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) continue;
    const problem = stats ? 'is not a folder' : 'does not exist';
    throw new UsageError(`${name} ${problem}.`, 'Name a folder of Markdown files.');
  }
  // Findings have real paths.
  return folders.map((docs) => ({ ...docs, path: realpathSync(docs.path) }));
}
