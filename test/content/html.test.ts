import { describe, expect, test } from 'vitest';
import { evaluateExpression } from '../../src/content/blocks/expressions.ts';
import type { PageSource, RenderOptions } from '../../src/content/html/page-source.ts';
import { renderPage } from '../../src/content/html/render-page.ts';

const pages = new Map([
  ['install.md', { href: '/install', title: 'Install', description: 'How to install', emoji: '🔧' }],
  ['install.md#no', { href: '/install#no', title: 'Install', missingAnchor: true }],
]);
const files = new Map([
  ['pump.png', { href: '/files/pump.png', name: 'pump.png', width: 40, height: 20 }],
  ['pump dark.png', { href: '/files/pump-dark.png', name: 'pump dark.png' }],
  ['manual.pdf', { href: '/files/manual.pdf', name: 'manual.pdf', size: 1_500_000 }],
]);

const source: PageSource = {
  link: (url) => pages.get(url),
  file: (url) => files.get(url),
  include: (path) => (path === 'note.md' ? { markdown: 'From *here*: [i](install.md)', source } : undefined),
  evaluate: (expression) => evaluateExpression(expression, { space: { vars: { version: '<v2>' } } }),
  icon: (name) =>
    name === 'rocket'
      ? { type: 'element', tagName: 'svg', properties: { className: ['icon'] }, children: [] }
      : undefined,
};

async function html(markdown: string, options?: RenderOptions): Promise<string> {
  return (await renderPage(markdown, source, options)).html;
}

async function problems(markdown: string): Promise<string[]> {
  return (await renderPage(markdown, source)).problems.map(({ line, rule }) => `${line} ${rule}`);
}

