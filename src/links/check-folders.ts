import { join, relative } from 'node:path';
import { externalProblems } from '../site/service/external-links.ts';
import type { Docs } from '../shared/docs.ts';
import { checkLinks, type LinkCheck } from './check-links.ts';
import type { LinkFinding } from './findings.ts';
import { type Fixed, fixFolders } from './fix-folders.ts';
import { type ReadFolder, readFolders, worldOf } from './folder-world.ts';

export interface FolderOptions {
  signal: AbortSignal;
  /** Whether to write the certain fixes, or only to list them. */
  fix?: 'write' | 'list' | undefined;
  /** Of the user, to check links to other websites as well. */
  externalCache?: string | undefined;
}

export interface CheckedFolders {
  findings: LinkFinding[];
  pages: number;
  links: number;
  unchecked: number;
  /** Of the texts. */
  names: string[];
  /** Present if fixes were written or listed. */
  fixes?: Fixed;
}

/** A fix of a table of contents changes what other links lead to, and so on. */
const maxRounds = 5;

/** Checks the links of folders together. Findings are those after the fixes. @throws UnreadableFolder, SettingsError */
export async function checkFolders(docs: readonly Docs[], options: FolderOptions): Promise<CheckedFolders> {
  const { signal, fix, externalCache } = options;
  let { folders, checked } = await read(docs, signal);
  const fixes: Fixed = { files: 0, fixed: [], failed: [] };
  for (let round = 0; fix !== undefined && round < maxRounds; round += 1) {
    const done = await fixFolders(folders, checked.fixable, { dryRun: fix === 'list' });
    fixes.files += done.files;
    fixes.fixed.push(...done.fixed);
    fixes.failed = done.failed;
    if (fix === 'list' || done.fixed.length === 0) break;
    ({ folders, checked } = await read(docs, signal));
  }
  const spaces = folders.flatMap((folder) => folder.spaces);
  const external =
    externalCache === undefined ? [] : await externalFindings(folders, checked.external, externalCache, signal);
  return {
    findings: [...unique(checked.findings), ...external],
    pages: spaces.reduce((sum, { pages }) => sum + pages.length, 0),
    links: checked.links,
    unchecked: checked.unchecked,
    names: spaces.flatMap(({ texts }) => texts.flatMap(({ place }) => place.file ?? [])),
    ...(fix !== undefined && { fixes }),
  };
}

async function read(docs: readonly Docs[], signal: AbortSignal) {
  const folders = await readFolders(docs);
  return { folders, checked: await checkLinks(worldOf(folders), () => signal.throwIfAborted()) };
}

/** Folders can overlap. */
const unique = (findings: readonly LinkFinding[]): LinkFinding[] => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values(),
];

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
