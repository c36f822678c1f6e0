import type { Nodes } from 'mdast';
import { describe, expect, test } from 'vitest';
import { evaluateExpression, membersIn } from '../../src/content/blocks/expressions.ts';
import { PageProblems } from '../../src/content/blocks/problems.ts';
import { readBlocks } from '../../src/content/blocks/read-blocks.ts';
import { resolveBlocks, UsedByPage } from '../../src/content/blocks/resolve-blocks.ts';
import type { PageSource } from '../../src/content/html/page-source.ts';

/** A short form of the tree: `hint(p"text")`. */
function outline(node: Nodes): string {
  const name = node.type === 'block' ? `${node.isStray ? '!' : ''}${node.name}` : node.type;
  const value = 'value' in node ? JSON.stringify(node.value) : '';
  if (node.type === 'text') return value;
  const children = 'children' in node ? node.children.map(outline).join(' ') : '';
  return node.type === 'root' ? children : `${name}${value}${children && `(${children})`}`;
}

function read(text: string): { tree: string; problems: string[] } {
  const problems = new PageProblems();
  const tree = outline(readBlocks(text, problems));
  return { tree, problems: problems.list.map(({ line, rule }) => `${line} ${rule}`) };
}

describe('tags', () => {
  test.each([
    ['on lines of their own', '{% hint %}\nText\n{% endhint %}', 'hint(paragraph("Text"))'],
    [
      'after a paragraph without a blank line',
      'a\n{% hint %}\nb\n{% endhint %}\nc',
      'paragraph("a") hint(paragraph("b")) paragraph("c")',
    ],
    ['after a list', '{% hint %}\n- a\n{% endhint %}', 'hint(list(listItem(paragraph("a"))))'],
    ['several on a line', '{% tabs %}{% tab title="A" %}\nx\n{% endtab %}{% endtabs %}', 'tabs(tab(paragraph("x")))'],
    [
      'with text on the same line',
      '{% tabs %}{% tab title="A" %} one {% endtab %}{% endtabs %}',
      'tabs(tab(paragraph("one")))',
    ],
    [
      'in a list item',
      '1. a\n\n   {% hint %}\n   b\n   {% endhint %}',
      'list(listItem(paragraph("a") hint(paragraph("b"))))',
    ],
    ['in a quote', '> {% hint %}\n> b\n> {% endhint %}', 'blockquote(hint(paragraph("b")))'],
    [
      'indented in a block',
      '{% tabs %}\n    {% tab title="A" %}\n    x\n    {% endtab %}\n{% endtabs %}',
      'tabs(tab(paragraph("x")))',
    ],
    [
      'in a table',
      '| a |\n|---|\n| {% include "x" %} |',
      'table(tableRow(tableCell("a")) tableRow(tableCell(include)))',
    ],
    ['over several lines', '{% embed\n  url="x"\n%}', 'embed'],
    [
      'after HTML without a blank line',
      '<figure></figure>\n{% hint %}\n*b*\n{% endhint %}',
      'html"<figure></figure>\\n" hint(paragraph(emphasis("b")))',
    ],
    ['in HTML', '<p>{% include "a" %}</p>', 'html"<p>" include html"</p>"'],
    [
      'of the same name in each other',
      '{% hint %}\n{% hint %}\na\n{% endhint %}\nb\n{% endhint %}',
      'hint(hint(paragraph("a")) paragraph("b"))',
    ],
    ['without an end where none is needed', '{% embed url="u" %}\n\na', 'embed paragraph("a")'],
    ['with an end where none is needed', '{% embed url="u" %}\na\n{% endembed %}', 'embed(paragraph("a"))'],
    [
      'of conditions',
      '{% if a %}\nA\n{% elseif b %}\nB\n{% else %}\nC\n{% endif %}',
      'if(branch(paragraph("A")) branch(paragraph("B")) branch(paragraph("C")))',
    ],
    ['of conditions in a text', 'x {% if a %}A{% endif %}', 'paragraph("x " if(branch("A")))'],
    [
      'in code',
      '`{% hint %}`\n\n```\n{% hint %}\n```\n\n    {% hint %}',
      'paragraph(inlineCode"{% hint %}") code"{% hint %}" code"{% hint %}"',
    ],
    [
      'in HTML code',
      'a <code>{% hint %}</code>\n\n<pre>{% hint %}</pre>',
      'paragraph("a " html"<code>" "{% hint %}" html"</code>") html"<pre>{% hint %}</pre>"',
    ],
    ['that are escaped', String.raw`\{% hint %}`, 'paragraph("{% hint %}")'],
    ['without an end', 'a {% hint', 'paragraph("a {% hint")'],
  ])('%s', (_, text, tree) => {
    expect(read(text)).toEqual({ tree, problems: [] });
  });

  test('arguments have quotes of both kinds, escapes, entities and bare values', () => {
    const root = readBlocks(
      String.raw`{% code title="a \"b\" %} c" icon='d' lineNumbers=true wrap text="&amp;" %}x{% endcode %}`,
      new PageProblems(),
    );
    const [block] = root.children;
    expect(block?.type === 'block' && { ...block.attributes }).toEqual({
      title: 'a "b" %} c',
      icon: 'd',
      lineNumbers: 'true',
      wrap: 'true',
      text: '&',
    });
  });

  test.each([
    ['a block without an end', '{% hint %}\na', 'hint(paragraph("a"))', ['1 unclosed-block']],
    ['an end without a block', 'a\n\n{% endhint %}', 'paragraph("a") !hint', ['3 unopened-block']],
    [
      'a tab that the next one ends',
      '{% tabs %}\n{% tab title="a" %}\n1\n{% tab title="b" %}\n2\n{% endtab %}\n{% endtabs %}',
      'tabs(tab(paragraph("1")) tab(paragraph("2")))',
      ['2 unclosed-block'],
    ],
    [
      'a block that its parent ends',
      '{% tab %}\n{% hint %}\na\n{% endtab %}',
      'tab(hint(paragraph("a")))',
      ['2 unclosed-block', '1 misplaced-block'],
    ],
    ['a name nobody knows', '\n\n{% foo a="b" %}', 'foo', ['3 unknown-block']],
    ['no name', 'a {% … %}', 'paragraph("a " !)', ['1 unreadable-tag']],
    [
      'arguments that cannot be read',
      '{% hint style="info” %}\na\n{% endhint %}',
      'hint(paragraph("a"))',
      ['1 unreadable-tag'],
    ],
  ])('reports %s', (_, text, tree, problems) => {
    expect(read(text)).toEqual({ tree, problems });
  });
});

