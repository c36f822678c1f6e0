import { type AssetName, assetName } from './assets.ts';
import { formatColor, parseColor, textOn } from './colors.ts';
import { attribute, escapeText, html, type Html } from './html.ts';
import { lookClasses } from './look.ts';
import type { Site, SitePage } from './model.ts';
import { type Drawing, drawingOf } from './templates/controls.ts';
import { footer } from './templates/footer.ts';
import { announcement, header } from './templates/header.ts';
import { contents, hasOutline, outline } from './templates/navigation.ts';
import { cover, layoutOf, pageArticle } from './templates/page.ts';
import { scriptTexts } from './texts.ts';

/** A whole HTML document. It has no inline styles or scripts, which allows a strict content security policy. */
export function pageDocument(site: Site, page: SitePage): string {
  const drawing = drawingOf(site);
  const { kind = 'page' } = page;
  return html`<!doctype html>
    <html
      lang="${site.locale}"
      dir="${site.direction}"
      class="${lookClasses(site.look)}${site.assets.hasSystemFonts === true ? ' system-fonts' : ''}"
      data-theme="${site.themes.default}"
      ${attribute('data-themes', site.themes.isToggleable && 'toggle')}
      data-texts="${JSON.stringify(scriptTexts(site.locale, hasDiagrams(site, page)))}"
    >
      ${head(site, page)}
      <body data-kind="${kind}">
        ${kind === 'gate' ? gate(drawing, page) : frame(drawing, page)}
      </body>
    </html> `.text;
}

/** Whether the browser draws diagrams on the page, for which it needs a frame. */
export const hasDiagrams = ({ assets }: Site, { hasMermaid }: Pick<SitePage, 'hasMermaid'>): boolean =>
  hasMermaid === true && assets.diagrams !== undefined;

/** For language models, before the text of the page. People do not see it: they have the table of contents. */
const agentNote = ({ llmsHref }: SitePage): Html | undefined =>
  llmsHref === undefined
    ? undefined
    : html`<p class="visually-hidden" aria-hidden="true">
        For language models: all pages of this site are listed in <a href="${llmsHref}" tabindex="-1">llms.txt</a>.
      </p>`;

function frame(drawing: Drawing, page: SitePage): Html {
  const layout = layoutOf(page);
  const hasContents = layout.tableOfContents && drawing.site.navigation.length > 0;
  // Elsewhere, the column of the outline is reserved, so that the text has the same position on all pages.
  const isWide = !layout.outline;
  const classes = ['frame', ...(hasContents ? [] : ['without-contents']), ...(isWide ? ['wide'] : [])].join(' ');
  return html`<a class="skip-link" href="#content">${drawing.texts.skipToContent}</a>
    ${agentNote(page)} ${announcement(drawing)} ${header(drawing)}
    ${layout.cover && layout.coverSize === 'full' && cover(page)}
    <div class="${classes}">
      ${contents(drawing)}
      <main id="content" tabindex="-1">${pageArticle(drawing, page)}</main>
      ${hasOutline(page) && outline(drawing, page)}
    </div>
    ${footer(drawing)}`;
}

const gate = (drawing: Drawing, page: SitePage): Html =>
  html`<main id="content" class="gate-card">
    <p class="gate-site">${drawing.site.title}</p>
    ${pageArticle(drawing, page)}
  </main>`;

function head(site: Site, page: SitePage): Html {
  const { folder, look, diagrams, policy, scripts = [] } = site.assets;
  const { kind = 'page' } = page;
  const frames = hasDiagrams(site, page) ? "; frame-src 'self'" : '';
  const more = [...(diagrams !== undefined && hasDiagrams(site, page) ? [diagrams] : []), ...scripts];
  const style = (href: string) => html`<link rel="stylesheet" href="${href}" />`;
  return html`<head>
    <meta charset="utf-8" />
    ${policy !== undefined && html`<meta http-equiv="Content-Security-Policy" content="${policy}${frames}" />`}
    <title>${titleOf(site, page)}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${(page.noIndex === true || page.isHidden === true) && html`<meta name="robots" content="noindex" />`}
    ${kind === 'page' && described(page) !== '' && html`<meta name="description" content="${described(page)}" />`}
    ${fontLinks(site, page)}
    <script src="${folder}${assetName('theme.js')}"></script>
    ${style(folder + assetName('site.css'))}${page.html.includes('<math') && style(folder + assetName('math.css'))}${look !== undefined && style(look)}
    <script defer src="${folder}${assetName('site.js')}"></script>
    ${/class="api-(?:operation|card)/.test(page.html) && html`<script defer src="${folder}${assetName('reference.js')}"></script>`}
    ${more.map((src) => html`<script type="module" src="${src}"></script>`)} ${favicon(site)} ${relations(page)}
    ${preview(site, page)}
  </head>`;
}

