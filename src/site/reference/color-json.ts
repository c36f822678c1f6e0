import type { ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';

const token = /"|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/**
 * JSON with the classes that code has elsewhere. Most samples are JSON, and the highlighter of all languages takes ten
 * times as long for it. Signs between values have no class.
 */
export function colorJson(json: string): ElementContent[] {
  const nodes: ElementContent[] = [];
  let end = 0;
  token.lastIndex = 0;
  for (let match = token.exec(json); match; match = token.exec(json)) {
    const [start] = match;
    if (match.index > end) nodes.push(text(json.slice(end, match.index)));
    end = start === '"' ? endOfString(json, match.index) : token.lastIndex;
    token.lastIndex = end;
    nodes.push(
      element('span', { className: [`hljs-${kindOf(start, json, end)}`] }, [text(json.slice(match.index, end))]),
    );
  }
  if (end < json.length) nodes.push(text(json.slice(end)));
  return nodes;
}

function kindOf(start: string, json: string, end: number): string {
  if (start === '"') return json[end] === ':' ? 'attr' : 'string';
  return /^[tfn]/.test(start) ? 'literal' : 'number';
}

/** A sample that is too long ends somewhere in a string. */
function endOfString(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index += 1) {
    if (json[index] === '\\') index += 1;
    else if (json[index] === '"') return index + 1;
  }
  return json.length;
}