test.each([
  ['in a text', 'A $$x_1 * y_2$$ b', 'paragraph("A " formula"x_1 * y_2" " b")'],
  ['on lines of their own', '$$\nx\n- y\n\n= z\n$$\na', 'formula"x\\n- y\\n= z" paragraph("a")'],
  ['in a quote', '> $$\n> x\n> $$', 'blockquote(formula"x")'],
  ['not with one dollar', 'from $5 to $$6', 'paragraph("from $5 to $$6")'],
])('a formula %s', (_, text, tree) => {
  expect(read(text).tree).toBe(tree);
});

describe('expressions', () => {
  const values = { space: { vars: { version: 'v2' } }, visitor: { claims: { plan: 'team', seats: 3, flags: ['a'] } } };

  test.each([
    ['space.vars.version', 'v2'],
    ['"docs " + space.vars.version', 'docs v2'],
    ['visitor.claims.plan == "team" && visitor.claims.seats >= 3', true],
    ['visitor.claims["plan"] === "free" ? 1 : 2', 2],
    ['!visitor.claims.unsigned.missing', true],
    ['visitor.claims.flags.includes("a")', true],
    ['visitor.claims.missing ?? "none"', 'none'],
    ['1 + 2 * 3', 7],
    ['visitor.claims.plan.length', 4],
    ['visitor.claims.constructor', undefined],
    ['visitor.__proto__', undefined],
    ['"a".constructor', undefined],
  ])('%s', (expression, value) => {
    expect(evaluateExpression(expression, values)).toEqual(value);
  });

  test.each([
    '',
    'a b',
    'process.exit()',
    'visitor.claims.plan.repeat(9)',
    '(() => 1)()',
    'visitor.claims =',
    'unknown',
    '"a".constructor("b")',
  ])('refuses %j', (expression) => {
    expect(() => evaluateExpression(expression, values)).toThrow(expect.objectContaining({ name: 'ExpressionError' }));
  });

  test('the members it reads are found', () => {
    expect(membersIn('visitor.claims.plan == "a" || space.vars["b"] + c')).toEqual([
      'visitor.claims.plan',
      'space.vars.b',
      'c',
    ]);
  });
});

