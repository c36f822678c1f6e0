import type { Card } from './nodes.ts';
import type { Indent } from './paper.ts';
import type { BlockTools } from './platform-blocks.ts';
import { type Cell, type CellPicture, drawTable } from './table.ts';

const perRow = 3;

/** Cards in rows of three, each with its picture, its text and its link. */
export function drawCards(
  cards: readonly Card[],
  indent: Indent,
  { sheet, cell, link }: BlockTools,
  pictureOf: (url: string) => CellPicture | undefined,
): void {
  const cells = cards.map(({ children, target, cover }): Cell => {
    const { runs, pictures = [] } = cell(children);
    const place = target === undefined ? undefined : link(target);
    const image = cover === undefined ? undefined : pictureOf(cover);
    const first = runs.findIndex(({ text }) => text.trim() !== '');
    const linked = runs.map((run, index) => ({
      ...run,
      ...(index === first ? { bold: true } : {}),
      ...(index === first && place ? { link: place } : {}),
    }));
    return { runs: linked, pictures: image ? [image, ...pictures] : pictures };
  });
  const count = Math.min(perRow, cells.length);
  const rows = Array.from({ length: Math.ceil(cells.length / count) }, (_, row) =>
    cells.slice(row * count, row * count + count),
  );
  const shares = Array.from({ length: count }, () => 1 / count);
  drawTable(sheet, { rows, head: 0, shares, isPlain: true, isBoxed: true }, indent);
}
