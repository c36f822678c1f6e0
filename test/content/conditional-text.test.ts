import { expect, test } from 'vitest';
import { withoutHiddenText } from '../../src/content/blocks/conditional-text.ts';
import { evaluateExpression } from '../../src/content/blocks/expressions.ts';

const shown = (markdown: string, plan: string) =>
  withoutHiddenText(markdown, (expression) => evaluateExpression(expression, { plan }))
    .replaceAll(/\s+/g, ' ')
    .trim();

const team = '{% if plan == "team" %}';

test.each<[name: string, markdown: string, forTeams: string, forOthers: string]>([
  ['a condition', `a ${team} b {% endif %} c`, 'a b c', 'a c'],
  ['branches', `${team}\na\n{% elif plan == "free" %}\nb\n{% else %}\nc\n{% endif %}`, 'a', 'b'],
  ['conditions in each other', `${team}a{% if plan == "free" %}b{% else %}c{% endif %}{% endif %}d`, 'acd', 'd'],
  ['an expression that cannot be read', '{% if plan == %}a{% else %}b{% endif %}', 'b', 'b'],
  ['a condition without an end', `a\n\n${team}\n\nb`, 'a b', 'a'],
  ['a tag with blanks to trim', '{%- if plan == "team" -%}a{%- endif -%}b', 'ab', 'b'],
  ['a condition after the beginning of a tag', `\`{%\` a ${team}b{% endif %}`, '`{%` a b', '`{%` a'],
  ['a condition after a tag without an end', `{% x\n\n${team}b{% endif %}`, '{% x b', '{% x'],
  ['a condition with a tag in it', `{% if ${team}b{% else %}c{% endif %}`, 'c', 'c'],
  ['other blocks', '{% hint %}\na\n{% endhint %}', '{% hint %} a {% endhint %}', '{% hint %} a {% endhint %}'],
  ['an end without a condition', 'a {% endif %} b', 'a {% endif %} b', 'a {% endif %} b'],
])('%s', (_, markdown, forTeams, forOthers) => {
  expect([shown(markdown, 'team'), shown(markdown, 'free')]).toEqual([forTeams, forOthers]);
});

test('a condition in code is text, and blank lines stay', () => {
  const code = `\`\`\`\n${team}\na\n\n\n\nb\n{% endif %}\n\`\`\``;
  const markdown = `${code}\n\nUse \`${team}\` here.\n\n${team}\nx\n{% endif %}\n`;

  const text = withoutHiddenText(markdown, () => false);

  expect(text).toContain(code);
  expect(text).toContain(`\`${team}\``);
  expect(text).not.toContain('x');
});
