/** What a page asks of the frame that draws its diagrams. */
export interface DiagramRequest {
  source: string;
  isDark: boolean;
  font: string;
}

export interface DrawnDiagram {
  svg: string;
  /** 0 if it is not known. */
  width: number;
  height: number;
  /** The title and the description that the diagram gives itself. */
  text: string;
}

declare global {
  interface Window {
    /** In the frame only. */
    drawDiagram?: (request: DiagramRequest) => Promise<DrawnDiagram>;
  }
}
