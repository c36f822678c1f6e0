import { escapeText } from './html.ts';

/* Files of a site for programs. All addresses are absolute. */

export interface ListedPage {
  title: string;
  href: string;
  /** Address of the Markdown. */
  markdownHref: string;
  description?: string | undefined;
  /** RFC 3339. */
  updatedAt?: string | undefined;
}

export interface ListedSection {
  title: string;
  pages: ListedPage[];
}

export const sitemap = (pages: readonly ListedPage[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ href, updatedAt }) => `<url><loc>${escapeText(href)}</loc>${updatedAt === undefined ? '' : `<lastmod>${escapeText(updatedAt)}</lastmod>`}</url>`).join('\n')}
</urlset>
`;

/**
 * @param isListed whether search engines may list the site
 * @param sitemapHref undefined if there is none
 */
export const robots = (isListed: boolean, sitemapHref: string | undefined): string =>
  isListed
    ? `User-agent: *\nAllow: /\n${sitemapHref === undefined ? '' : `\nSitemap: ${sitemapHref}\n`}`
    : 'User-agent: *\nDisallow: /\n';

/** The list of pages for language models (llmstxt.org). */
export function llmsText(title: string, sections: readonly ListedSection[]): string {
  const lists = sections
    .filter(({ pages }) => pages.length > 0)
    .map((section) => `## ${oneLine(section.title)}\n\n${section.pages.map(llmsEntry).join('\n')}\n`);
  return `# ${oneLine(title)}\n\n> All pages of ${oneLine(title)}, as Markdown.\n\n${lists.join('\n')}`;
}

/** A page as Markdown, with a note for language models after its title. @param href the address of `llms.txt` */
export function withIndexNote(markdown: string, href: string): string {
  const end = markdown.indexOf('\n');
  const [title, rest] = end === -1 ? [markdown, ''] : [markdown.slice(0, end), markdown.slice(end + 1)];
  return `${title}\n\n> For language models: all pages are listed in <${href}>.\n\n${rest.trimStart()}`;
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const llmsEntry = ({ title, markdownHref, description }: ListedPage) => {
  const label = oneLine(title).replaceAll(/[[\]\\]/g, String.raw`\$&`);
  return `- [${label}](${markdownHref})${description ? `: ${oneLine(description)}` : ''}`;
};

/** Whether a client asks for Markdown. Browsers accept any type, so they do not name it. */
export const prefersMarkdown = (accept = ''): boolean =>
  /\btext\/markdown\b/.test(accept) && !/\btext\/html\b/.test(accept);

/** A page as Markdown that starts with its title. */
export function titledMarkdown(title: string, description: string | undefined, markdown: string): string {
  const heading = `# ${oneLine(title)}`;
  if (markdown.trimStart().startsWith(`${heading}\n`) || markdown.trim() === heading) return markdown;
  return `${heading}\n\n${description ? `${oneLine(description)}\n\n` : ''}${markdown}`;
}

export interface FeedEntry {
  title: string;
  /** `2026-01-31`. */
  date: string;
  html: string;
}

/** The parts of a text between two markers. */
function between(text: string, start: string, end: string): string[] {
  const parts: string[] = [];
  for (let from = text.indexOf(start); from >= 0; from = text.indexOf(start, from)) {
    const until = text.indexOf(end, from + start.length);
    if (until < 0) break;
    parts.push(text.slice(from + start.length, until));
    from = until + end.length;
  }
  return parts;
}

/** The updates in the HTML of a page. */
export function updatesIn(html: string): FeedEntry[] {
  return between(html, '<article class="update">', '</article>').flatMap((article) => {
    const [header = ''] = between(article, '<header class="update-date">', '</header>');
    const date = /<time datetime="(\d{4}-\d{2}-\d{2})"/i.exec(header)?.[1];
    if (date === undefined) return [];
    const content = article.slice(article.indexOf('</header>') + '</header>'.length);
    return { title: headingIn(content) ?? date, date, html: content };
  });
}

function headingIn(html: string): string | undefined {
  for (const level of [1, 2, 3, 4, 5, 6]) {
    const [heading] = between(html, `<h${level}`, `</h${level}>`);
    if (heading === undefined) continue;
    const inner = `<h${heading}`;
    const anchor = inner.indexOf('<a class="heading-anchor"');
    return plainText(anchor < 0 ? inner : inner.slice(0, anchor));
  }
  return undefined;
}

/** HTML without its tags, but with its character references. */
const plainText = (html: string) =>
  html
    .split('<')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('>') + 1)))
    .join('')
    .trim();

/** RSS 2.0. @param href the address of the page with the updates */
export function rssFeed(title: string, href: string, entries: readonly FeedEntry[]): string {
  const items = entries.map(
    (entry) => `<item>
<title>${rssText(entry.title)}</title>
<link>${escapeText(href)}</link>
<guid isPermaLink="false">${escapeText(`${href}#${entry.date}-${entry.title}`)}</guid>
<pubDate>${new Date(`${entry.date}T00:00:00Z`).toUTCString()}</pubDate>
<description>${escapeText(entry.html)}</description>
</item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>${rssText(title)}</title>
<link>${escapeText(href)}</link>
<description>${rssText(title)}</description>
${items.join('\n')}
</channel></rss>
`;
}

/** Titles from HTML already contain character references. */
const rssText = (text: string) => escapeText(text).replaceAll(/&amp;(#?\w+;)/g, '&$1');
