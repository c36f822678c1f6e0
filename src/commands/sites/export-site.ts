import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { print, scopeOf } from '../../cli/command/invocation.ts';
import { wantsResult } from '../../cli/command/result.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, checkFailed } from '../../cli/program/failure.ts';
import type { ReportFinding } from '../../cli/report/finding.ts';
import { siteAssets } from '../../site/assets.ts';
import type { FolderProblem } from '../../site/folder/problem.ts';
import type { ExportForm } from '../../site/model.ts';
import { exportRules } from '../../site/static/check-links.ts';
import type { ExportedFolder } from '../../site/static/export-folder.ts';
import { hashOf } from '../../site/static/content-hash.ts';
import { OutputRefused } from '../../site/static/output-folder.ts';
import type { ExportTarget } from '../../site/static/write-site.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { trimSlashes } from '../../shared/trim-slashes.ts';
import { version } from '../../shared/version.ts';
import { oneFolder } from '../../cli/settings/docs-folders.ts';
import { downloaderOf } from '../shared/download.ts';
import { count, countLevels, isSevere, reportFindings, summaryOf } from '../../cli/report/findings.ts';

type ExportInvocation = Invocation<
  { source?: string | undefined },
  {
    out?: string | undefined;
    baseUrl?: string | undefined;
    check?: boolean | undefined;
    overwrite?: boolean | undefined;
    systemFonts?: boolean | undefined;
    ci?: boolean | undefined;
    org?: string | undefined;
    site?: string | undefined;
  }
>;

/** A site or folder to export. */
interface OpenedSite {
  /** The folder that paths in problems are relative to; undefined for sites of a service. */
  folder?: string;
  /** Restrictions and pictures that the files lose. */
  warnings: string[];
  write(target: ExportTarget, progress: ExportProgress): Promise<ExportedFolder>;
  close?(): Promise<void>;
}

interface ExportProgress {
  signal: AbortSignal;
  onPage(number: number, count: number): void;
}

const noPages = () => new UsageError('There are no pages to export.', 'Pages are .md files.');

/** Writes the files and prints how many. */
export async function exportSource(invocation: ExportInvocation): Promise<void> {
  const { flags } = invocation;
  if (flags.out === undefined || flags.out === '')
    throw new UsageError('--out is missing.', 'Pass the output folder: --out public.');
  const baseUrl = baseUrlOf(flags.baseUrl);
  const opened = await openSite(invocation, flags.out);
  try {
    await exportOpened(invocation, opened, { out: flags.out, baseUrl });
  } finally {
    await opened.close?.();
  }
}

interface Target {
  out: string;
  baseUrl: string | undefined;
}

async function exportOpened(invocation: ExportInvocation, opened: OpenedSite, target: Target): Promise<void> {
  const { flags, io, globals, session } = invocation;
  for (const warning of opened.warnings) await io.note(`warning: ${warning}`);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const exported = await refusedAsUsage(() => write(invocation, opened, target));
  if (exported.pages === 0) throw noPages();
  const pages = count(exported.pages, 'page');
  const findings = exported.problems
    .filter(({ rule }) => flags.check === true || !Object.hasOwn(exportRules, rule))
    .map((problem) => findingOf(opened, problem));
  await reportFindings(invocation, findings, server);
  server.summary(summaryOf(pages, findings));
  const errors = findings.filter((finding) => isSevere(finding, 'error')).length;
  const { written, removed, unchanged } = exported;
  const numbers = { written: written.length, removed: removed.length, unchanged };
  const result = { out: target.out, pages: exported.pages, ...numbers, errors, warnings: findings.length - errors };
  if (wantsResult(invocation)) await print(invocation, result);
  const verb = globals.dryRun ? 'Would write' : 'Wrote';
  const problems = findings.length > 0 ? ` ${countLevels(findings)}.` : '';
  await io.note(
    `${verb} ${pages} to ${target.out}: ${count(numbers.written, 'file')} written, ${numbers.removed} removed, ${numbers.unchanged} unchanged.${problems}`,
  );
  await noteMissing(invocation, target, exported);
  if (flags.check === true && errors > 0) {
    throw checkFailed(
      `${count(errors, 'error')} in ${pages}.`,
      'The files were written anyway. Fix the errors above and export again.',
    );
  }
}

async function noteMissing(
  { io }: ExportInvocation,
  { baseUrl }: Target,
  { redirects: hasRedirects }: ExportedFolder,
): Promise<void> {
  if (baseUrl !== undefined) return;
  const without = 'Without --base-url there is no sitemap.xml and no feed';
  const redirects = hasRedirects > 0 ? ' and _redirects' : '';
  await io.note(`${without}, and 404.html${redirects} ${redirects ? 'work' : 'works'} only at the root of a host.`);
}

