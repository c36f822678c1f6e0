import { escapeText } from './html.ts';

/** Files of a site for programs. All addresses are absolute. */

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

/** @param isListed whether search engines may list the site */
export const robots = (isListed: boolean, sitemapHref: string): string =>
  isListed ? `User-agent: *\nAllow: /\n\nSitemap: ${sitemapHref}\n` : 'User-agent: *\nDisallow: /\n';

/** The list of pages for language models (llmstxt.org). */
export function llmsText(title: string, sections: readonly ListedSection[]): string {
  const lists = sections
    .filter(({ pages }) => pages.length > 0)
    .map((section) => `## ${oneLine(section.title)}\n\n${section.pages.map(llmsEntry).join('\n')}\n`);
  return `# ${oneLine(title)}\n\n${lists.join('\n')}`;
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const llmsEntry = ({ title, markdownHref, description }: ListedPage) => {
  const label = oneLine(title).replaceAll(/[[\]\\]/g, String.raw`\$&`);
  return `- [${label}](${markdownHref})${description ? `: ${oneLine(description)}` : ''}`;
};

/** A page as Markdown that begins with its title. */
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

const update = /<article class="update">\s*<header class="update-date">([\s\S]*?)<\/header>([\s\S]*?)<\/article>/g;

/** The updates of a page, of the HTML that the renderer makes of them. */
export function updatesIn(html: string): FeedEntry[] {
  return [...html.matchAll(update)].flatMap(([, header = '', content = '']) => {
    const date = /<time datetime="(\d{4}-\d{2}-\d{2})"/i.exec(header)?.[1];
    if (date === undefined) return [];
    const heading = /<h([1-6])\b[^>]*>([\s\S]*?)<\/h\1>/.exec(content)?.[2];
    return { title: heading === undefined ? date : plainText(heading), date, html: content };
  });
}

const plainText = (html: string) =>
  html
    .replaceAll(/<a class="heading-anchor"[\s\S]*?<\/a>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .trim();

/** RSS 2.0. @param href of the page that the updates are on */
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

/** A title from HTML has character references already. */
const rssText = (text: string) => escapeText(text).replaceAll(/&amp;(#?\w+;)/g, '&$1');
