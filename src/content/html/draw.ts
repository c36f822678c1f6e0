import type { Comment, Element, ElementContent } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import { drawBlock } from './draw-blocks.ts';
import type { DrawContext, Drawn } from './draw-context.ts';
import { elementHandlers } from './draw-elements.ts';
import { withEmoji } from './emoji.ts';
import { plainProperties } from './plain-properties.ts';
import { schema, statusOf } from './safe-html.ts';

/**
 * Makes the page's HTML of what authors wrote: sanitizes it, then draws elements and blocks in the order of the text.
 * What is inside of a block is sanitized on its own.
 */
export function drawNodes(nodes: ElementContent[], context: DrawContext): ElementContent[] {
  const placed: Drawn[] = [];
  const prepared = prepare(nodes, placed, context);
  const clean = sanitize({ type: 'root', children: prepared }, schema);
  const children = clean.type === 'root' ? clean.children : [clean];
  return drawAll(
    children.filter((child) => child.type !== 'doctype'),
    (comment) => {
      const drawn = placed[Number(comment.value)];
      return drawn ? drawBlock(drawn, context, (inner) => drawNodes(inner, context)) : [];
    },
    context,
  );
}

/** Replaces what is drawn by comments that hold its number, which no author can write: theirs are removed. */
function prepare(nodes: ElementContent[], placed: Drawn[], context: DrawContext): ElementContent[] {
  const place = (drawn: Drawn): Comment => ({ type: 'comment', value: String(placed.push(drawn) - 1) });
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === 'comment') return [];
    if (node.type === 'drawn') return [place(node)];
    if (node.type !== 'element') return [node];
    const status = statusOf(node.tagName);
    const line = node.position?.start.line;
    if (status === 'unsafe') {
      // Columns of a table may have a list of values, which is not for readers.
      if (node.tagName !== 'select') context.problems.add('unsafe-html', line, `<${node.tagName}> is left out.`);
      return [];
    }
    const children = prepare(node.children, placed, context);
    if (status !== 'unknown') return [{ ...node, children }];
    context.problems.add(
      'unknown-tag',
      line,
      `<${node.tagName}> is no HTML tag: it is shown as text. Write \\<${node.tagName}> for a text.`,
    );
    const index = context.drawn.push({ type: 'unknownTag', name: node.tagName }) - 1;
    return [place({ type: 'drawn', index, children: [] }), ...children];
  });
}

type DrawComment = (comment: Comment) => ElementContent[];

function drawAll(nodes: ElementContent[], drawComment: DrawComment, context: DrawContext): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === 'comment') return drawComment(node);
    if (node.type === 'text') return [{ type: 'text', value: withEmoji(node.value) }];
    if (node.type !== 'element') return [];
    const line = node.position?.start.line;
    if (line !== undefined) context.line = line;
    const { id } = node.properties;
    if (typeof id === 'string' && !/^h[1-6]$/.test(node.tagName)) context.anchors.add(id);
    const element: Element = {
      type: 'element',
      tagName: node.tagName,
      properties: node.properties,
      children: node.children,
    };
    const draw = (inner: ElementContent[]): ElementContent[] => drawAll(inner, drawComment, context);
    const handler = Object.hasOwn(elementHandlers, node.tagName) ? elementHandlers[node.tagName] : undefined;
    if (handler) return handler(element, context, draw);
    element.properties = plainProperties(element);
    element.children = draw(node.children);
    return [element];
  });
}