async function write(
  { flags, globals, io, signal }: ExportInvocation,
  opened: OpenedSite,
  { out, baseUrl }: Target,
): Promise<ExportedFolder> {
  const renderer = rendererHash(flags.systemFonts === true);
  const options = { overwrite: flags.overwrite === true, dryRun: globals.dryRun === true };
  const progress = io.progress('Rendering pages');
  const onPage = (number: number, total: number) => progress.count(number, total);
  try {
    return await opened.write({ out, baseUrl, renderer, ...options }, { signal, onPage });
  } finally {
    progress.stop();
  }
}

/** A hash of the program. The names of chunks and assets contain hashes of their content. */
const rendererHash = (hasSystemFonts: boolean): string =>
  hashOf(
    JSON.stringify([version, basename(import.meta.filename), hasSystemFonts, ...siteAssets().map(({ name }) => name)]),
  );

async function openSite(invocation: ExportInvocation, out: string): Promise<OpenedSite> {
  const { args, flags } = invocation;
  const { source } = args;
  const form = { hasSystemFonts: flags.systemFonts === true };
  if (source === undefined && flags.site === undefined)
    return openFolder(await oneFolder(invocation, 'export'), out, form);
  const stats = source !== undefined && existsSync(source) ? statSync(source) : undefined;
  if (source !== undefined && stats?.isDirectory()) {
    if (flags.site === undefined) return openFolder(source, out, form);
    throw new UsageError(`--site is for sites, and ${source} is a folder.`, 'Give one of them.');
  }
  if (stats) throw new UsageError(`${source} is a file.`, 'Pass the folder that contains it.');
  if (source !== undefined && /[/\\.]/.test(source))
    throw new UsageError(`There is no folder ${source}.`, 'Check the path, or pass the ID or title of a site.');
  if (source !== undefined && flags.site !== undefined && source !== flags.site)
    throw new UsageError(`The site is given twice: "${source}" and --site "${flags.site}".`, 'Give one of them.');
  if (source !== undefined) flags.site = source;
  const { openStaticSite } = await import('../../site/service/static-site.ts');
  const params = { orgId: await scopeOf(invocation, 'org'), siteId: await scopeOf(invocation, 'site') };
  const download = downloaderOf(invocation);
  const opened = await openStaticSite({ client: await invocation.client(), download }, params, form);
  const { source: site, warnings } = opened;
  const numbers = { pages: site.pages.length, redirects: site.redirects.length };
  return {
    warnings,
    close: () => download.close(),
    async write(target, { signal, onPage }) {
      if (numbers.pages === 0) throw noPages();
      const { writeSite } = await import('../../site/static/write-site.ts');
      const exported = await writeSite(site, target, (number) => {
        signal.throwIfAborted();
        onPage(number, numbers.pages);
      });
      return { ...exported, ...numbers };
    },
  };
}

/** @throws UsageError if the folder cannot be read, or the output would be among its pages */
async function openFolder(folder: string, out: string, form: ExportForm): Promise<OpenedSite> {
  const { readable, unreadable } = await import('../shared/readable-folder.ts');
  const real = readable(folder, () => realpathSync(folder));
  const target = realOf(resolve(out));
  if (target === real || target.startsWith(`${real}${sep}`)) {
    throw new UsageError(
      `${out} is inside ${folder}, so its files would be pages of the next export.`,
      'Choose another one with --out.',
    );
  }
  if (real.startsWith(`${target}${sep}`))
    throw new UsageError(`${out} contains the folder ${folder}.`, 'Choose another one with --out.');
  const { exportFolderWithin } = await import('../../site/static/export-within.ts');
  return {
    folder,
    warnings: [],
    write: (target, progress) =>
      exportFolderWithin({ folder, form, ...target }, progress).catch((error: unknown) => {
        // An error of the output names its path.
        throw error instanceof Error && 'path' in error ? error : unreadable(folder, error);
      }),
  };
}

/** The real path of a folder that may not exist. */
function realOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = resolve(path, '..');
  return above === path ? path : join(realOf(above), basename(path));
}

function findingOf({ folder }: OpenedSite, { file, ...problem }: FolderProblem): ReportFinding {
  const name = folder === undefined ? file : relative(process.cwd(), join(resolve(folder), file));
  return { ...problem, file: name };
}

/** @returns without a slash at its end @throws UsageError */
function baseUrlOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = parsed && /^https?:$/.test(parsed.protocol) && parsed.search === '' && parsed.hash === '';
  if (parsed && isPlain && parsed.username === '' && parsed.password === '') return trimSlashes(parsed.href);
  throw new UsageError(
    `--base-url must be an address such as https://docs.example.com/guide, not "${url}".`,
    'It must start with https:// or http://, without a query or a password.',
  );
}

/** @throws UsageError, CommandError */
async function refusedAsUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutputRefused) throw new UsageError(error.message, error.hint);
    if (codeOf(error) === '' || !(error instanceof Error && 'path' in error)) throw error;
    throw new CommandError(`The files could not be written: ${fileReason(error)}.`, {
      hint: 'The last export is unchanged, unless its files were already being replaced. Export again.',
    });
  }
}
