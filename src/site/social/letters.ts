import type { Font, Glyph, PathCommand } from 'fontkit';

/** The letters of a font in one size, drawn once each. */
export class Letters {
  /** In pixels. */
  readonly size: number;
  readonly #font: Font;
  readonly #scale: number;
  readonly #drawn = new Map<number, Bitmap>();

  constructor(font: Font, size: number) {
    this.size = size;
    this.#font = font;
    this.#scale = size / font.unitsPerEm;
  }

  /** The width in pixels; undefined if the font lacks a letter. */
  widthOf(text: string): number | undefined {
    const { glyphs, advanceWidth } = this.#font.layout(text);
    return glyphs.some(({ id }) => id === 0) ? undefined : advanceWidth * this.#scale;
  }

  /** Calls `draw` for each letter with the position of its bitmap. @param y of the baseline */
  place(text: string, x: number, y: number, draw: (bitmap: Bitmap, left: number, top: number) => void): void {
    const { glyphs, positions } = this.#font.layout(text);
    let at = x;
    for (const [index, glyph] of glyphs.entries()) {
      const bitmap = this.#drawn.get(glyph.id) ?? rasterized(glyph, this.#scale);
      this.#drawn.set(glyph.id, bitmap);
      const position = positions[index];
      draw(bitmap, Math.round(at + (position?.xOffset ?? 0) * this.#scale) + bitmap.left, y + bitmap.top);
      at += (position?.xAdvance ?? glyph.advanceWidth) * this.#scale;
    }
  }
}

/** How much of each pixel a letter covers, from 0 to 1. */
export interface Bitmap {
  /** From its origin. */
  left: number;
  top: number;
  width: number;
  height: number;
  coverage: Float32Array;
}

/** Lines in each row of pixels. Within a line, coverage is exact. */
const linesPerRow = 5;

/** A part of an outline, from top to bottom. */
interface Edge {
  top: [x: number, y: number];
  bottom: [x: number, y: number];
  direction: 1 | -1;
}

function rasterized({ path }: Glyph, scale: number): Bitmap {
  const edges = edgesOf(path.commands, scale);
  const xs = edges.flatMap(({ top, bottom }) => [top[0], bottom[0]]);
  const left = Math.floor(Math.min(...xs, 0));
  const top = Math.floor(Math.min(...edges.map((edge) => edge.top[1]), 0));
  const width = Math.ceil(Math.max(...xs, 0)) - left + 1;
  const height = Math.ceil(Math.max(...edges.map((edge) => edge.bottom[1]), 0)) - top + 1;
  const coverage = new Float32Array(width * height);
  for (let line = 0; line < height * linesPerRow; line += 1) {
    const row = coverage.subarray(Math.floor(line / linesPerRow) * width, (Math.floor(line / linesPerRow) + 1) * width);
    for (const [from, to] of spansAt(edges, top + (line + 0.5) / linesPerRow)) fill(row, from - left, to - left);
  }
  return { left, top, width, height, coverage };
}

/** The parts of a line inside of the outline: the nonzero rule. */
function spansAt(edges: readonly Edge[], y: number): [from: number, to: number][] {
  const crossings = edges
    .filter(({ top, bottom }) => top[1] <= y && y < bottom[1])
    .map(({ top, bottom, direction }) => ({
      x: top[0] + ((bottom[0] - top[0]) * (y - top[1])) / (bottom[1] - top[1]),
      direction,
    }))
    .toSorted((one, other) => one.x - other.x);
  const spans: [number, number][] = [];
  let winding = 0;
  let from = 0;
  for (const { x, direction } of crossings) {
    if (winding === 0) from = x;
    winding += direction;
    if (winding === 0) spans.push([from, x]);
  }
  return spans;
}

function fill(row: Float32Array, from: number, to: number): void {
  for (let x = Math.floor(from); x < to; x += 1) {
    row[x] = (row[x] ?? 0) + (Math.min(to, x + 1) - Math.max(from, x)) / linesPerRow;
  }
}

/** The outline as straight lines, in pixels, with y downwards. */
function edgesOf(commands: readonly PathCommand[], scale: number): Edge[] {
  const edges: Edge[] = [];
  let [start, at]: [number, number][] = [
    [0, 0],
    [0, 0],
  ];
  const lineTo = (to: [number, number]) => {
    const isDown = at![1] <= to[1];
    edges.push(isDown ? { top: at!, bottom: to, direction: 1 } : { top: to, bottom: at!, direction: -1 });
    at = to;
  };
  for (const { command, args } of commands) {
    const points = Array.from({ length: args.length / 2 }, (_, index): [number, number] => [
      args[index * 2]! * scale,
      -args[index * 2 + 1]! * scale,
    ]);
    if (command === 'moveTo') [start, at] = [points[0]!, points[0]!];
    else if (command === 'closePath') lineTo(start!);
    else for (const point of curve([at!, ...points])) lineTo(point);
  }
  return edges;
}

const curveParts = 8;

/** Points on a Bézier curve with 2 to 4 control points, without the first one. */
function curve(controls: readonly [number, number][]): [number, number][] {
  if (controls.length === 2) return [controls[1]!];
  return Array.from({ length: curveParts }, (_, index) => {
    let points = controls;
    const share = (index + 1) / curveParts;
    while (points.length > 1) {
      points = points.slice(1).map(([x, y], number): [number, number] => {
        const [beforeX, beforeY] = points[number]!;
        return [beforeX + (x - beforeX) * share, beforeY + (y - beforeY) * share];
      });
    }
    return points[0]!;
  });
}
