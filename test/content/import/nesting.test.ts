import { expect, test } from 'vitest';
import type { Imported } from '../../../src/content/import/imported.ts';
import { importFrom } from '../../../src/content/import/sources.ts';
import { listen } from '../../support/service.ts';

/** Titles of an import with those of the pages below them. */
function outlineOf({ pages }: Imported, parent: string | null = null): unknown[] {
  return pages
    .filter((page) => page.parent === parent)
    .map(({ ref, title }) => {
      const below = outlineOf({ pages, files: [], total: 0 }, ref);
      return below.length > 0 ? [title, below] : title;
    });
}

async function importSite(pages: Record<string, string>): Promise<Imported> {
  const base = await listen((request, response) => {
    const page = pages[request.url!];
    if (page === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  return importFrom('website', `${base}/m/`, { allowPrivate: true });
}

/** A page as DocBook makes it. */
function docbook(title: string, { up, next, body = '' }: { up?: string; next?: string; body?: string }) {
  const links = [
    up && `<a accesskey="u" href="${up}" title="Up">Up</a>`,
    next && `<a accesskey="n" href="${next}">Next</a>`,
  ];
  const navigation = (side: string) =>
    `<div class="nav${side}"><table><tr><td>${links.join('</td><td>')}</td></tr></table></div>`;
  return `<html><head><title>${title}</title></head><body>${navigation('header')}<div class="chapter"><h2>${title}</h2><p>About ${title} are these words.</p>${body}</div>${navigation('footer')}</body></html>`;
}

test('pages of a manual are nested and ordered as their Up and Next links say', async () => {
  const toc =
    '<div class="toc"><dl><dt><a href="one.html">One</a></dt><dd><dl><dt><a href="one-a.html">A</a></dt></dl></dd></dl></div>';
  const imported = await importSite({
    // Its text names the last page first.
    '/m/': docbook('Manual', { next: 'one.html', body: `<p>See <a href="two.html" title="2. Two">two</a>.</p>${toc}` }),
    '/m/one.html': docbook('One', { up: './', next: 'one-a.html', body: '<p><a href="one-b.html">b</a></p>' }),
    '/m/one-a.html': docbook('A', { up: 'one.html', next: 'one-b.html' }),
    '/m/one-b.html': docbook('B', { up: 'one.html', next: 'two.html' }),
    '/m/two.html': docbook('Two', { up: './' }),
  });

  expect(outlineOf(imported)).toEqual(['Manual', ['One', ['A', 'B']], 'Two']);
  expect(imported.pages[0]!.markdown).toBe('# Manual\n\nAbout Manual are these words.\n\nSee [two](./two.md).\n');
  expect(imported.pages[2]!.markdown).toBe('# A\n\nAbout A are these words.\n');
});

test('pages are nested as breadcrumbs and definition lists say, and a circle of Up links does no harm', async () => {
  const page = (title: string, above: string, rest = '') =>
    `<title>${title}</title><ol class="breadcrumb"><li><a href="/m/">Home</a></li>${above}</ol><main><h1>${title}</h1><p>Words of ${title}.</p>${rest}</main>`;
  const guides = '<li><a href="guides">Guides</a></li>';
  const imported = await importSite({
    '/m/': page('Home', '', '<a href="guides">g</a> <a href="deep">d</a> <a href="x">x</a> <a href="y">y</a>'),
    '/m/guides': page('Guides', guides),
    '/m/deep': page('Deep', guides),
    '/m/x': `<title>X</title><link rel="up" href="y"><main><h1>X</h1><p>Words of X.</p></main>`,
    '/m/y': `<title>Y</title><link rel="up" href="x"><main><h1>Y</h1><p>Words of Y.</p></main>`,
  });

  expect(outlineOf(imported)).toEqual(['Home', ['Guides', ['Deep']], ['Y', ['X']]]);
});
