import { realpathSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { cacheDir } from '../../cli/settings/paths.ts';
import { checkLinks, type LinkCheck } from '../../links/check-links.ts';
import { type LinkFinding, linkRules } from '../../links/findings.ts';
import { fixFolders } from '../../links/fix-folders.ts';
import { type ReadFolder, readFolders, worldOf } from '../../links/folder-world.ts';
import { CheckCache } from '../../site/folder/check-cache.ts';
import { folderRules } from '../../site/folder/check-folder.ts';
import { externalProblems, externalRules } from '../../site/service/external-links.ts';
import type { Docs } from '../../sync/local-folder.ts';
import { type CheckFinding, type CheckFlags, reportCheck } from '../shared/check-report.ts';
import { docsOf } from '../shared/docs-folders.ts';
import { count, refuseTwoFormats } from '../shared/findings.ts';
import { readable, unreadable } from '../shared/readable-folder.ts';

type LinksInvocation = Invocation<
  { folder?: string[] | undefined },
  CheckFlags & { fix?: boolean | undefined; external?: boolean | undefined }
>;

interface Result {
  findings: LinkFinding[];
  pages: number;
  links: number;
  unchecked: number;
  names: string[];
}

const rules = new Set<string>([...Object.keys(linkRules), ...Object.keys(folderRules), ...externalRules]);

/** Checks the links of folders together. The findings are the result. */
export async function checkLinksOf(invocation: LinksInvocation): Promise<void> {
  refuseTwoFormats(invocation);
  const { flags, session } = invocation;
  const folders = await foldersOf(invocation);
  const names = folders.map(({ name }) => name).join(', ');
  const paths = folders.map(({ path }) => path);
  const cache =
    flags.fix || flags.external
      ? undefined
      : readable(names, () => new CheckCache<Result>(paths, ['links', process.cwd()], cacheDir(session.env)));
  const before = cache?.get();
  const result =
    before ??
    (await check(invocation, folders).catch((error): never => {
      throw unreadable(names, error);
    }));
  if (!before) await cache?.set(result);
  const findings = result.findings.map((finding) => withPath(finding, folders));
  const { pages, links, unchecked } = result;
  const more = [count(links, 'link'), ...(unchecked > 0 ? [`${count(unchecked, 'link')} not checked`] : [])];
  const hint =
    '"docsctl links check --fix" writes the certain fixes. Accept findings with --ignore or --write-baseline.';
  await reportCheck(invocation, { findings, names: result.names, pages, rules, hint, more });
}

/** @throws UsageError if one of them is not a folder */
async function foldersOf(invocation: LinksInvocation): Promise<Docs[]> {
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

async function check(invocation: LinksInvocation, docs: readonly Docs[]): Promise<Result> {
  const { signal, flags, globals, session } = invocation;
  const folders = await readFolders(docs);
  const checked = await checkLinks(worldOf(folders), () => signal.throwIfAborted());
  const pages = folders.flatMap(({ spaces }) => spaces).reduce((sum, space) => sum + space.pages.length, 0);
  if (pages === 0) {
    throw new UsageError(`${docs.map(({ name }) => name).join(', ')}: there are no pages.`, 'Pages are .md files.');
  }
  if (flags.fix) {
    await writeFixes(invocation, folders, checked);
    // A fix of a table of contents changes what other links lead to.
    if (!globals.dryRun) return check({ ...invocation, flags: { ...flags, fix: false } }, docs);
  }
  let { findings } = checked;
  if (flags.external)
    findings = [...findings, ...(await externalFindings(folders, checked.external, cacheDir(session.env), signal))];
  const names = folders.flatMap(({ spaces }) =>
    spaces.flatMap(({ texts }) => texts.flatMap(({ place }) => place.file ?? [])),
  );
  return { findings, pages, links: checked.links, unchecked: checked.unchecked, names };
}

/** @throws CommandError with status 8 if some were not written */
async function writeFixes(
  { io, globals }: LinksInvocation,
  folders: readonly ReadFolder[],
  { fixable }: LinkCheck,
): Promise<void> {
  const { files, fixed, failed } = await fixFolders(folders, fixable, { dryRun: globals.dryRun === true });
  const verb = globals.dryRun ? 'Would fix' : 'Fixed';
  for (const { finding } of fixed) {
    await io.note(`${verb} ${finding.file}:${finding.line}: ${finding.url} -> ${finding.target}`);
  }
  await io.note(`${verb} ${count(fixed.length, 'link')} in ${count(files, 'file')}.`);
  if (failed.length === 0) return;
  for (const { finding, reason } of failed) await io.note(`${finding.finding.file} was not fixed: ${reason}.`);
  throw new CommandError(`${count(failed.length, 'link')} could not be fixed.`, { exitCode: exit.someFailed });
}

async function externalFindings(
  folders: readonly ReadFolder[],
  external: LinkCheck['external'],
  cacheFolder: string,
  signal: AbortSignal,
): Promise<LinkFinding[]> {
  const findings: LinkFinding[] = [];
  for (const { site, spaces } of folders) {
    const own = [...external].filter(([{ space }]) => spaces.some((each) => each === space));
    const links = new Map(own.map(([{ key }, urls]) => [key, urls]));
    for (const { file, ...problem } of await externalProblems({ cacheFolder, signal }, site, links)) {
      findings.push({ ...problem, file: relative(process.cwd(), join(site.disk.path, file)) });
    }
  }
  return findings;
}

/** With the path in its folder, which an ignore file names it by. */
function withPath(finding: LinkFinding, folders: readonly Docs[]): CheckFinding {
  const whole = resolve(finding.file ?? '');
  const inside = folders.map(({ path }) => relative(path, whole)).find((path) => !path.startsWith('..'));
  return { ...finding, path: inside ?? finding.file ?? finding.subject ?? '' };
}
