import type { PhrasingContent, RootContent } from 'mdast';
import { phrasing } from './html.ts';
import type { ImageNode } from './inline.ts';
import type { FigureNode } from './nodes.ts';
import type { Cell, CellPicture } from './table.ts';
import type { Run } from './text/run.ts';

interface CellTools {
  runs(nodes: readonly PhrasingContent[]): Run[];
  picture(node: ImageNode | FigureNode): CellPicture | undefined;
}

/** Converts blocks to the text and pictures of a table cell. */
export function readCell(blocks: readonly RootContent[], tools: CellTools): Cell {
  const runs: Run[] = [];
  const pictures: CellPicture[] = [];
  const endLine = () => {
    if (runs.length > 0 && runs.at(-1)?.text !== '\n') runs.push({ text: '\n' });
  };
  const addPicture = (node: ImageNode | FigureNode): boolean => {
    const picture = tools.picture(node);
    if (picture) pictures.push(picture);
    return picture !== undefined;
  };
  const addInline = (nodes: readonly PhrasingContent[]) => {
    const isPicture = (node: PhrasingContent) =>
      (node.type === 'image' || node.type === 'imageReference') && addPicture(node);
    runs.push(...tools.runs(nodes.filter((node) => !isPicture(node))));
  };
  const addLine = (nodes: readonly PhrasingContent[]) => {
    addInline(nodes);
    endLine();
  };
  const add = (block: RootContent, indent: string): void => {
    switch (block.type) {
      case 'paragraph':
        return addLine(block.children);
      case 'heading':
        return addLine([{ type: 'strong', children: block.children }]);
      case 'list':
        endLine();
        for (const [index, item] of block.children.entries()) {
          runs.push({ text: `${indent}${block.ordered ? `${(block.start ?? 1) + index}.` : '•'} ` });
          for (const child of item.children) add(child, `${indent}   `);
          endLine();
        }
        return;
      case 'code':
        endLine();
        runs.push({ text: block.value, code: true }, { text: '\n' });
        return;
      case 'figure':
        addPicture(block);
        return addLine(block.children);
      case 'blockquote':
      case 'block':
        endLine();
        for (const child of block.children) add(child, indent);
        return;
      case 'html':
        return;
      default:
        addInline(phrasing([block]));
    }
  };
  for (const block of blocks) add(block, '');
  while (runs.at(-1)?.text === '\n') runs.pop();
  return { runs, pictures };
}
