import { relative, resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { type CheckFinding, type CheckFlags, reportCheck } from '../../cli/report/check-report.ts';
import { refuseTwoFormats } from '../../cli/report/findings.ts';
import { foldersOf } from '../../cli/settings/docs-folders.ts';
import { cacheDir } from '../../cli/settings/paths.ts';
import { type CheckedFolders, checkFolders } from '../../links/check-folders.ts';
import { checkLinks } from '../../links/check-links.ts';
import { type LinkFinding, linkRules } from '../../links/findings.ts';
import type { Fixed } from '../../links/fix-folders.ts';
import { Renames } from '../../links/renames.ts';
import { readService } from '../../links/service-world.ts';
import { counted } from '../../shared/counted.ts';
import type { Docs } from '../../shared/docs.ts';
import { CheckCache } from '../../site/folder/check-cache.ts';
import { folderRules } from '../../site/folder/check-folder.ts';
import { externalRules } from '../../site/service/external-links.ts';
import { withContentPort } from '../shared/download.ts';
import { readable, unreadable } from '../shared/readable-folder.ts';

type LinksInvocation = Invocation<
  { folder?: string[] | undefined },
  CheckFlags & { allSpaces?: boolean | undefined; fix?: boolean | undefined; external?: boolean | undefined }
>;

const rules = new Set<string>([...Object.keys(linkRules), ...Object.keys(folderRules), ...externalRules]);

/** Checks the links of folders together. The findings are the result. */
export async function checkLinksOf(invocation: LinksInvocation): Promise<void> {
  refuseTwoFormats(invocation);
  if (invocation.flags.allSpaces) return checkService(invocation);
  const { flags, session } = invocation;
  const folders = await foldersOf(invocation);
  const paths = folders.map(({ path }) => path);
  // Git's history and the spaces of the folders are not in their files.
  const depends = async () => [process.cwd(), JSON.stringify(folders), await new Renames().keyOf(paths)];
  const names = folders.map(({ name }) => name).join(', ');
  const key = flags.fix || flags.external ? undefined : ['links', ...(await depends())];
  const cache = key && readable(names, () => new CheckCache<CheckedFolders>(paths, key, cacheDir(session.env)));
  const before = cache?.get();
  const result = before ?? (await check(invocation, folders));
  if (!before) await cache?.set(result);
  const findings = result.findings.map((finding) => withPath(finding, folders));
  await report(invocation, result, findings);
}

/** Checks all spaces of the organization. @throws UsageError with options that need folders */
async function checkService(invocation: LinksInvocation): Promise<void> {
  const { args, flags } = invocation;
  const other = args.folder?.length ? 'A folder' : flags.fix ? '--fix' : flags.external ? '--external' : undefined;
  if (other !== undefined) {
    throw new UsageError(`${other} and --all-spaces cannot be combined.`, 'Run the command without --all-spaces.');
  }
  const orgId = await scopeOf(invocation, 'org');
  const result = await withContentPort(invocation, 'Reading pages', async (port) => {
    const world = await readService({ ...port, download: { bytes: port.bytes } }, orgId);
    const checked = await checkLinks(world, () => port.signal.throwIfAborted());
    const pages = world.spaces.reduce((sum, space) => sum + space.pages.length, 0);
    const names = world.spaces.flatMap(({ texts }) => texts.flatMap(({ place }) => place.subject ?? []));
    return { ...checked, pages, names };
  });
  const findings = result.findings.map((finding) => ({ ...finding, path: finding.subject ?? '' }));
  await report(invocation, result, findings);
}

async function report(
  invocation: LinksInvocation,
  { pages, links, unchecked, names }: Omit<CheckedFolders, 'findings'>,
  findings: CheckFinding[],
): Promise<void> {
  const more = [counted(links, 'link'), ...(unchecked > 0 ? [`${counted(unchecked, 'link')} not checked`] : [])];
  const hint =
    '"docsctl links check --fix" writes the certain fixes. Accept findings with --ignore or --write-baseline.';
  await reportCheck(invocation, { findings, names, pages, rules, hint, more });
}

/** Checks folders, and reports what was fixed. @throws UsageError, or CommandError with status 8 if a fix was not written */
async function check(invocation: LinksInvocation, docs: readonly Docs[]): Promise<CheckedFolders> {
  const { signal, flags, globals, session } = invocation;
  const names = docs.map(({ name }) => name).join(', ');
  const checked = await checkFolders(docs, {
    signal,
    fix: flags.fix ? (globals.dryRun ? 'list' : 'write') : undefined,
    externalCache: flags.external ? cacheDir(session.env) : undefined,
  }).catch((error): never => {
    throw unreadable(names, error);
  });
  if (checked.pages === 0) throw new UsageError(`${names}: there are no pages.`, 'Pages are .md files.');
  if (checked.fixes) await reportFixes(invocation, checked.fixes);
  return checked;
}

/** @throws CommandError with status 8 if some were not written */
async function reportFixes({ io, globals }: LinksInvocation, { files, fixed, failed }: Fixed): Promise<void> {
  const verb = globals.dryRun ? 'Would fix' : 'Fixed';
  for (const { finding } of fixed) {
    await io.note(`${verb} ${finding.file}:${finding.line}: ${finding.url} -> ${finding.target}`);
  }
  await io.note(`${verb} ${counted(fixed.length, 'link')} in ${counted(files, 'file')}.`);
  if (failed.length === 0) return;
  for (const { finding, reason } of failed) await io.note(`${finding.finding.file} was not fixed: ${reason}.`);
  throw new CommandError(`${counted(failed.length, 'link')} could not be fixed.`, { exitCode: exit.someFailed });
}

/** With the path in its folder, which an ignore file names it by. */
function withPath(finding: LinkFinding, folders: readonly Docs[]): CheckFinding {
  const whole = resolve(finding.file ?? '');
  const inside = folders.map(({ path }) => relative(path, whole)).find((path) => !path.startsWith('..'));
  return { ...finding, path: inside ?? finding.file ?? finding.subject ?? '' };
}