describe('resolving', () => {
  const texts = new Map([
    ['note.md', '---\ntitle: Note\n---\nA note {% include "one.md" %}.'],
    ['one.md', 'one'],
    ['cycle.md', '{% include "cycle.md" %}'],
    ['twice.md', '{% include "twice.md" %}\n\n{% include "twice.md" %}'],
    ['broken.md', '---\na: b\n---\n\n{% endhint %}'],
  ]);
  const source: PageSource = {
    link: () => undefined,
    file: () => undefined,
    include: (path) => {
      const markdown = texts.get(path);
      return markdown === undefined ? undefined : { markdown, source };
    },
    evaluate: (expression) => evaluateExpression(expression, { space: { vars: { a: '*A*', yes: true } } }),
  };

  function resolve(text: string) {
    const problems = new PageProblems();
    const uses = new UsedByPage();
    const root = readBlocks(text, problems);
    resolveBlocks(root, { source, problems, uses });
    return { tree: outline(root), problems: problems.list, uses: uses.lists };
  }

  test('a reusable text stands in its place, without its front matter', () => {
    const { tree, uses } = resolve('{% include "note.md" %}');
    expect(tree).toBe('include(paragraph("A note " include("one") "."))');
    expect(uses.includes).toEqual(['note.md', 'one.md']);
  });

  test('a condition is replaced by its branch', () => {
    const { tree, uses } = resolve(
      '{% if !space.vars.yes %}\nA\n{% else %}\nB\n{% endif %}\n\n{% if space.vars.no %}C{% endif %}',
    );
    expect(tree).toBe('paragraph("B") paragraph');
    expect(uses.variables).toEqual(['space.vars.yes', 'space.vars.no']);
  });

  test('the value of an expression is text', () => {
    expect(resolve('a <code class="expression">space.vars.a</code>').tree).toBe('paragraph("a " "*A*")');
  });

  test('cycles end and are reported', () => {
    expect(resolve('{% include "cycle.md" %}').problems).toMatchObject([
      { rule: 'include-cycle', include: 'cycle.md' },
    ]);
    const { problems } = resolve('{% include "twice.md" %}');
    expect(problems.length).toBeLessThanOrEqual(1_000);
  });

  test('a problem of a reusable text has its line there', () => {
    expect(resolve('a\n\n{% include "broken.md" %}').problems).toMatchObject([
      { rule: 'unopened-block', line: 5, include: 'broken.md' },
    ]);
    expect(resolve('a\n\n{% include "no.md" %}').problems).toMatchObject([{ rule: 'missing-include', line: 3 }]);
  });
});

test('a part of a block outside of it is reported, unless only a condition is between them', () => {
  const tab = '{% tab title="A" %}\nx\n{% endtab %}';

  expect(read(`a\n\n${tab}`).problems).toEqual(['3 misplaced-block']);
  expect(read(`{% hint %}\n${tab}\n{% endhint %}`).problems).toEqual(['2 misplaced-block']);
  expect(read(`{% tabs %}\n{% if a %}\n${tab}\n{% endif %}\n{% endtabs %}`).problems).toEqual([]);
});
