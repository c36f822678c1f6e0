import type { Element, ElementContent, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import {
  attribute,
  childrenOf,
  classesOf,
  element,
  findElement,
  isElement,
  limitDepth,
  text,
  textIn,
} from '../../html/hast.ts';
import { oneLine } from '../../markdown/markdown.ts';
import { all, change, elements, remove } from '../html/html-tree.ts';
import { pathIn } from './paths.ts';
import { entryOf } from './unlisted.ts';

/** What an export shows around the content of a page. */
const frame = new Set(['breadcrumb-section', 'footer', 'likes-and-labels-container', 'comments-section']);

const hints: Record<string, string> = { information: 'info', tip: 'success', note: 'warning', warning: 'danger' };

/** Prepares a page of the HTML export of a Confluence space. Other pages stay as they are. */
export function prepareConfluence(root: Root): void {
  const heading = findElement([root], (node) => attribute(node, 'id') === 'title-heading');
  const body = findElement([root], (node) => isElement(node, 'body'));
  if (!heading || !body) return;
  const title = oneLine(textIn(heading));
  // The title begins with that of the space.
  heading.children = [text(title.includes(' : ') ? title.slice(title.indexOf(' : ') + 3) : title)];
  remove(
    body,
    (node) => frame.has(attribute(node, 'id')) || classesOf(node).includes('page-metadata') || isAttachments(node),
  );
  change(body, (node) => {
    if (isElement(node, 'pre')) return [withLanguage(node)];
    const style = classesOf(node)
      .map((name) => /^confluence-information-macro-(\w+)$/.exec(name)?.[1] ?? '')
      .find((kind) => hints[kind]);
    return style === undefined ? [node] : hint(hints[style] ?? 'info', node);
  });
  // The content alone is the main part of the page, so that the title is with it.
  const content = findElement([body], (node) => attribute(node, 'id') === 'main-content');
  if (content) body.children = [element('main', {}, [element('h1', {}, heading.children), content])];
}

const isAttachments = (node: Element): boolean =>
  classesOf(node).includes('pageSection') &&
  findElement([node], (inner) => ['attachments', 'comments'].includes(attribute(inner, 'id'))) !== undefined;

function withLanguage(pre: Element): Element {
  const language = /brush:\s*([\w+#-]+)/.exec(attribute(pre, 'dataSyntaxhighlighterParams'))?.[1];
  return language === undefined ? pre : { ...pre, properties: { className: [`language-${language}`] } };
}

function hint(style: string, node: Element): ElementContent[] {
  const body = findElement([node], (inner) => classesOf(inner).includes('confluence-information-macro-body'));
  const line = (words: string) => element('p', {}, [text(words)]);
  return [line(`{% hint style="${style}" %}`), ...childrenOf(body ?? node), line('{% endhint %}')];
}

/** The pages of a space in their order, from its `index.html`; undefined for other pages. */
export function summaryOfConfluence(html: string, names: ReadonlyMap<string, string>): string | undefined {
  const root = fromHtml(html);
  limitDepth(root);
  if (!isIndex(root)) return undefined;
  const lines: string[] = [];
  const visit = (list: Element, depth: number): void => {
    for (const item of elements(list).filter((child) => isElement(child, 'li'))) {
      const link =
        elements(item).find((child) => isElement(child, 'a')) ??
        findElement(item.children, (node) => isElement(node, 'a'));
      const name = names.get(pathIn('', link ? attribute(link, 'href') : '') ?? '');
      if (link && name !== undefined) lines.push(`${'  '.repeat(depth)}${entryOf(oneLine(textIn(link)), name)}`);
      for (const inner of elements(item))
        if (isElement(inner, 'ul')) visit(inner, depth + (name === undefined ? 0 : 1));
    }
  };
  const lists = all(root, (node) => isElement(node, 'ul'));
  const nested = new Set(lists.flatMap((list) => all(list, (node) => isElement(node, 'ul') && node !== list)));
  for (const list of lists) if (!nested.has(list)) visit(list, 0);
  return lines.length === 0 ? undefined : `# Table of contents\n\n${lines.join('\n')}\n`;
}

/** Whether a page is the table of contents of a space. Its headings are in the language of the person who exported it. */
function isIndex(root: Root): boolean {
  if (findElement([root], (node) => attribute(node, 'id') === 'main-content')) return false;
  return all(root, () => true).some(
    (node) =>
      classesOf(node).includes('pageSectionTitle') ||
      (node.tagName === 'h2' && oneLine(textIn(node)).startsWith('Available Pages')),
  );
}
