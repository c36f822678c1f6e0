import type { Element, ElementContent } from 'hast';
import type { Block } from '../blocks/nodes.ts';
import { styleCode } from './draw-code.ts';
import type { DrawContext } from './draw-context.ts';
import { iconNodes } from './draw-elements.ts';
import { addClass, classesOf, element, isElement, text, textIn } from './hast.ts';

/** Services that accept a prompt in their address. Nothing is sent to them before a reader opens the link. */
const providers = [
  { title: 'ChatGPT', address: 'https://chatgpt.com/?q=' },
  { title: 'Claude', address: 'https://claude.ai/new?q=' },
];

/** Servers reject longer addresses. */
const maxAddressLength = 8000;

/** A text that readers can copy or open in another program. */
export function drawPrompt(node: Block, children: ElementContent[], context: DrawContext): Element {
  const { icon = '', description = 'Prompt', defaultExpanded, openInAIProviders } = node.attributes;
  const isPartial = defaultExpanded === 'partial';
  const isOpen = defaultExpanded === 'full' || isPartial;
  const block = children.find((child): child is Element => isElement(child) && classesOf(child).includes('code'));
  if (block && isPartial) styleCode(block, { isExpandable: true });
  if (block) addClass(block, 'code-wrap');
  const links = openInAIProviders === 'true' ? linksFor(node, children) : [];
  return element('details', { className: ['prompt', 'expandable'], ...(isOpen && { open: true }) }, [
    element('summary', { className: ['prompt-description'] }, [...iconNodes(icon, context), text(description)]),
    ...children,
    links.length > 0 ? element('p', { className: ['prompt-providers'] }, links) : undefined,
  ]);
}

function linksFor({ children }: Block, drawn: ElementContent[]): ElementContent[] {
  const code = children.find((child) => child.type === 'code');
  const prompt = (code?.type === 'code' ? code.value : textIn(drawn)).trim();
  const query = encodeURIComponent(prompt);
  if (prompt === '' || query.length > maxAddressLength) return [];
  return providers.flatMap(({ title, address }, index) => {
    const properties = {
      className: ['button', 'button-secondary'],
      href: address + query,
      rel: ['nofollow', 'noopener'],
    };
    return [...(index > 0 ? [text(' ')] : []), element('a', properties, [text(`${title} ↗`)])];
  });
}
