import type { Nodes } from 'mdast';

/** Where a node begins in the whole text. */
export function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

export function endOf(node: Nodes): number {
  return node.position?.end.offset ?? startOf(node);
}

/** The node and all below it, in the order of the text. Without recursion, because a text can be nested deeply. */
export function* descend(top: Nodes): Generator<Nodes> {
  const waiting: Nodes[] = [top];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    if ('children' in node) for (const child of node.children.toReversed()) waiting.push(child);
  }
}
