import { expect, test } from 'vitest';
import { editSummary } from '../../src/content/folder/edit-summary.ts';
import type { SummaryEntry } from '../../src/content/folder/summary.ts';

const page = (title: string, children: SummaryEntry[] = []): SummaryEntry => ({
  kind: 'page',
  title,
  target: `${title.toLowerCase()}.md`,
  children,
});

const before = [page('One'), page('Two', [page('Three')]), page('Four')];
const written = `# Our docs

<!-- Keep the order. -->

* [First page](one.md)
* [Two](two.md)
  * [Three](three.md)
* [Four](four.md)

* [Status](https://status.example.com)
`;

test('a page is added, moved and removed, and every other line of SUMMARY.md stays', () => {
  const after = [page('One'), page('New'), page('Two'), page('Three')];

  expect(editSummary(written, before, after)).toBe(`# Our docs

<!-- Keep the order. -->

* [First page](one.md)
* [New](new.md)
* [Two](two.md)
* [Three](three.md)

* [Status](https://status.example.com)
`);
});

test('a list keeps its marks and line ends', () => {
  const text = '# Docs\r\n\r\n- [One](one.md)\r\n- [Two](two.md)\r\n';

  expect(editSummary(text, [page('One'), page('Two')], [page('One'), page('New'), page('Two')])).toBe(
    '# Docs\r\n\r\n- [One](one.md)\r\n- [New](new.md)\r\n- [Two](two.md)\r\n',
  );
});

test('a line that is no entry is kept where entries around it change', () => {
  const text = '# Docs\n\n* [One](one.md)\n\nA note.\n\n* [Two](two.md)\n';

  const edited = editSummary(text, [page('One'), page('Two')], [page('Three'), page('Four')]);

  expect(edited).toContain('A note.');
  expect(edited).not.toContain('two.md');
});
