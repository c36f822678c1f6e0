import { words } from '../../shared/words.ts';
import { element } from './texts.ts';

const keywords = new Set(
  words(`
    await async class const def defer do else end err false func if import let new nil null None package main public
    request require response return static string throws true True False using var void
  `),
);

/** Texts, which may lack their end, numbers and words. */
const token =
  /(?<string>@"(?:[^"]|"")*(?:"|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\]|\\[^])*(?:'|\\?$)|`[^`]*(?:`|$))|(?<number>\b\d[\d.]*)|(?<word>[A-Za-z_]\w*)/g;

/** Code with the classes that the highlighter of pages gives to texts, numbers and words of the language. */
export function colored(code: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const { 0: whole, index, groups } of code.matchAll(token)) {
    const kind = kindOf(groups ?? {});
    if (kind === undefined) continue;
    nodes.push(document.createTextNode(code.slice(end, index)), element('span', { class: `hljs-${kind}` }, [whole]));
    end = index + whole.length;
  }
  return [...nodes, document.createTextNode(code.slice(end))];
}

function kindOf({ string, number, word }: Record<string, string | undefined>): string | undefined {
  if (string !== undefined) return 'string';
  if (number !== undefined) return 'number';
  return word !== undefined && keywords.has(word) ? 'keyword' : undefined;
}
