import type { Literal, Parent, PhrasingContent, RootContent } from 'mdast';

/** A picture with its caption. */
export interface FigureNode extends Parent {
  type: 'figure';
  url: string;
  alt: string;
  /** The caption. */
  children: PhrasingContent[];
}

/** A table of HTML, whose cells may have blocks. */
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

/** Cards: a link, and a picture above the text. */
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
