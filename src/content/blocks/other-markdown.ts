import { eachTextLine } from './containers.ts';
import type { PageProblems } from './problems.ts';

interface OtherMarkdown {
  /** What a line with it contains, so that most lines are not searched. */
  has: string;
  pattern: RegExp;
  /** What it is, and how to write it. */
  advice: string;
}

const others: readonly OtherMarkdown[] = [
  {
    has: '!!!',
    pattern: /^\s{0,3}!!!\+? +[a-z]/i,
    advice: 'is an admonition of MkDocs. Write it as {% hint style="info" %} ... {% endhint %}.',
  },
  {
    has: '???',
    pattern: /^\s{0,3}\?\?\?\+? +[a-z]/i,
    advice: 'is a collapsible admonition of MkDocs. Write it as <details><summary>Title</summary> ... </details>.',
  },
  {
    has: '===',
    pattern: /^\s{0,3}===[!+]? +"/,
    advice: 'is a tab of MkDocs. Write it as {% tabs %} {% tab title="Title" %} ... {% endtab %} {% endtabs %}.',
  },
  {
    has: '8<--',
    pattern: /^\s{0,3};?-{1,5}8<-{1,5}(?:\s|$)/,
    advice: 'is a snippet of MkDocs. Write it as {% include ".gitbook/includes/name.md" %}.',
  },
  {
    has: '[[',
    pattern: /(?:^|[^\\`!\w])\[\[[^[\]`]+\]\](?![([])/,
    advice: 'is a wiki link. Write it as [Title](page.md).',
  },
];

/** Adds Markdown that other tools understand, and that is shown as text here, to the problems. */
export function findOtherMarkdown(text: string, problems: PageProblems, firstLine = 1): void {
  if (!problems.checks('other-markdown') || !others.some(({ has }) => text.includes(has))) return;
  eachTextLine(text.split('\n'), (line, index) => {
    // Indented code.
    if (/^(?: {4}|\t)/.test(line)) return;
    for (const { has, pattern, advice } of others) {
      if (!line.includes(has) || !pattern.test(withoutCode(line))) continue;
      const shown = line.trim().slice(0, 60);
      problems.add('other-markdown', { line: firstLine + index }, `"${shown}" ${advice}`);
    }
  });
}

/** A line without code in backticks. */
const withoutCode = (line: string): string => line.replaceAll(/`[^`]*`/g, '``');
