import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import type { SearchTerm } from '../../shared/search/query.ts';
import { rankPages } from '../../shared/search/rank-pages.ts';
import { searchedText, type SearchedText, TextSource } from '../../shared/search/source.ts';
import { folded } from '../../shared/search/words.ts';
import type { SearchAnswer, SearchResult } from '../model.ts';
import type { FolderPages } from './folder-pages.ts';
import { wordsOfReference } from '../reference/mounted.ts';
import type { FolderAddresses } from './root-addresses.ts';
import type { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';

const maxPages = 12;
const maxSections = 3;
const maxLength = 160;

interface SearchedFolder {
  folder: SiteFolder;
  pages: FolderPages;
  addresses: FolderAddresses;
}

interface ReadPage {
  markdown: string;
  title: string;
  text: SearchedText;
}

/** Searches a folder. It compares all texts, because they may have changed, but reads only new ones. */
export class FolderSearch {
  #read = new Map<string, ReadPage>();

  async search({ folder, pages, addresses }: SearchedFolder, query: string): Promise<SearchAnswer> {
    const listed = folder.spaces.flatMap((space) => [...folder.folderOf(space).contents.listed]);
    const read = new Map<string, ReadPage>();
    const texts = new Map<string, SearchedText>();
    for (const [index, page] of listed.entries()) {
      const markdown = textOf(folder, page);
      const key = `${index}`;
      const before = this.#read.get(key);
      const isSame = before?.markdown === markdown && before.title === page.title;
      const entry = isSame ? before : { markdown, title: page.title, text: searchedPage(page, markdown) };
      read.set(key, entry);
      texts.set(key, entry.text);
    }
    this.#read = read;
    const ranking = await rankPages(new TextSource(texts), query);
    const best = ranking.pages
      .toSorted((one, other) => other.score - one.score || Number(one.page) - Number(other.page))
      .slice(0, maxPages);
    const results: SearchResult[] = [];
    for (const { page: key } of best) {
      const page = listed[Number(key)];
      if (page) results.push(await resultOf(pages, addresses, page, ranking.words));
    }
    return { suggestion: ranking.suggestion, results };
  }
}

function textOf({ disk, specs }: SiteFolder, page: FolderPage): string {
  if (page.reference) {
    const reference = specs.reference(page.reference.file.file);
    return reference ? wordsOfReference(reference, page.reference.path, page.reference) : '';
  }
  return page.file === null ? '' : (disk.textOnce(page.file) ?? '');
}

/** Splits a text without parsing it, because parsing 2,000 pages takes seconds. */
function searchedPage({ title }: FolderPage, markdown: string): SearchedText {
  const headings: string[] = [];
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.slice(readFrontMatter(markdown).bodyAt).split('\n')) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    } else if (fence === undefined && /^ {0,3}#{1,6}\s/.test(line)) {
      headings.push(withoutMarkup(line));
    } else {
      lines.push(fence === undefined ? withoutMarkup(line) : line);
    }
  }
  return searchedText({ title, headings: headings.join('\n'), text: lines.join('\n') });
}

/** Leaves the texts of a line, without its tags and the targets of its links. */
const withoutMarkup = (line: string): string =>
  line
    .replaceAll(/\{%[^%]*%\}/g, ' ')
    .replaceAll(/<\/?[a-zA-Z][^<>]*>/g, ' ')
    .replaceAll(/\]\([^()\s]*(?:\s"[^"]*")?\)/g, '] ');

async function resultOf(
  pages: FolderPages,
  addresses: FolderAddresses,
  page: FolderPage,
  terms: readonly SearchTerm[],
): Promise<SearchResult> {
  const { sections } = await pages.page(page);
  const words = terms.map(({ text }) => text.replaceAll(' ', ''));
  const matching = sections.flatMap(({ heading, text }) => {
    const [title, all] = [folded(heading?.text ?? ''), folded(text)];
    const score =
      words.filter((word) => title.includes(word)).length * 2 + words.filter((word) => all.includes(word)).length;
    return score > 0 && heading ? [{ heading, text, score }] : [];
  });
  const best = matching.toSorted((one, other) => other.score - one.score).slice(0, maxSections);
  return {
    title: page.title,
    href: addresses.page(page),
    icon: page.icon,
    emoji: page.emoji,
    trail: page.space.contents.ancestorsOf(page).map(({ title }) => title),
    description: page.description,
    sections: best.map(({ heading, text }) => ({
      title: heading.text,
      href: addresses.page(page, heading.id),
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
