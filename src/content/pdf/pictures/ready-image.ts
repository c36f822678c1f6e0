/** An image that can be drawn. */
export interface ReadyImage {
  /** All in points. */
  draw: (x: number, y: number, width: number, height: number) => void;
  /** In points, like the height. */
  width: number;
  height: number;
}