describe('a block becomes HTML', () => {
  test.each<[name: string, markdown: string, ...parts: (string | RegExp)[]]>([
    [
      'hint',
      '{% hint style="danger" icon="rocket" %}\nA\n{% endhint %}',
      '<div class="hint hint-danger" role="note"><span class="hint-icon"><svg class="icon"></svg></span><p>A</p></div>',
    ],
    [
      'hint of an unknown style',
      '{% hint style="x&quot; onclick=" %}\nA\n{% endhint %}',
      '<div class="hint hint-info" role="note"><p>A</p></div>',
    ],
    ['heading in the middle', '<h3 align="center">A</h3>', '<h3 id="a" class="align-center">A'],
    [
      'tabs',
      '{% tabs %}\n{% tab title="One <i>" %}\nA\n{% endtab %}\n{% endtabs %}',
      '<div class="tabs"><section class="tab-panel" id="one-i"><p class="tab-title">One &#x3C;i></p><p>A</p></section></div>',
    ],
    [
      'code',
      '{% code title="a.js" overflow="wrap" lineNumbers="true" %}\n```js\nconst a = 1;\nb\n```\n{% endcode %}',
      '<div class="code code-wrap code-numbers"><div class="code-title">a.js</div><pre tabindex="0"><code class="language-js"><span class="line"><span class="hljs-keyword">const</span>',
      '<span class="line">b</span></code></pre></div>',
    ],
    [
      'highlighted lines of code',
      '```text {1,3-4}\na\n\nb\nc\nd\n```',
      '<span class="line line-highlighted">a\n</span><span class="line">\n</span><span class="line line-highlighted">b\n</span><span class="line line-highlighted">c\n</span><span class="line">d</span>',
    ],
    [
      'a diff',
      '```diff\n--- a\n+++ b\n-x\n+y\n z\n```',
      '<span class="line line-deleted"><span class="hljs-deletion">-x</span>\n</span>',
      '<span class="line line-added"><span class="hljs-addition">+y</span>\n</span><span class="line"> z</span>',
    ],
    [
      'code in HTML',
      '<pre class="language-yaml" data-title="a.yaml"><code class="lang-yaml">a: <strong>1</strong>\n</code></pre>',
      '<div class="code-title">a.yaml</div>',
      '<code class="language-yaml"><span class="hljs-attr">a:</span> <span class="hljs-number">1</span></code>',
    ],
    [
      'code that expands',
      '{% code expandable="true" %}\n```\na\n```\n{% endcode %}',
      '<div class="code code-expandable"><pre',
    ],
    [
      'commands, with programs and flags',
      "```sh\nnpm install --save a \\\n  b-c -D\nif [ -f a ]; then ./run.sh | grep 'x' ; fi\n```",
      '<span class="hljs-title">npm</span> install <span class="hljs-attr">--save</span> a \\\n  b-c <span class="hljs-attr">-D</span>',
      '<span class="hljs-keyword">then</span> <span class="hljs-title">./run.sh</span> | <span class="hljs-title">grep</span>',
    ],
    [
      'commands after a prompt, with what they print',
      '```console\n$ npm install --save\nadded 1 package\n```',
      '<span class="hljs-title">npm</span> install <span class="hljs-attr">--save</span>',
      '\nadded 1 package</code>',
    ],
    ['code of an unknown language', '```nope\n<b>\n```', '<code class="language-nope">&#x3C;b></code>'],
    [
      'tab with an icon',
      '{% tabs %}\n{% tab title="Windows" icon="rocket" %}\nA\n{% endtab %}\n{% endtabs %}',
      '<p class="tab-title"><svg class="icon"></svg>Windows</p>',
    ],
    [
      'column at the bottom',
      '{% columns %}\n{% column valign="bottom" %}\nA\n{% endcolumn %}\n{% endcolumns %}',
      '<div class="column column-bottom">',
    ],
    [
      'prompt with an icon',
      '{% prompt description="Ask" icon="rocket" %}\nA\n{% endprompt %}',
      '<summary class="prompt-description"><svg class="icon"></svg>Ask</summary>',
    ],
    [
      'prompt to open elsewhere',
      '{% prompt description="Ask" defaultExpanded="partial" openInAIProviders="true" %}\n```md\nA & <b>\n```\n{% endprompt %}',
      /<details class="prompt expandable" open>.*<div class="code code-expandable code-wrap">.*href="https:\/\/claude\.ai\/new\?q=A%20%26%20%3Cb%3E" rel="nofollow noopener">Claude ↗<\/a><\/p><\/details>/s,
    ],
    [
      'prompt that stays here',
      '{% prompt openInAIProviders="false" %}\n```\nA\n```\n{% endprompt %}',
      /^<details class="prompt expandable"><summary class="prompt-description">Prompt<\/summary><div class="code code-wrap">(?!.*<a)/s,
    ],
    [
      'updates with short dates',
      '{% updates format="short" %}\n{% update date="2026-01-31" %}\nA\n{% endupdate %}\n{% endupdates %}',
      '<time datetime="2026-01-31">Jan 31, 2026</time>',
    ],
    [
      'updates with dates in numbers',
      '{% updates format="numeric" %}\n{% update date="2026-01-31" %}\nA\n{% endupdate %}\n{% endupdates %}',
      '<time datetime="2026-01-31">1/31/2026</time>',
    ],
    [
      'expandable',
      '<details open>\n\n<summary>More</summary>\n\n*A*\n\n</details>',
      '<details open class="expandable"><summary>More</summary><p><em>A</em></p></details>',
    ],
    [
      'stepper',
      '{% stepper %}\n{% step %}\n### A\n\nB\n{% endstep %}\n{% endstepper %}',
      /<ol class="steps"><li class="step"><h3 id="a">A.*<\/h3><p>B<\/p><\/li><\/ol>/,
    ],
    [
      'columns',
      '{% columns %}\n{% column width="33.3%" %}\nA\n{% endcolumn %}\n{% column %}\nB\n{% endcolumn %}\n{% endcolumns %}',
      '<div class="columns"><div class="column column-4"><p>A</p></div><div class="column"><p>B</p></div></div>',
    ],
    [
      'figure',
      '<div align="left" data-with-frame="true"><figure><img src="pump.png" alt="P" width="30"><figcaption><p>A pump</p></figcaption></figure></div>',
      '<figure class="figure-left framed"><img src="/files/pump.png" alt="P" width="30"><figcaption><p>A pump</p></figcaption></figure>',
    ],
    [
      'picture',
      '<picture><source srcset="pump dark.png" media="(prefers-color-scheme: dark)"><img src="pump.png" alt="P"></picture>',
      '<img src="/files/pump.png" alt="P" width="40" height="20" class="image-light" loading="lazy">',
      'src="/files/pump-dark.png" alt="P" loading="lazy"',
      'class="image-dark"',
    ],
    [
      'image for dark pages',
      '![P](pump.png#gh-dark-mode-only)',
      '<img src="/files/pump.png" alt="P" width="40" height="20" class="image-dark">',
    ],
    [
      'embed',
      '{% embed url="https://www.video.example/a?b" %}\nA film\n{% endembed %}',
      '<a class="embed" href="https://www.video.example/a?b">',
      '<span class="embed-host">video.example/a</span>',
      '<figcaption>A film</figcaption>',
    ],
    [
      'file',
      '{% file src="manual.pdf" %}\nThe *manual*\n{% endfile %}',
      '<a class="file" href="/files/manual.pdf" download="manual.pdf">',
      '<span class="file-size">1.5 MB</span>',
      '<figcaption>The <em>manual</em></figcaption>',
    ],
    [
      'content-ref',
      '{% content-ref url="install.md" %}\n[install.md](install.md)\n{% endcontent-ref %}',
      '<a class="page-link" href="/install"><span class="emoji" aria-hidden="true">🔧</span>',
      '<span class="page-link-title">Install</span><span class="page-link-description">How to install</span>',
    ],
    [
      'button',
      '<a href="install.md" class="button secondary" data-icon="rocket">Go</a>',
      '<a href="/install" class="button button-secondary"><svg class="icon"></svg>Go</a>',
    ],
    [
      'search button',
      '<button type="button" class="button primary" data-action="search" data-query="a&quot;b" onclick="x()">Find</button>',
      '<button type="button" class="button button-primary" data-action="search" data-query="a&#x22;b">Find</button>',
    ],
    ['emoji', ':canada: :robot_face: :no such: 10:30:00', '<p>🇨🇦 🤖 :no such: 10:30:00</p>'],
    ['icon', 'A <i class="fa-rocket">:rocket:</i>', '<p>A <svg class="icon"></svg></p>'],
    ['formula', 'A $$x^2$$', '<span class="math"><math><msup><mi>x</mi>'],
    [
      'overline',
      'A $$\\overline{x}$$',
      '<mover class="tml-lined"><mrow class="tml-overline"><mi>x</mi></mrow><mo stretchy="true">‾</mo></mover>',
    ],
    ['colored formula', 'A $$\\color{red}x$$', '<mi mathcolor="#ff0000">x</mi>'],
    ['cells of a matrix', '$$\\begin{matrix}a&b\\end{matrix}$$', '<mtd class="tml-left-0 tml-right-50">'],
    ['formula in lines', '$$\nx\n$$', '<div class="math math-block"><math display="block"'],
    [
      'updates',
      '{% updates %}\n{% update date="2026-02-03" tags="new" %}\nA\n{% endupdate %}\n{% endupdates %}',
      '<article class="update"><header class="update-date"><time datetime="2026-02-03">February 3, 2026</time><span class="tag">new</span></header><div class="update-content flow"><p>A</p></div></article>',
    ],
    [
      'prompt',
      '{% prompt description="Ask" defaultExpanded="full" %}\n```\nA\n```\n{% endprompt %}',
      '<details class="prompt expandable" open><summary class="prompt-description">Ask</summary><div class="code code-wrap">',
    ],
    ['include', 'B {% include "note.md" %}', '<p>B From <em>here</em>: <a href="/install">i</a></p>'],
    ['expression', 'V <code class="expression">space.vars.version</code>', '<p>V &#x3C;v2></p>'],
    ['expression in HTML', '<p><code class="expression">space.vars.version + "!"</code></p>', '<p>&#x3C;v2>!</p>'],
    ['condition', '{% if space.vars.version == "x" %}A{% else %}B{% endif %}', '<p>B</p>'],
    [
      'diagram',
      '```mermaid\ngraph TD\n```',
      '<figure class="diagram"><pre class="mermaid" tabindex="0"><code>graph TD</code></pre></figure>',
    ],
    [
      'mermaid block',
      '{% @mermaid/diagram content="graph TD" %}',
      '<figure class="diagram"><pre class="mermaid" tabindex="0"><code>graph TD</code></pre></figure>',
    ],
    [
      'unknown block',
      '{% foo a="<b>" %}\nB\n{% endfoo %}',
      '<p><span class="unknown-block">foo a="&#x3C;b>"</span></p><p>B</p>',
    ],
    [
      'block of an integration',
      '{% @marketo/form formid="1" %}\n\nA {% @acme/inline %}',
      '<div class="integration-block"><p class="integration-name">@marketo/form</p></div>',
      '<span class="integration-block"><span class="integration-name">@acme/inline</span></span>',
    ],
    [
      'alert of GitHub',
      '> [!WARNING]\n> Hot *water*.\n\n> [!NOTE] a quote',
      '<div class="hint hint-warning" role="note"><p>Hot <em>water</em>.</p></div>',
      '<blockquote>',
    ],
    [
      'container',
      '::::note[Read "this"]\n:::tip\nInner\n:::\n- a\n::::',
      '<div class="hint hint-info" role="note"><p><strong>Read "this"</strong></p><div class="hint hint-success" role="note"><p>Inner</p></div><ul>',
    ],
    [
      'container that readers open',
      'A\n\n:::details More <b>\nText *here*\n:::\nB',
      '<p>A</p>',
      '<summary>More &#x3C;b></summary><p>Text <em>here</em></p></details>',
      '<p>B</p>',
    ],
    [
      'tabs of Docusaurus',
      '<Tabs groupId="os">\n<TabItem value="mac" label="macOS" default>\nUse *brew*.\n</TabItem>\n<TabItem value="win">\n\nUse winget.\n\n</TabItem>\n</Tabs>',
      'macOS',
      '<p>Use <em>brew</em>.</p>',
      'win',
    ],
    ['tabs of Docusaurus that are not closed', '<Tabs>\n<TabItem value="mac">\n\nText\n\n</TabItem>\n', '<p>Text</p>'],
    ['container in code', '```\n:::tip\n:::\n```', ':::tip\n:::</code>'],
    [
      'highlighted lines',
      '```js {2-3}\na\nb\nc\nd\n```',
      '<span class="line">a\n</span><span class="line line-highlighted">b\n</span><span class="line line-highlighted">c\n</span><span class="line">d</span>',
    ],
    ['unknown HTML tag', 'the <fooBar> id', '<p>the <span class="unknown-block">&#x3C;foobar></span> id</p>'],
    [
      'OpenAPI operation without a source',
      '{% openapi-operation spec="pets" path="/pet" method="post" %}\n[spec](https://api.example/a.yaml)\n{% endopenapi-operation %}',
      '<code>POST /pet</code> pets',
      '<a href="https://api.example/a.yaml">',
    ],
  ])('%s', async (_, markdown, ...parts) => {
    const written = await html(markdown);
    for (const part of parts) {
      if (typeof part === 'string') expect(written).toContain(part);
      else expect(written).toMatch(part);
    }
    expect(written).not.toContain('{%');
  });

  test('cards', async () => {
    const written = await html(
      '<table data-view="cards" data-card-size="large"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th><th data-hidden>X</th></tr></thead><tbody><tr><td><h4>Install</h4></td><td>Text</td><td><a href="install.md">install.md</a></td><td><a href="pump.png">pump.png</a></td><td>secret</td></tr></tbody></table>',
    );
    expect(written).toBe(
      '<ul class="cards cards-large"><li class="card card-with-cover"><img src="/files/pump.png" alt="" width="40" height="20" class="card-cover" loading="lazy"><div class="card-body"><div class="card-text"><p class="card-title"><a class="card-link" href="/install">Install</a></p></div><div class="card-text">Text</div></div></li></ul>',
    );
  });

  test('tables of both kinds', async () => {
    expect(await html('| a | b |\n|---|:-:|\n| 1 | *2* |')).toContain(
      '<div class="table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" class="align-center">b</th></tr></thead><tbody><tr><td>1</td><td class="align-center"><em>2</em></td></tr></tbody></table></div>',
    );
    // Without a title for a column, no header is announced with its cells.
    expect(await html('| | b |\n|---|---|\n| 1 | 2 |')).toContain('<thead><tr><td></td><th scope="col">b</th></tr>');
    const written = await html(
      '<table data-header-hidden><thead><tr><th width="100">A<select><option value="1" label="x"></option></select></th><th data-hidden>B</th><th data-type="checkbox">C</th></tr></thead><tbody><tr><td>\n\n{% hint %}\n**1**\n{% endhint %}\n\n</td><td>2</td><td>true</td></tr></tbody></table>',
    );
    expect(written).toContain(
      '<thead class="visually-hidden"><tr><th scope="col" width="100">A</th><th scope="col">C</th></tr></thead>',
    );
    expect(written).toContain('<td>\n<div class="hint hint-info" role="note"><p><strong>1</strong></p></div>\n</td>');
    expect(written).toContain('<td><span class="check check-yes">✓</span></td>');
  });

  test('tasks are labelled', async () => {
    expect(await html('- [x] A *b*\n  - c')).toContain(
      '<li class="task-list-item"><label><input type="checkbox" disabled checked> A <em>b</em>\n</label><ul>',
    );
  });
});

