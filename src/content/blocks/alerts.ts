import type { Blockquote, Html, Nodes, Paragraph, Root } from 'mdast';
import { descend } from '../markdown/nodes.ts';
import { escapeHtml } from '../../shared/escape-html.ts';
import { containerOpens, containerTitle, hintStyles } from './containers.ts';
import { type Block, blockOf } from './nodes.ts';

/** The first line of one of GitHub's alerts. */
const alertMark = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\r?\n|$)/i;

/** Turns quotes that begin with `[!NOTE]` into hints, and titles of containers into their first paragraph. */
export function drawAsHints(root: Root): void {
  for (const node of descend(root)) {
    if (!('children' in node)) continue;
    node.children = node.children.flatMap(withoutContainer) as typeof node.children;
    if (node.type === 'block') addTitle(node);
    for (const [index, child] of node.children.entries()) {
      const hint = child.type === 'blockquote' ? hintOf(child) : undefined;
      if (hint) node.children[index] = hint;
    }
  }
}

function hintOf({ children, position }: Blockquote): Block | undefined {
  const [first] = children;
  const [start] = first?.type === 'paragraph' ? first.children : [];
  const [mark, name = ''] = (start?.type === 'text' && alertMark.exec(start.value)) || [];
  const isWhole = first?.type === 'paragraph' && (first.children.length === 1 || first.children[1]?.type === 'break');
  if (first?.type !== 'paragraph' || start?.type !== 'text' || mark === undefined) return undefined;
  if (!mark.endsWith('\n') && !isWhole) return undefined;
  start.value = start.value.slice(mark.length);
  if (start.value === '') first.children.shift();
  if (first.children[0]?.type === 'break') first.children.shift();
  if (first.children.length === 0) children.shift();
  const style = hintStyles.get(name.toLowerCase()) ?? 'info';
  const tag = `hint style="${style}"`;
  return blockOf({ name: 'hint', attributes: { style }, inline: false, tag, children, ...(position && { position }) });
}

/** A container that readers open, as Markdown between HTML tags. */
function withoutContainer(node: Nodes): Nodes[] {
  if (node.type !== 'block' || node.attributes[containerOpens] === undefined) return [node];
  const title = escapeHtml(node.attributes[containerTitle] ?? '');
  const position = node.position && { position: node.position };
  const html = (value: string): Html => ({ type: 'html', value, ...position });
  return [html(`<details><summary>${title}</summary>`), ...node.children, html('</details>')];
}

function addTitle(block: Block): void {
  const title = block.attributes[containerTitle];
  if (block.name !== 'hint' || title === undefined) return;
  delete block.attributes[containerTitle];
  const paragraph: Paragraph = {
    type: 'paragraph',
    children: [{ type: 'strong', children: [{ type: 'text', value: title }] }],
  };
  block.children.unshift(paragraph);
}
