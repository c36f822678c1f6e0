/** A picture that can be drawn. */
export interface ReadyImage {
  /** All in points. */
  draw: (x: number, y: number, width: number, height: number) => void;
  /** In pixels of a screen, as is the height. */
  width: number;
  height: number;
}
