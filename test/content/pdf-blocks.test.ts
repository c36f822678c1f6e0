import { expect, test } from 'vitest';
import { blocksOfHtml } from '../../src/content/pdf/html.ts';
import { writePdf } from '../../src/content/pdf/pdf.ts';
import { picturesIn, readPage } from '../../src/content/pdf/read-page.ts';
import { copiedText } from '../support/pdf-text.ts';

async function textOf(markdown: string) {
  const parts: Uint8Array[] = [];
  const findings = await writePdf(
    [{ id: 'a', title: 'A', depth: 0 }],
    {
      title: 'A',
      text: () => markdown,
      fonts: { installed: () => [] },
      include: (path) => (path === '../.gitbook/includes/snippet.md' ? 'Reusable words.' : undefined),
      values: () => ({ space: { vars: { version: '9.9' } }, visitor: { claims: { plan: 'free' } } }),
    },
    (bytes) => parts.push(bytes),
  );
  const file = Buffer.concat(parts).toString('latin1');
  return { text: copiedText(file), findings, tags: file };
}

test('hints and blocks of other tools and integrations are laid out', async () => {
  const { text, findings, tags } = await textOf(
    '> [!TIP]\n> Drain the pump.\n\n:::danger Hot\n\nWater\n\n:::\n\n{% @marketo/form formid="1" %}\n\n```js {2}\na\nb\n```\n',
  );

  expect(text).not.toMatch(/:::|\[!TIP\]|formid/);
  expect(text).toContain('@marketo/form');
  expect(tags).toContain('/Note');
  expect(text).toContain('Hot');
  expect(findings).toEqual([]);
});

