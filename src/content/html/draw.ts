import type { Comment, ElementContent } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import { drawBlock } from './draw-blocks.ts';
import type { Draw, DrawContext, Drawn } from './draw-context.ts';
import { elementHandlers } from './draw-elements.ts';
import { withEmoji } from './emoji.ts';
import { childrenOf, element, plainProperties } from './hast.ts';
import { schema, statusOf } from './safe-html.ts';

/**
 * Turns what authors wrote into the HTML of the page: sanitizes it, then draws elements and blocks in document order.
 * The content of a block is sanitized separately.
 */
export function drawNodes(nodes: ElementContent[], context: DrawContext): ElementContent[] {
  const placed: Drawn[] = [];
  const prepared = prepare(nodes, placed, context);
  const clean = sanitize({ type: 'root', children: prepared }, schema);
  const drawComment = (comment: Comment): ElementContent[] => {
    const drawn = placed[Number(comment.value)];
    return drawn ? drawBlock(drawn, context, (inner) => drawNodes(inner, context)) : [];
  };
  return drawAll(
    clean.type === 'root' ? childrenOf(clean) : clean.type === 'doctype' ? [] : [clean],
    drawComment,
    context,
  );
}

/** Replaces placeholders by comments with their number. Authors cannot write these, because their comments are removed. */
function prepare(nodes: ElementContent[], placed: Drawn[], context: DrawContext): ElementContent[] {
  const place = (drawn: Drawn): Comment => ({ type: 'comment', value: String(placed.push(drawn) - 1) });
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === 'comment') return [];
    if (node.type === 'drawn') return [place(node)];
    if (node.type !== 'element') return [node];
    const { tagName } = node;
    const start = node.position?.start;
    const status = statusOf(tagName);
    if (status === 'unsafe') {
      // Table columns can contain a list of their possible values, which is not meant for readers.
      if (tagName !== 'select') context.problems.add('unsafe-html', { line: start?.line }, `<${tagName}> is left out.`);
      return [];
    }
    const children = prepare(node.children, placed, context);
    if (status !== 'unknown') return [{ ...node, children }];
    const message = `<${tagName}> is not an HTML tag and is shown as text. To write it as text, use \\<${tagName}>.`;
    context.problems.add('unknown-tag', { line: start?.line }, message);
    const index = context.drawn.push({ type: 'unknownTag', name: tagName }) - 1;
    return [place({ type: 'drawn', index, children: [] }), ...children];
  });
}

type DrawComment = (comment: Comment) => ElementContent[];

function drawAll(nodes: ElementContent[], drawComment: DrawComment, context: DrawContext): ElementContent[] {
  return nodes.flatMap((node): ElementContent | ElementContent[] => {
    if (node.type === 'comment') return drawComment(node);
    if (node.type === 'text') return { type: 'text', value: withEmoji(node.value) };
    if (node.type !== 'element') return [];
    const { tagName, properties, children } = node;
    context.line = node.position?.start.line ?? context.line;
    if (typeof properties['id'] === 'string' && !/^h[1-6]$/.test(tagName)) context.anchors.add(properties['id']);
    const draw: Draw = (inner) => drawAll(inner, drawComment, context);
    const handler = Object.hasOwn(elementHandlers, tagName) ? elementHandlers[tagName] : undefined;
    if (handler) return handler(element(tagName, properties, children), context, draw);
    return element(tagName, plainProperties(node), draw(children));
  });
}
