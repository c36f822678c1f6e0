import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Element, Nodes } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { expect, test } from 'vitest';
import { evaluateExpression } from '../../src/content/blocks/expressions.ts';
import type { PageSource } from '../../src/content/html/page-source.ts';
import { renderPage } from '../../src/content/html/render-page.ts';

// Answers what a careless source would: the address itself.
const source: PageSource = {
  link: (url) => ({ href: url }),
  file: (url) => ({ href: url, name: url }),
  include: (path) =>
    path === 'a' ? { markdown: '<script>alert(1)</script><img src=x onerror=y>', source } : undefined,
  evaluate: (expression) => evaluateExpression(expression, {}),
};

const forbidden = new Set(
  'script style iframe object embed link meta base form frame frameset template noscript audio video source track portal applet svg'.split(
    ' ',
  ),
);
const schemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'irc', 'ircs', 'xmpp']);

/** What a browser would run or load in a page with this HTML. */
function dangersIn(html: string): string[] {
  const dangers: string[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === 'comment') dangers.push('comment');
    if (node.type === 'element') dangers.push(...dangersOf(node));
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(fromHtml(`<body>${html}</body>`));
  return dangers;
}

function dangersOf({ tagName, properties }: Element): string[] {
  const dangers = forbidden.has(tagName) ? [`<${tagName}>`] : [];
  for (const [name, value] of Object.entries(properties)) {
    const address = String(value)
      .replaceAll(/[\u0000-\u0020]/g, '')
      .replaceAll('\\', '/');
    const scheme = /^([^/?#]*?):/.exec(address)?.[1]?.toLowerCase();
    if (/^on|^style$|^srcDoc$|^srcSet$|^ping$|^poster$|^background$|^formAction$|^action$|^name$/i.test(name))
      dangers.push(`${tagName} ${name}`);
    if (name === 'href' && tagName !== 'math' && scheme !== undefined && !schemes.has(scheme))
      dangers.push(`${tagName} ${address}`);
    if (name === 'href' && tagName !== 'a') dangers.push(`${tagName} ${address}`);
    if (name === 'src' && !/^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)/i.test(address)) {
      if (scheme !== undefined || address.startsWith('//')) dangers.push(`${tagName} ${address}`);
    }
  }
  return dangers;
}

const attacks = readFileSync(join(import.meta.dirname, 'fixtures/filter-evasion.txt'), 'utf8')
  .split('\n')
  .filter(Boolean);

test.each(attacks)('nothing runs in %s', async (attack) => {
  for (const markdown of [
    attack,
    `a ${attack} b`,
    `{% hint %}\n${attack}\n{% endhint %}`,
    `| a |\n|---|\n| ${attack} |`,
    `<div>${attack}</div>`,
  ]) {
    const { html } = await renderPage(markdown, source);
    expect(dangersIn(html), html).toEqual([]);
  }
});

test('the check finds what is dangerous', () => {
  expect(
    dangersIn('<p onclick=x><a href="javascript:x"></a><img src="//x/y"><script></script><b style=x></b></p>'),
  ).toHaveLength(5);
});

const fragments = [
  '<',
  '>',
  '"',
  "'",
  '`',
  '=',
  '/',
  '\\',
  '&',
  ';',
  '--',
  '<!--',
  '-->',
  '<a href=',
  '<img src=',
  'javascript:',
  'onerror=',
  'style=',
  '//evil.example/',
  '</',
  '<p>',
  '</p>',
  '<td>',
  '<table>',

  '</table>',
  '<svg>',
  '<math>',
  '<style>',
  '</style>',
  '<![CDATA[',
  ']]>',
  '<?',
  '{%',
  '%}',
  '{% hint %}',
  '{% endhint %}',
  '{% tab title="',
  '" %}',
  '$$',
  '**',
  '[',
  '](',
  ')',
  '\n',
  '\n\n',
  '    ',
  '> ',
  '- ',
  '| ',
  '\n|---|\n',

  '&#106;',
  '&colon;',
  '&Tab;',
  '\u0000',
  '\u2028',
  'x',
  'alert(1)',
  ' ',
  '<details>',
  '<summary>',
  '<pre>',
  '<code class="expression">',
  '</code>',
  '<picture><source srcset=',
  '<select>',
  '<template>',
  '<title>',
  '<textarea>',
];

test('nothing runs in random pieces of markup', async () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...attacks) },
    {
      weight: 8,
      arbitrary: fc.constantFrom(...fragments),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
      const { html } = await renderPage(pieces.join(''), source);
      expect(dangersIn(html), html).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
