import type { Literal, Parent, PhrasingContent, RootContent } from 'mdast';

/** An image with a caption. */
export interface FigureNode extends Parent {
  type: 'figure';
  url: string;
  alt: string;
  /** The caption. */
  children: PhrasingContent[];
}

/** An HTML table, whose cells can contain blocks. */
interface HtmlTableNode extends Literal {
  type: 'htmlTable';
  value: '';
  rows: HtmlRow[];
}

export interface HtmlRow {
  isHead: boolean;
  cells: HtmlCell[];
}

export interface HtmlCell {
  children: RootContent[];
  isHeader: boolean;
}

/** Cards with a link and an image above the text. */
interface CardsNode extends Literal {
  type: 'cards';
  value: '';
  cards: Card[];
}

export interface Card {
  children: RootContent[];
  target?: string;
  cover?: string;
}

declare module 'mdast' {
  interface RootContentMap {
    figure: FigureNode;
    htmlTable: HtmlTableNode;
    cards: CardsNode;
  }
}
