import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { cacheDir } from '../../cli/settings/paths.ts';
import { pageRules, type PageRule } from '../../content/blocks/page-rules.ts';
import { CheckCache } from '../../site/folder/check-cache.ts';
import { type FolderCheck, folderRules } from '../../site/folder/check-folder.ts';
import { checkFolderAt } from '../../site/folder/check-threads.ts';
import type { FolderProblem } from '../../site/folder/problem.ts';
import { externalProblems, externalRules } from '../../site/service/external-links.ts';
import { SiteFolder } from '../../site/folder/site-folder.ts';
import { type CheckFinding, type CheckFlags, reportCheck } from '../../cli/report/check-report.ts';
import { refuseTwoFormats } from '../../cli/report/findings.ts';
import { conflictRule, unmergedMessage } from '../../shared/conflict-marks.ts';
import { unmergedFiles } from '../../shared/git.ts';
import { readable, unreadable } from '../shared/readable-folder.ts';
import type { Docs } from '../../sync/local-folder.ts';
import { docsOf } from '../../cli/settings/docs-folders.ts';

type CheckInvocation = Invocation<
  { folder?: string | undefined },
  CheckFlags & { external?: boolean | undefined; denyBlocks?: boolean | undefined }
>;

/** Checks each folder. The findings are the result. */
export async function checkFolders(invocation: CheckInvocation): Promise<void> {
  refuseTwoFormats(invocation);
  const all: CheckFinding[] = [];
  let pages = 0;
  const checked: string[] = [];
  for (const docs of await docsOf(invocation)) {
    const result = await checkOne(invocation, docs);
    all.push(...result.findings);
    pages += result.files.length;
    for (const file of result.files) checked.push(nameOf(docs, file));
  }
  const rules = new Set([...Object.keys(pageRules), ...Object.keys(folderRules), ...externalRules]);
  const hint = '"docsctl preview" shows them in the pages. Accept them with --ignore or --write-baseline.';
  await reportCheck(invocation, { findings: all, names: checked, pages, rules, hint });
}

interface CheckedFolder {
  findings: CheckFinding[];
  /** Of pages, from the folder. */
  files: string[];
}

/** @throws UsageError if the folder cannot be read */
async function checkOne(invocation: CheckInvocation, docs: Docs): Promise<CheckedFolder> {
  const { flags, signal, session } = invocation;
  const { name, path } = docs;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) {
    throw new UsageError(
      `${name} ${stats ? 'is not a folder' : 'does not exist'}.`,
      'Name a folder of Markdown files.',
    );
  }
  const optionalRules: PageRule[] = ['other-markdown', ...(flags.denyBlocks ? (['integration-block'] as const) : [])];
  const cacheFolder = cacheDir(session.env);
  const check = ['content', ...optionalRules];
  const cache = flags.external
    ? undefined
    : readable(name, () => new CheckCache<Pick<FolderCheck, 'problems' | 'files'>>([path], check, cacheFolder));
  const before = cache?.get();
  if (before) {
    const all = [...before.problems, ...(await unmergedProblems(path, before.problems))];
    return { ...before, findings: all.map((problem) => findingOf(docs, problem)) };
  }
  const { problems, files, external } = await checkFolderAt({ path, signal, optionalRules }).catch((error) => {
    throw unreadable(name, error);
  });
  if (files.length === 0) throw new UsageError(`${name} contains no pages.`, 'Pages are .md files.');
  await cache?.set({ problems, files });
  const links =
    flags.external === true ? await externalProblems({ cacheFolder, signal }, new SiteFolder(path), external) : [];
  const unmerged = await unmergedProblems(path, problems);
  return { findings: [...problems, ...links, ...unmerged].map((problem) => findingOf(docs, problem)), files };
}

/** Git's index is not part of the cached result. */
async function unmergedProblems(path: string, problems: readonly FolderProblem[]): Promise<FolderProblem[]> {
  const marked = new Set(problems.flatMap(({ file, rule }) => (rule === conflictRule ? [file] : [])));
  const { files, problem } = await unmergedFiles(path);
  return [
    ...(problem === undefined ? [] : [{ file: '', rule: conflictRule, level: 'warning', message: problem } as const]),
    ...files
      .filter((file) => !marked.has(file))
      .map((file) => ({ file, rule: conflictRule, level: 'error', message: unmergedMessage }) as const),
  ];
}

const nameOf = ({ path }: Docs, file: string): string => relative(process.cwd(), join(resolve(path), file)) || '.';

function findingOf(docs: Docs, { file, ...problem }: FolderProblem): CheckFinding {
  return { ...problem, file: nameOf(docs, file), path: file };
}