test('blocks are laid out, and no tag is printed', async () => {
  const { text, findings } = await textOf(
    `{% hint style="danger" %}
Hot *water*.
{% endhint %}

{% tabs %}
{% tab title="Shell" %}
{% code title="run.sh" lineNumbers="true" %}
\`\`\`sh
docsctl whoami
\`\`\`
{% endcode %}
{% endtab %}
{% endtabs %}

<details>

<summary>Why <b>so</b>?</summary>

Because **so**.

</details>

{% stepper %}
{% step %}
### First step
{% endstep %}
{% endstepper %}

{% columns %}
{% column %}
Left side
{% endcolumn %}
{% column %}
Right side
{% endcolumn %}
{% endcolumns %}

{% embed url="https://video.example/1" %}

{% file src="manual.pdf" %}
The manual
{% endfile %}

{% update date="2026-01-31" %}
News
{% endupdate %}

{% updates format="numeric" %}
{% update date="2026-02-01" %}
More news
{% endupdate %}
{% endupdates %}

{% openapi-operation spec="pets" path="/pet" method="get" %}
{% endopenapi-operation %}

{% include "../.gitbook/includes/snippet.md" %}

{% if visitor.claims.plan == "pro" %}
Hidden words
{% else %}
Shown words
{% endif %}

Version <code class="expression">space.vars.version</code>, H<sub>2</sub>O, $$a^2$$
`,
  );

  for (const words of [
    'Hot water.',
    'Shell',
    'run.sh',
    'docsctl whoami',
    'Why so?',
    'Because so.',
    'First step',
    'Left side',
    'Right side',
    'https://video.example/1',
    'manual.pdf',
    'The manual',
    'January 31, 2026',
    '2/1/2026',
    'News',
    'GET /pet',
    'Reusable words.',
    'Shown words',
    'Version 9.9',
    'H2O',
  ]) {
    expect(text).toContain(words);
  }
  expect(text).not.toMatch(/\{%|<\/?\w|Hidden words/);
  expect(findings).toEqual([]);
});

test('an unknown block keeps its text, with a mark and a finding', async () => {
  const { text, findings } = await textOf('{% frob level="3" %}\nKept words\n{% endfrob %}\n');

  expect(text).toContain('frob level="3"');
  expect(text).toContain('Kept words');
  expect(text).not.toContain('{%');
  expect(findings).toMatchObject([{ kind: 'block', what: 'frob', pages: ['A'] }]);
});

test('a table of HTML has its cells, and repeats its head on each sheet', async () => {
  const rows = Array.from({ length: 90 }, (_, row) => `<tr><td>row${row}</td><td><ul><li>x${row}</li></ul></td></tr>`);
  const { text } = await textOf(
    `<table><thead><tr><th>Head</th><th>What</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );

  expect(text).toContain('row89');
  expect(text).toContain('x89');
  expect(text.split('Head').length - 1).toBeGreaterThan(2);
});

test('cards have their target and cover, and hidden columns are not printed', () => {
  const [cards] = blocksOfHtml(
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target></th><th data-hidden data-card-cover></th><th data-hidden></th></tr></thead><tbody><tr><td>Title</td><td><a href="a.md">a</a></td><td><a href="c.png">c</a></td><td>secret</td></tr></tbody></table>',
  );

  expect(cards).toMatchObject({ type: 'cards', cards: [{ target: 'a.md', cover: 'c.png' }] });
  expect(JSON.stringify(cards)).not.toContain('secret');
});

test('pictures are found by any reference', () => {
  const markdown =
    '![a](a.png) ![b][r] <img src="inline (1).png">\n\n<figure><img src="f (1).png" alt="F"><figcaption>C</figcaption></figure>\n\n<picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"><img src="light.png"></picture>\n\n<table><tr><td><img src="cell.png"></td></tr></table>\n\n[r]: r.png\n';
  const urls = picturesIn(readPage(markdown, { includes: new Map(), values: {} }));

  expect([...urls].toSorted()).toEqual(
    ['a.png', 'cell.png', 'f (1).png', 'inline (1).png', 'light.png', 'r.png'].toSorted(),
  );
});

/** From the samples of the documentation, and the usual packages. */
const formulas = [
  String.raw`E = mc^2`,
  String.raw`s = \sqrt{\frac{1}{n-1}\sum_{i=1}^{n}(x_i-\overline{x})^2}`,
  String.raw`\begin{pmatrix} a & b \\ c & d \end{pmatrix}`,
  String.raw`\begin{aligned} a &= b \\ &= c \end{aligned}`,
  String.raw`f(x) = \begin{cases} 1 & x > 0 \\ 0 & \text{sonst, für } x \le 0 \end{cases}`,
  String.raw`\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}`,
  String.raw`\left(\frac{a}{b}\right)^n`,
  String.raw`\mathcal{L}, \mathbb{R}, \mathbf{v}, \mathfrak{g}`,
  String.raw`\vec{a} \cdot \hat{b}`,
  String.raw`\overbrace{a+b}^{n} \underline{c}`,
  String.raw`\ce{2H2 + O2 -> 2H2O}`,
  String.raw`\cancel{x} \boxed{y} \color{red}{z}`,
  String.raw`\lim_{x \to 0} \binom{n}{k} \pmod{7}`,
  String.raw`\nabla \times \mathbf{E} = -\frac{\partial \mathbf{B}}{\partial t}`,
  String.raw`\ddot{x} \xrightarrow{f} \iint_D`,
  String.raw`\Vert x \Vert_2 \lceil y \rceil`,
];

test.each(formulas)('the formula %s is drawn, not written, in a paragraph and on its own', async (tex) => {
  const { text, findings, tags } = await textOf(`Before $$${tex}$$ after\n\n$$\n${tex}\n$$\n`);

  expect(findings).toEqual([]);
  expect(tags.match(/\/S \/Formula/g)).toHaveLength(2);
  expect(text.replaceAll(/\s+/g, '')).toContain('Beforeafter');
  expect(text).not.toContain('\\');
});

test('a formula that cannot be drawn is shown as its source and reported', async () => {
  const { text, findings } = await textOf('Before $$\\frac{a}$$ after');

  expect(text).toContain('\\frac{a}');
  expect(findings).toMatchObject([{ kind: 'formula', what: '\\frac{a}', pages: ['A'] }]);
});

test('names of emoji are drawn as emoji', async () => {
  const { findings } = await textOf('It works :smile:');

  expect(findings).toMatchObject([{ kind: 'missing-font', sample: '😄' }]);
});