describe('links', () => {
  test('lead where the source says, or are marked', async () => {
    expect(await html('[a](install.md) [install.md](install.md) [b](no.md)')).toBe(
      '<p><a href="/install">a</a> <a href="/install">Install</a> <span class="broken-link">b</span></p>',
    );
    expect(await html('<a data-mention href="install.md">install.md</a>')).toBe(
      '<p><a href="/install">Install</a></p>',
    );
    expect(await html('https://a.example [c](mailto:a@b.example)')).toBe(
      '<p><a href="https://a.example" class="external">https://a.example</a> <a href="mailto:a@b.example">c</a></p>',
    );
  });

  test('problems have their lines', async () => {
    const text = [
      '---',
      'title: A',
      '---',
      '',
      '[b](no.md) [c](install.md#no)',
      '',
      '## H',
      '[d](#h) [e](#x)',
      '',
      '> <p><img src="no.png">',
      '> <img src="https://a.example/b.png"></p>',
    ];
    expect(await problems(text.join('\n'))).toEqual([
      '5 broken-link',
      '5 missing-anchor',
      '8 missing-anchor',
      '10 missing-file',
      '11 remote-image',
    ]);
  });

  test('what a page uses is known', async () => {
    const { uses } = await renderPage(
      '[a](install.md) ![](pump.png) {% include "note.md" %} {% vars.version %}\n\n{% openapi-schemas spec="pets" %}',
      source,
    );
    expect(uses).toEqual({
      links: ['install.md'],
      files: ['pump.png'],
      includes: ['note.md'],
      variables: ['space.vars.version'],
      specs: ['pets'],
    });
  });
});

