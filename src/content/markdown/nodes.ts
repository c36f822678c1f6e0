import type { Nodes } from 'mdast';

/** The offset in the whole text. */
export function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

export function endOf(node: Nodes): number {
  return node.position?.end.offset ?? startOf(node);
}

/** The node and everything below it, in document order. Without recursion, because texts can be nested deeply. */
export function* descend(top: Nodes): Generator<Nodes> {
  const waiting: Nodes[] = [top];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    if ('children' in node) for (const child of node.children.toReversed()) waiting.push(child);
  }
}

/** The number of line feeds in a text, or in a part of it. */
export function countLines(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
