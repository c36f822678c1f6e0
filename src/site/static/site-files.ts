import { html } from '../html.ts';
import { exportPolicy } from '../own-files.ts';
import { type ListedPage, llmsText, robots, rssFeed, sitemap, updatesIn } from '../machine-files.ts';
import type { OutputNames } from './output-names.ts';
import { relativeAddress } from './output-names.ts';
import type { StaticPage, StaticSource } from './static-source.ts';

/** The absolute address of an exported file. `index.html` has the address of its folder. */
export const absoluteAddress = (baseUrl: string, file: string): string =>
  `${baseUrl}/${relativeAddress('', file).replace(/(^|\/)index\.html$/, '$1')}`;

interface ListOptions {
  source: Pick<StaticSource, 'title' | 'pages' | 'isListed' | 'drawsDiagrams'>;
  names: OutputNames;
  /** Without a slash at its end. */
  baseUrl: string | undefined;
}

/** Files for programs, by name. Those that need absolute addresses are only created with a base URL. */
export function* listFiles({ source, names, baseUrl }: ListOptions): Generator<[name: string, text: string]> {
  const addressOf = (file: string) =>
    baseUrl === undefined ? relativeAddress('', file) : absoluteAddress(baseUrl, file);
  const listed = (page: StaticPage): ListedPage => {
    const { title, description, updatedAt } = page;
    const { html: file, markdown } = names.of(page);
    return { title, description, updatedAt, href: addressOf(file), markdownHref: addressOf(markdown) };
  };
  const shown = source.pages.filter(({ isHidden }) => !isHidden);
  const spaces = Map.groupBy(
    shown.filter(({ noIndex }) => !noIndex),
    ({ space }) => space,
  );
  const sections = [...spaces].map(([title, pages]) => ({ title, pages: pages.map(listed) }));
  yield ['llms.txt', llmsText(source.title, sections)];
  yield ['robots.txt', robots(source.isListed, baseUrl === undefined ? undefined : `${baseUrl}/sitemap.xml`)];
  if (baseUrl !== undefined) {
    yield ['sitemap.xml', sitemap(shown.filter(({ noRobotsIndex }) => !noRobotsIndex).map(listed))];
  }
  // Jekyll on GitHub Pages would skip names that start with an underscore.
  yield ['.nojekyll', ''];
  yield ['_headers', headersFile(source.drawsDiagrams === true)];
}

/**
 * Gives sites the same protection as the local instance, on hosts that read this file. Some hosts combine the rules for all
 * paths and for one path. With diagrams, this policy therefore allows what their frame needs, and pages contain a stricter
 * one.
 */
const headersFile = (drawsDiagrams: boolean) => `/*
  Content-Security-Policy: ${drawsDiagrams ? `${exportPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}; frame-src 'self'; frame-ancestors 'self'` : `${exportPolicy}; frame-ancestors 'none'`}
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
/assets/files/*
  Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox
`;

/** The feed of a page; undefined if it has no updates. */
export function feedOf(page: StaticPage, body: string, href: string): string | undefined {
  const updates = body.includes('class="updates"') ? updatesIn(body) : [];
  return updates.length === 0 ? undefined : rssFeed(page.title, href, updates);
}

export interface OutputRedirect {
  from: string;
  /** The file of a page, or the address of another host. */
  to: { file: string; anchor: string } | { url: string };
  /** The file of its own page. */
  file: string;
}

/** The format of Netlify, Cloudflare Pages and GitLab Pages. */
export function redirectsFile(redirects: readonly OutputRedirect[], baseUrl: string | undefined): string {
  const prefix = pathOf(baseUrl);
  return redirects
    .map(({ from, to }) => {
      const target = 'url' in to ? to.url : `${prefix}/${relativeAddress('', to.file)}${to.anchor}`;
      return `${prefix}/${relativeAddress('', from)} ${target} 301\n`;
    })
    .join('');
}

export const pathOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');

/** A page that redirects, for hosts without redirects. */
export function redirectPage({ to, file }: OutputRedirect): string {
  const href = 'url' in to ? to.url : `${relativeAddress(file, to.file)}${to.anchor}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Moved</title>
        <meta name="robots" content="noindex" />
        <meta http-equiv="refresh" content="0; url=${href}" />
      </head>
      <body>
        <p><a href="${href}">The page has moved.</a></p>
      </body>
    </html> `.text;
}
