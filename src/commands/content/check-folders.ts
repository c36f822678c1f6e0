import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { cacheDir } from '../../cli/settings/paths.ts';
import type { ReportFinding } from '../../cli/report/finding.ts';
import { IgnoreFile, matchesPattern } from '../../cli/report/ignore.ts';
import type { ReportFormat } from '../../cli/report/report.ts';
import { pageRules, type PageRule } from '../../content/blocks/page-rules.ts';
import { CheckCache } from '../../site/folder/check-cache.ts';
import { checkFolder, folderRules } from '../../site/folder/check-folder.ts';
import type { FolderProblem } from '../../site/folder/problem.ts';
import { externalProblems, externalRules } from '../../site/service/external-links.ts';
import { SiteFolder } from '../../site/folder/site-folder.ts';
import {
  acceptFindings,
  type BaselineFlags,
  count,
  countLevels,
  type FailOn,
  isSevere,
  printFindings,
  refuseTwoFormats,
  summaryOf,
} from '../shared/findings.ts';
import { readable, unreadable } from '../shared/readable-folder.ts';
import type { Docs } from '../../sync/local-folder.ts';
import { docsOf } from '../shared/docs-folders.ts';

type CheckInvocation = Invocation<
  { folder?: string | undefined },
  BaselineFlags & {
    failOn?: FailOn | undefined;
    format?: ReportFormat | undefined;
    ignore?: string | undefined;
    external?: boolean | undefined;
    denyBlocks?: boolean | undefined;
    ci?: boolean | undefined;
  }
>;

/** A finding with the path of its file in the folder, which an ignore file names it by. */
interface Finding extends ReportFinding {
  file: string;
  path: string;
}

/** Checks each folder. The findings are the result. */
export async function checkFolders(invocation: CheckInvocation): Promise<void> {
  const { io, flags, session } = invocation;
  const { failOn = 'error' } = flags;
  refuseTwoFormats(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const all: Finding[] = [];
  let pages = 0;
  const checked: string[] = [];
  for (const docs of await docsOf(invocation)) {
    const result = await checkOne(invocation, docs);
    all.push(...result.findings);
    pages += result.files.length;
    for (const file of result.files) checked.push(nameOf(docs, file));
  }
  const { findings, accepted } = await acceptFindings(invocation, await withoutIgnored(invocation, all));
  const shown = findings.map(withoutPath);
  const rows = shown.map(({ file, line, column, level, message, rule }) => ({
    file,
    line,
    column,
    level,
    message,
    rule,
  }));
  await printFindings(invocation, shown, checked, rows);
  // The report itself has the annotations.
  if (flags.format !== 'github') await server.annotate(findings);
  server.summary(summaryOf(count(pages, 'page'), findings));
  const severe = findings.filter((finding) => isSevere(finding, failOn)).length;
  if (severe > 0) {
    throw new CommandError(`${count(severe, 'finding')} in ${count(pages, 'page')}.`, {
      exitCode: exit.checkFailed,
      hint: '"docsctl preview" shows them in the pages. Accept them with --ignore or --write-baseline.',
    });
  }
  const rest = [
    ...(findings.length > 0 ? [countLevels(findings)] : []),
    ...(accepted > 0 ? [`${count(accepted, 'finding')} accepted by the baseline`] : []),
  ];
  await io.note(`${count(pages, 'page')} checked: ${rest.join(', ') || 'nothing is wrong'}.`);
}

interface CheckedFolder {
  findings: Finding[];
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
  const cache = flags.external ? undefined : readable(name, () => new CheckCache(path, optionalRules, cacheFolder));
  const before = cache?.get();
  if (before) return { ...before, findings: before.problems.map((problem) => findingOf(docs, problem)) };
  const site = readable(name, () => new SiteFolder(path));
  const onPage = () => signal.throwIfAborted();
  const { problems, files, external } = await checkFolder(site, { onPage, optionalRules }).catch((error) => {
    throw unreadable(name, error);
  });
  if (files.length === 0) throw new UsageError(`${name} contains no pages.`, 'Pages are .md files.');
  await cache?.set({ problems, files });
  const links = flags.external === true ? await externalProblems({ cacheFolder, signal }, site, external) : [];
  return { findings: [...problems, ...links].map((problem) => findingOf(docs, problem)), files };
}

const nameOf = ({ path }: Docs, file: string): string => relative(process.cwd(), join(resolve(path), file));

function findingOf(docs: Docs, { file, ...problem }: FolderProblem): Finding {
  return { ...problem, file: nameOf(docs, file), path: file };
}

const example = '[{ rule: broken-link, path: "old/*", until: 2030-01-31, reason: Is deleted with the next release }]';

/** @throws UsageError if the file is not valid */
async function withoutIgnored({ flags, io }: CheckInvocation, findings: Finding[]): Promise<Finding[]> {
  const { ignore: file } = flags;
  if (file === undefined) return findings;
  const rules = new Set([...Object.keys(pageRules), ...Object.keys(folderRules), ...externalRules]);
  const ignored = new IgnoreFile(file, { rules, example, today: new Date().toISOString().slice(0, 10) });
  const left = findings.filter(({ rule, path }) => !ignored.accepts(rule, (pattern) => matchesPattern(pattern, path)));
  const hidden = findings.length - left.length;
  if (hidden > 0) await io.note(`${count(hidden, 'finding')} ${hidden === 1 ? 'is' : 'are'} ignored by ${file}.`);
  for (const entry of ignored.unused) await io.note(`${file}: ${entry} matches no finding.`);
  const overdue = ignored.expired.map((entry): Finding => {
    const message = `the entry has expired and has no effect: ${entry}`;
    return { level: 'warning', rule: 'ignore-expired', message, file, path: file };
  });
  return [...left, ...overdue];
}

/** The path in the folder is for ignore files only. */
function withoutPath(finding: Finding): ReportFinding {
  const shown: Partial<Finding> & ReportFinding = { ...finding };
  delete shown.path;
  return shown;
}
