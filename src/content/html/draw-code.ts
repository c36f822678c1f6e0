import type { Element, ElementContent } from 'hast';
import type { DrawContext } from './draw-context.ts';
import { addClass, classesOf, element, findElement, isElement, text, textIn } from './hast.ts';

export interface CodeStyle {
  title?: string | undefined;
  hasNumbers?: boolean;
  isWrapped?: boolean;
  /** Whether a long block is collapsed at first. */
  isExpandable?: boolean;
  /** Numbers of lines that stand out. */
  highlighted?: ReadonlySet<number>;
}

// Longer listings are data and need no colors.
const maxColouredLength = 30_000;

/** A highlighted code block. Code in the language Mermaid is a diagram. */
export function drawCode(value: string, language: string, style: CodeStyle, context: DrawContext): Element {
  if (language.toLowerCase() === 'mermaid') return drawDiagram(value, context);
  const name = /^[\w+#.-]*/.exec(language.toLowerCase())?.[0] ?? '';
  const coloured = name === '' || value.length > maxColouredLength ? undefined : context.rare.highlight?.(value, name);
  const code = element('code', name === '' ? {} : { className: [`language-${name}`] }, coloured ?? [text(value)]);
  const block = element('div', { className: ['code'] }, [element('pre', { tabIndex: 0 }, [code])]);
  if (name === 'diff') splitLines(block, (line) => changeOf(line));
  styleCode(block, style);
  return block;
}

export function drawDiagram(source: string, context: DrawContext): Element {
  context.hasMermaid = true;
  const { diagramNote } = context;
  return element('figure', { className: ['diagram'] }, [
    element('pre', { className: ['mermaid'], tabIndex: 0 }, [element('code', {}, [text(source)])]),
    diagramNote === undefined ? undefined : element('figcaption', {}, [text(diagramNote)]),
  ]);
}

export function styleCode(block: Element, style: CodeStyle): void {
  const { title, hasNumbers, isWrapped, isExpandable, highlighted } = style;
  if (title) block.children.unshift(element('div', { className: ['code-title'] }, [text(title)]));
  if (isWrapped) addClass(block, 'code-wrap');
  if (isExpandable) addClass(block, 'code-expandable');
  if (highlighted && highlighted.size > 0)
    splitLines(block, (_, number) => (highlighted.has(number) ? 'line-highlighted' : undefined));
  if (!hasNumbers || classesOf(block).includes('code-numbers')) return;
  if (splitLines(block)) addClass(block, 'code-numbers');
}

function changeOf(line: string): string | undefined {
  if (/^(?:\+\+\+|---)(?:\s|$)/.test(line)) return undefined;
  return line.startsWith('+') ? 'line-added' : line.startsWith('-') ? 'line-deleted' : undefined;
}

/** Splits the code of a block into lines, unless it is split already. @param classOf a class for the line */
function splitLines(block: Element, classOf?: (line: string, number: number) => string | undefined): boolean {
  const code = findElement(block.children, (inner) => isElement(inner, 'code'));
  if (!code) return false;
  const isLine = (node: ElementContent | undefined) => isElement(node, 'span') && classesOf(node).includes('line');
  if (!isLine(code.children[0])) {
    code.children = linesOf(code.children).map((line) => element('span', { className: ['line'] }, line));
  }
  for (const [index, line] of code.children.entries()) {
    const name = isElement(line) ? classOf?.(textIn(line), index + 1) : undefined;
    if (isElement(line) && name !== undefined) addClass(line, name);
  }
  return true;
}

/** Splits highlighted code into lines, each with its own elements. All but the last end with a line feed. */
function linesOf(nodes: ElementContent[]): ElementContent[][] {
  const lines: ElementContent[][] = [[]];
  const add = (node: ElementContent, wrap: (inner: ElementContent) => ElementContent): void => {
    if (node.type === 'text') {
      const parts = node.value.split('\n');
      for (const [index, part] of parts.entries()) {
        const isLast = index === parts.length - 1;
        const value = isLast ? part : `${part}\n`;
        if (value !== '') lines.at(-1)?.push(wrap(text(value)));
        if (!isLast) lines.push([]);
      }
    } else if (node.type === 'element') {
      const { tagName, properties } = node;
      for (const child of node.children) add(child, (inner) => wrap(element(tagName, { ...properties }, [inner])));
    }
  };
  for (const node of nodes) add(node, (inner) => inner);
  if (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}
