import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import type { SearchAnswer, SearchResult } from '../model.ts';
import type { FolderPages } from './folder-pages.ts';
import { wordsOfReference } from '../reference/mounted.ts';
import type { FolderAddresses } from './root-addresses.ts';
import type { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';

const maxPages = 10;
const maxSections = 3;
const maxLength = 160;

/**
 * Finds the pages with all words of a query. It reads all texts, because they may have changed, and reading 2,000 pages
 * takes less time than updating an index.
 */
export async function searchFolder(
  site: SiteFolder,
  pages: FolderPages,
  addresses: FolderAddresses,
  query: string,
): Promise<SearchAnswer> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { results: [] };
  const matches: { page: FolderPage; score: number }[] = [];
  for (const space of site.spaces) {
    for (const page of site.folderOf(space).contents.listed) {
      const score = scoreOf(page, textOf(site, page), words);
      if (score > 0) matches.push({ page, score });
    }
  }
  const best = matches.toSorted((one, other) => other.score - one.score).slice(0, maxPages);
  const results: SearchResult[] = [];
  for (const { page } of best) results.push(await resultOf(pages, addresses, page, words));
  return { results };
}

function textOf({ disk, specs }: SiteFolder, page: FolderPage): string {
  if (page.reference) {
    const reference = specs.reference(page.reference.file.file);
    return reference ? wordsOfReference(reference, page.reference.path, page.reference) : '';
  }
  const text = page.file === null ? '' : (disk.textOnce(page.file) ?? '');
  return text.slice(readFrontMatter(text).bodyAt).toLowerCase();
}

/** 0 if a word is missing. A word in the title counts more than many in the text. */
function scoreOf(page: FolderPage, text: string, words: readonly string[]): number {
  const title = page.title.toLowerCase();
  const description = page.description?.toLowerCase() ?? '';
  let score = 0;
  for (const word of words) {
    const found =
      (title.includes(word) ? 20 : 0) +
      (description.includes(word) ? 5 : 0) +
      Math.min(4, text.split(word, 5).length - 1);
    if (found === 0) return 0;
    score += found;
  }
  return title === words.join(' ') ? score + 50 : score;
}

async function resultOf(
  pages: FolderPages,
  addresses: FolderAddresses,
  page: FolderPage,
  words: readonly string[],
): Promise<SearchResult> {
  const { sections } = await pages.page(page);
  const matching = sections.filter(({ heading, text }) => {
    const all = `${heading?.text ?? ''} ${text}`.toLowerCase();
    return words.some((word) => all.includes(word));
  });
  return {
    title: page.title,
    href: addresses.page(page),
    icon: page.icon,
    emoji: page.emoji,
    trail: page.space.contents.ancestorsOf(page).map(({ title }) => title),
    description: page.description,
    sections: matching.slice(0, maxSections).map(({ heading, text }) => ({
      title: heading?.text ?? page.title,
      href: addresses.page(page, heading?.id),
      text: excerptOf(text, words),
    })),
  };
}

/** The part of a text around the first of the words. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1);
  const start = Math.max(0, Math.min(...places, lower.length) - maxLength / 4);
  const excerpt = text
    .slice(start, start + maxLength)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${excerpt}${start + maxLength < text.length ? '…' : ''}`;
}
