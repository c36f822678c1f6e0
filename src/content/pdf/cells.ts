import type { PhrasingContent, RootContent } from 'mdast';
import { type ImageNode } from './inline.ts';
import { phrasing } from './html.ts';
import type { FigureNode } from './nodes.ts';
import type { Cell, CellPicture } from './table.ts';
import type { Run } from './text/run.ts';

/** Turns blocks into the text and the pictures of a cell of a table. */
export class CellReader {
  readonly #runsOf: (nodes: readonly PhrasingContent[]) => Run[];
  readonly #pictureOf: (node: ImageNode | FigureNode) => CellPicture | undefined;

  constructor(
    runsOf: (nodes: readonly PhrasingContent[]) => Run[],
    pictureOf: (node: ImageNode | FigureNode) => CellPicture | undefined,
  ) {
    this.#runsOf = runsOf;
    this.#pictureOf = pictureOf;
  }

  read(blocks: readonly RootContent[]): Cell {
    const runs: Run[] = [];
    const pictures: CellPicture[] = [];
    this.#add(blocks, runs, pictures, '');
    while (runs.at(-1)?.text === '\n') runs.pop();
    return { runs, pictures };
  }

  #add(blocks: readonly RootContent[], runs: Run[], pictures: CellPicture[], indent: string): void {
    for (const block of blocks) {
      switch (block.type) {
        case 'paragraph':
          this.#line(block.children, runs, pictures);
          break;
        case 'heading':
          this.#line([{ type: 'strong', children: block.children }], runs, pictures);
          break;
        case 'list':
          startLine(runs);
          for (const [index, item] of block.children.entries()) {
            const marker = block.ordered ? `${(block.start ?? 1) + index}.` : '•';
            runs.push({ text: `${indent}${marker} ` });
            this.#add(item.children, runs, pictures, `${indent}   `);
            startLine(runs);
          }
          break;
        case 'code':
          startLine(runs);
          runs.push({ text: block.value, code: true }, { text: '\n' });
          break;
        case 'figure':
          this.#picture(block, pictures);
          this.#line(block.children, runs, pictures);
          break;
        case 'blockquote':
        case 'block':
          startLine(runs);
          this.#add(block.children, runs, pictures, indent);
          break;
        case 'html':
          break;
        default:
          this.#inline(phrasing([block]), runs, pictures);
      }
    }
  }

  /** A paragraph: a line of its own. */
  #line(nodes: readonly PhrasingContent[], runs: Run[], pictures: CellPicture[]): void {
    this.#inline(nodes, runs, pictures);
    startLine(runs);
  }

  #inline(nodes: readonly PhrasingContent[], runs: Run[], pictures: CellPicture[]): void {
    const rest = nodes.filter(
      (node) => !((node.type === 'image' || node.type === 'imageReference') && this.#picture(node, pictures)),
    );
    runs.push(...this.#runsOf(rest));
  }

  #picture(node: ImageNode | FigureNode, pictures: CellPicture[]): boolean {
    const picture = this.#pictureOf(node);
    if (picture) pictures.push(picture);
    return picture !== undefined;
  }
}

function startLine(runs: Run[]): void {
  if (runs.length > 0 && runs.at(-1)?.text !== '\n') runs.push({ text: '\n' });
}
