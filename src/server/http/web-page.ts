import { escapeHtml } from '../../shared/escape-html.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';

/** A page for a browser, without scripts. The caller must escape texts in the HTML. */
export interface WebPage {
  title: string;
  /** HTML. */
  body: string;
  status?: number;
  language?: string;
  /** Colors of links, in light and dark mode. */
  colors?: { light: string; dark: string };
  /** Whether search engines are asked not to list the page. */
  unlisted?: boolean;
  /** Origin of images, besides the instance itself. */
  images?: string;
  headers?: Record<string, string>;
}

const style = ({ light, dark }: { light: string; dark: string }) => `
:root { color-scheme: light dark; --link: ${light} }
@media (prefers-color-scheme: dark) { :root { --link: ${dark} } }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1.5rem; display: flex; flex-wrap: wrap; gap: 2rem }
nav { flex: 1 1 14rem; font-size: .95rem } nav ul { list-style: none; margin: 0; padding-left: .8rem }
main { flex: 4 1 30rem; min-width: 0 } a { color: var(--link) } [aria-current] { font-weight: bold }
img { max-width: 100% } pre { overflow-x: auto; padding: 1rem; background: #8881 } code { font-size: .9em }
table { border-collapse: collapse } th, td { border: 1px solid #8886; padding: .3rem .6rem; text-align: left }
blockquote { border-left: 3px solid #8886; margin: 0; padding-left: 1rem }`;

export function webPage({
  title,
  body,
  status = 200,
  language = 'en',
  colors = { light: '#0b57d0', dark: '#a8c7fa' },
  unlisted = true,
  images = '',
  headers = {},
}: WebPage): InstanceResponse {
  const css = style(colors);
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256').update(css).digest('base64');
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...(unlisted ? { 'x-robots-tag': 'noindex' } : {}),
      ...headers,
    },
    body: `<!doctype html>
<html lang="${escapeHtml(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${css}</style></head>
<body>
${body}
</body>
</html>
`,
  };
}

/** Whether the request is from a browser. Other programs get errors as JSON. */
export const isForBrowser = ({ headers }: Pick<InstanceRequest, 'headers'>): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '');

/** The page of an address that does not exist; undefined for other programs than browsers. */
export const nothingHere = (request: InstanceRequest): InstanceResponse | undefined =>
  isForBrowser(request)
    ? webPage({
        status: 404,
        title: 'Not found',
        body: '<main><h1>Page not found</h1><p>Check the address. The page may also not be published any more.</p></main>',
      })
    : undefined;
