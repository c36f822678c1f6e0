import type { PageRule } from '../../content/blocks/page-rules.ts';
import { isMarkdown } from '../../content/folder/file-names.ts';
import { conflictLine, conflictRule } from '../../shared/conflict-marks.ts';
import { isSafeAddress } from '../../content/html/safe-address.ts';
import { isAbsoluteAddress } from './folder-links.ts';
import { checkedPages, keyOf, type OnFile, pagesOf, type ReadPage, readPage } from './check-tasks.ts';
import { type FolderProblem, noSafeAddress } from './problem.ts';
import type { SiteFolder } from './site-folder.ts';
import { conflictProblem, type SpaceFolder } from './space-folder.ts';

/** The rules for problems outside the texts of pages, with their descriptions. */
export const folderRules = {
  [conflictRule]: 'A file with the markers of a merge conflict, or that Git has not finished merging.',
  settings: 'A settings file, docs.yaml or a file in .gitbook that cannot be used.',
  'front-matter': 'Front matter that cannot be read.',
  'summary-missing': 'An entry of SUMMARY.md whose file does not exist.',
  'summary-repeated': 'A file that SUMMARY.md lists more than once.',
  'summary-address': 'An entry of SUMMARY.md whose address could run a script, such as javascript:.',
  'summary-unused': 'An entry of SUMMARY.md for an API reference in a place that cannot have one.',
  'not-in-summary': 'A page that is not in SUMMARY.md.',
  'redirect-repeated': 'Two redirects from the same address.',
  'redirect-target': 'A redirect to a page that does not exist, or to an address that could run a script.',
  'redirect-hides-page': 'A redirect from the address of a page.',
  'same-name': 'Files whose names differ only in capitalization.',
  'symbolic-link':
    'A symbolic link to something that is not published: a hidden file, a folder, or a file outside the folder.',
  'unreadable-file': 'A Markdown file that is not UTF-8.',
} as const satisfies Record<string, string>;

export interface FolderCheck {
  problems: FolderProblem[];
  /** The files of the rendered pages. */
  files: string[];
  /** Links to other hosts, by file. */
  external: Map<string, Set<string>>;
}

interface CheckOptions {
  /** Rules that are checked in addition to the usual ones. */
  optionalRules: readonly PageRule[];
  /** The rendered pages, by their keys. */
  read: ReadonlyMap<string, ReadPage>;
  onFile: OnFile;
}

/** Compares the rendered pages of a folder with each other, and adds the problems outside of pages. */
export async function checkFolder(
  site: SiteFolder,
  { optionalRules, read, onFile }: CheckOptions,
): Promise<FolderCheck> {
  const pages = pagesOf(site);
  const again = checkedPages(site, optionalRules);
  const byKey = new Map(site.spaces.flatMap((space) => site.folderOf(space).pages.map((page) => [keyOf(page), page])));
  const hasAnchor = async (key: string, anchor: string) => {
    const page = byKey.get(key);
    const anchors = read.get(key)?.anchors ?? (page && (await again.anchorsOf(page)));
    return anchors?.has(anchor) === true;
  };
  const problems = folderProblems(site);
  const files: string[] = [];
  const external = new Map<string, Set<string>>();
  for (const page of pages) {
    onFile(page.file ?? '');
    // The file may be newer than the threads.
    const own = read.get(keyOf(page)) ?? (await readPage(again, page));
    const file = page.file ?? '';
    files.push(file);
    if (own.external.length > 0) external.set(file, new Set(own.external));
    const missing: string[] = [];
    for (const { link, key, anchor } of own.headingLinks) if (!(await hasAnchor(key, anchor))) missing.push(link);
    problems.push(...(missing.length === 0 ? own : await again.once(page, missing)).problems);
  }
  return { problems: sortProblems(problems), files, external };
}

/** The problems outside the texts of pages. */
export const folderProblems = (site: SiteFolder): FolderProblem[] => [
  ...site.spaces.flatMap((space) => redirectProblems(site, site.folderOf(space))),
  ...site.problems,
  ...sameNames(site),
  ...unreadable(site),
  ...conflicts(site),
];

/** Sorts problems by place and removes duplicates, because many pages may include the same text. */
export const sortProblems = (problems: readonly FolderProblem[]): FolderProblem[] => sorted(unique(problems));

function redirectProblems(site: SiteFolder, space: SpaceFolder): FolderProblem[] {
  const file = space.redirectsFile;
  return space.redirects.flatMap(({ source, target, line }): FolderProblem[] => {
    const page = space.pageAt(source);
    if (page) {
      const message = `The redirect of ${source} hides the page ${page.file ?? page.title}.`;
      return [{ file, line, rule: 'redirect-hides-page', level: 'error', message }];
    }
    if (!isSafeAddress(target)) {
      const message = `The redirect of ${source} leads to ${target}, which ${noSafeAddress}.`;
      return [{ file, line, rule: 'redirect-target', level: 'error', message }];
    }
    if (isAbsoluteAddress(target)) return [];
    if (site.links.redirectTarget(target, space)) return [];
    const message = `The redirect of ${source} leads to ${target}, which is not a page.`;
    return [{ file, line, rule: 'redirect-target', level: 'error', message }];
  });
}

/** Some systems can only have one of the files. */
function sameNames({ disk }: SiteFolder): FolderProblem[] {
  const groups = Map.groupBy(disk.files, (file) => file.normalize('NFC').toLowerCase());
  return [...groups.values()].flatMap(([first, ...others]) =>
    others.map((file): FolderProblem => {
      const message = `The name differs from ${first} only in capitalization, so some systems can only have one of them.`;
      return { file, rule: 'same-name', level: 'error', message };
    }),
  );
}

function unreadable(site: SiteFolder): FolderProblem[] {
  return site.unreadableFiles.map((file) => {
    const message = 'The file is not UTF-8 and is skipped.';
    return { file, rule: 'unreadable-file', level: 'error', message };
  });
}

/** Merge conflicts outside pages: in included texts, API descriptions and variables. */
function conflicts({ disk, problems }: SiteFolder): FolderProblem[] {
  const reported = new Set(problems.flatMap(({ file, rule }) => (rule === conflictRule ? file : [])));
  return [...disk.files].flatMap((file) => {
    if (reported.has(file) || !isText(file)) return [];
    const line = conflictLine(disk.textOnce(file) ?? '', { isMarkdown: isMarkdown(file) });
    return line === undefined ? [] : [conflictProblem(file, line)];
  });
}

/** Whether the file contains text and is not in a folder of a tool. */
const isText = (file: string) =>
  /\.(?:md|markdown|mdx|ya?ml|json|csv)$/i.test(file) && !/(?:^|\/)\.(?!gitbook\/|gitbook\.|docsctl\.)/.test(file);

function unique(problems: readonly FolderProblem[]): FolderProblem[] {
  const keyOf = ({ file, line, column, rule, message }: FolderProblem) =>
    JSON.stringify([file, line, column, rule, message]);
  return [...new Map(problems.map((problem) => [keyOf(problem), problem])).values()];
}

const sorted = (problems: readonly FolderProblem[]): FolderProblem[] =>
  problems.toSorted((one, other) =>
    one.file === other.file
      ? (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0)
      : one.file < other.file
        ? -1
        : 1,
  );