describe('headings', () => {
  test('have the anchors that other pages use', async () => {
    const { headings, html: written } = await renderPage(
      '# Title\n\n## One *two*\n\n## One two\n\n## Own <a href="#x" id="x"></a>',
      source,
      { title: 'Title' },
    );
    expect(headings).toEqual([
      { id: 'one-two', depth: 2, text: 'One two' },
      { id: 'one-two-1', depth: 2, text: 'One two' },
      { id: 'x', depth: 2, text: 'Own' },
    ]);
    expect(written).not.toContain('Title');
  });

  test('divide the text for search', async () => {
    const { sections } = await renderPage('Intro\n\n## A\n\nText **bold**\n\n- item\n\n## B', source);
    expect(sections.map(({ heading, text }) => [heading?.id, text])).toEqual([
      [undefined, 'Intro'],
      ['a', 'Text bold\nitem'],
      ['b', ''],
    ]);
  });
});

test('dates and sizes follow the language', async () => {
  expect(await html('{% update date="2026-02-03" %}{% endupdate %}', { locale: 'de' })).toContain('3. Februar 2026');
});

test.each([
  ['deep HTML', '<div>'.repeat(10_000)],
  ['deep quotes', '>'.repeat(5_000) + 'a'],
  ['deep blocks', '{% hint %}\n'.repeat(1_000)],
  ['deep emphasis', '*a **b '.repeat(2_000)],
  ['tags without an end', '{% '.repeat(20_000)],
  ['tags with quotes', '{% a="'.repeat(20_000) + '%}'],
  ['HTML with many tags', '<p>\n{% hint %}\n'.repeat(1_000)],
  ['formulas without an end', '$$ '.repeat(3_001)],
  ['expressions without an end', '<code class="expression">'.repeat(5_000)],
  ['nested tables', '<table><tr><td>'.repeat(3_000)],
  ['end tags', '{% endhint %}\n'.repeat(2_000)],
])('takes little time for %s', async (_, markdown) => {
  const start = process.cpuUsage();
  await renderPage(markdown, source);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000_000).toBeLessThan(10);
});
