import { isMarkdown } from '../../content/folder/file-names.ts';
import { conflictLine, conflictRule } from '../../shared/conflict-marks.ts';
import { EventTurns } from '../../shared/event-turns.ts';
import { isSafeAddress } from '../../content/html/safe-address.ts';
import { isAbsoluteAddress } from './folder-links.ts';
import { FolderPages } from './folder-pages.ts';
import { rootAddresses } from './root-addresses.ts';
import { type FolderProblem, noSafeAddress } from './problem.ts';
import type { SiteFolder } from './site-folder.ts';
import { conflictProblem, type SpaceFolder } from './space-folder.ts';

/** What is found in a folder besides the text of its pages, by the name of the rule. */
export const folderRules = {
  [conflictRule]: 'The marks of a merge conflict in a file.',
  settings: 'A settings file, docs.yaml or a file in .gitbook that cannot be used.',
  'front-matter': 'Front matter that cannot be read.',
  'summary-missing': 'An entry of SUMMARY.md without its file.',
  'summary-repeated': 'A file that SUMMARY.md lists more than once.',
  'summary-address': 'An entry of SUMMARY.md whose address could run a script, such as javascript:.',
  'summary-unused': 'An entry of SUMMARY.md for an API reference where none can stand.',
  'not-in-summary': 'A page that is not in SUMMARY.md.',
  'redirect-repeated': 'Two redirects of the same address.',
  'redirect-target': 'A redirect to a page that does not exist, or to an address that could run a script.',
  'redirect-hides-page': 'A redirect of an address that a page has.',
  'same-name': 'Files whose names differ in capital letters only.',
  'symbolic-link': 'A symbolic link to what is not published: a hidden file, a folder, a file outside of the folder.',
  'unreadable-file': 'A Markdown file that is not UTF-8.',
} as const satisfies Record<string, string>;

export interface FolderCheck {
  problems: FolderProblem[];
  /** Files of pages that were rendered. */
  files: string[];
  /** Links to other hosts, by the files that have them. */
  external: Map<string, Set<string>>;
}

/** Renders every page of a folder. @param onPage called before each page; may throw to stop. @throws SettingsError */
export async function checkFolder(site: SiteFolder, onPage: (file: string) => void = () => {}): Promise<FolderCheck> {
  const turns = new EventTurns();
  const pages = new FolderPages(site, rootAddresses(site));
  const problems: FolderProblem[] = [];
  const files: string[] = [];
  const external = new Map<string, Set<string>>();
  for (const siteSpace of site.spaces) {
    const space = site.folderOf(siteSpace);
    for (const page of space.pages) {
      if (page.file === null) continue;
      await turns.take();
      onPage(page.file);
      files.push(page.file);
      const checked = await pages.page(page);
      problems.push(...checked.problems);
      const addresses = checked.links.filter((url) => /^https?:\/\//i.test(url));
      if (addresses.length > 0) external.set(page.file, new Set(addresses));
    }
  }
  return { problems: sortProblems([...problems, ...folderProblems(site)]), files, external };
}

/** What is wrong besides the text of pages. */
export const folderProblems = (site: SiteFolder): FolderProblem[] => [
  ...site.spaces.flatMap((space) => redirectProblems(site, site.folderOf(space))),
  ...site.problems,
  ...sameNames(site),
  ...unreadable(site),
  ...conflicts(site),
];

/** By their places, each once: a text that many pages include has its problems once. */
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
    const message = `The redirect of ${source} leads to ${target}, which is no page.`;
    return [{ file, line, rule: 'redirect-target', level: 'error', message }];
  });
}

/** On some systems only one of them would be there. */
function sameNames({ disk }: SiteFolder): FolderProblem[] {
  const groups = Map.groupBy(disk.files, (file) => file.normalize('NFC').toLowerCase());
  return [...groups.values()].flatMap(([first, ...others]) =>
    others.map((file): FolderProblem => {
      const message = `The name differs from ${first} in capital letters only: other systems have only one of them.`;
      return { file, rule: 'same-name', level: 'error', message };
    }),
  );
}

function unreadable(site: SiteFolder): FolderProblem[] {
  return site.unreadableFiles.map((file) => {
    const message = 'The file is not UTF-8 and is left out.';
    return { file, rule: 'unreadable-file', level: 'error', message };
  });
}

/** In the other texts that pages are made of: what they include, descriptions of APIs, and variables. */
function conflicts({ disk, problems }: SiteFolder): FolderProblem[] {
  const reported = new Set(problems.flatMap(({ file, rule }) => (rule === conflictRule ? file : [])));
  return [...disk.files].flatMap((file) => {
    if (reported.has(file) || !isText(file)) return [];
    const line = conflictLine(disk.textOnce(file) ?? '', { isMarkdown: isMarkdown(file) });
    return line === undefined ? [] : [conflictProblem(file, line)];
  });
}

/** Whether it is one, and not in a folder of tools. */
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