/** Fonts are loaded together with the style sheet, so that the first text is drawn with them. */
function fontLinks({ assets, look }: Site, { html: text }: SitePage): Html[] {
  if (assets.hasSystemFonts === true) return [];
  const fonts: AssetName[] = [
    ...(look.font === 'Inter' ? (['inter.woff2'] as const) : []),
    ...(text.includes('<code') ? (['mono.woff2'] as const) : []),
  ];
  return fonts.map(
    (name) =>
      html`<link rel="preload" href="${assets.folder}${assetName(name)}" as="font" type="font/woff2" crossorigin />`,
  );
}

const titleOf = (site: Site, page: SitePage) =>
  page.title === site.title ? site.title : `${page.title} – ${site.title}`;

const maxDescription = 160;

/** The description of the page, or else the beginning of its first paragraph. */
function described({ description, html: text }: SitePage): string {
  if (description !== undefined && description !== '') return description;
  const [start, end] = [text.indexOf('<p>'), text.indexOf('</p>')];
  if (start === -1 || end < start) return '';
  const plain = unescaped(text.slice(start, end).replaceAll(/<[^<>]{0,2000}>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain.length <= maxDescription) return plain;
  return `${plain.slice(0, maxDescription).replace(/\s\S{0,40}$/, '')}…`;
}

const characters: Record<string, string> = { '#x26': '&', '#x3C': '<', amp: '&', lt: '<', gt: '>', quot: '"' };

const unescaped = (text: string): string =>
  text.replaceAll(/&(#x26|#x3C|amp|lt|gt|quot);/g, (whole, name: string) => characters[name] ?? whole);

/** A picture of 100 by 100, as an address. */
const drawnIcon = (content: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>`)}`;

function favicon({ favicon: icon, look, title }: Site): Html {
  if (!icon) {
    const { light } = look.primaryColor;
    const letter = escapeText([...title.trim()][0]?.toUpperCase() ?? '');
    const text = `<text x="50" y="70" font-size="58" font-family="sans-serif" font-weight="700" text-anchor="middle" fill="${formatColor(textOn(parseColor(light)))}">${letter}</text>`;
    return html`<link
      rel="icon"
      href="${drawnIcon(`<rect width="100" height="100" rx="22" fill="${light}"/>${text}`)}"
    />`;
  }
  if ('emoji' in icon) {
    const text = `<text y=".9em" font-size="90">${icon.emoji.replaceAll(/[<>&]/g, '')}</text>`;
    return html`<link rel="icon" href="${drawnIcon(text)}" />`;
  }
  const { light, dark = light } = icon.picture;
  return html`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)" />
    <link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)" />`;
}

const relations = ({ canonical, markdownHref, feedHref, previous, next }: SitePage): Html =>
  html`${canonical !== undefined && html`<link rel="canonical" href="${canonical}" />`}${markdownHref !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdownHref}" />`}${feedHref !== undefined && html`<link rel="alternate" type="application/rss+xml" href="${feedHref}" />`}${previous?.href !== undefined && html`<link rel="prev" href="${previous.href}" />`}${next?.href !== undefined && html`<link rel="next" href="${next.href}" />`}`;

/** Open Graph data, which other services show with a link to the page. */
function preview(site: Site, page: SitePage): Html {
  const { title, canonical, kind = 'page' } = page;
  const description = described(page);
  if (kind !== 'page') return html``;
  const property = (name: string, content: string | undefined) =>
    content !== undefined && content !== '' && html`<meta property="og:${name}" content="${content}" />`;
  const picture = site.socialPreview ?? page.socialHref;
  return html`${property('type', 'article')}${property('title', title)}${property('site_name', site.title)}${property('description', description)}${property('url', canonical)}${property('image', picture)}
    <meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}" />`;
}
