import type { ElementContent, Parent } from 'hast';
import GithubSlugger from 'github-slugger';
import type { Block, Formula } from '../blocks/nodes.ts';
import type { Code } from 'mdast';
import type { PageProblems } from '../blocks/problems.ts';
import type { UsedByPage } from '../blocks/resolve-blocks.ts';
import type { PageHeading, PageSource } from './page-source.ts';

/** Stands in the HTML tree for what the renderer draws itself, so that the HTML of authors cannot break out of it. */
export interface Drawn extends Parent {
  type: 'drawn';
  /** In `DrawContext.drawn`. */
  index: number;
  children: ElementContent[];
}

declare module 'hast' {
  interface ElementContentMap {
    drawn: Drawn;
  }
  interface RootContentMap {
    drawn: Drawn;
  }
}

/** An HTML tag that does not exist, such as `<spaceId>`. */
interface UnknownTag {
  type: 'unknownTag';
  name: string;
}

export type DrawnNode = Block | Code | Formula | UnknownTag;

/** Functions of the rare modules that the page needs. */
export interface RareModules {
  highlight?: (code: string, language: string) => ElementContent[] | undefined;
  formula?: (tex: string, isBlock: boolean) => ElementContent[];
}

/** What is known while a page is drawn. */
export class DrawContext {
  readonly drawn: DrawnNode[] = [];
  readonly headings: PageHeading[] = [];
  readonly slugger = new GithubSlugger();
  /** All anchors of the page. */
  readonly anchors = new Set<string>();
  /** Links to anchors of the page itself: checked when all are known. */
  readonly anchorLinks: { anchor: string; line: number; include: string | undefined }[] = [];
  /** Inside a link no other one may stand. */
  linkDepth = 0;
  /** Headings in cards have no anchors. */
  cardDepth = 0;
  images = 0;
  hasMermaid = false;
  /** Lines of problems in nodes without a place of their own. */
  line = 1;

  source: PageSource;
  readonly problems: PageProblems;
  readonly uses: UsedByPage;
  readonly rare: RareModules;
  readonly locale: string;
  readonly diagramNote: string | undefined;

  constructor(parts: {
    source: PageSource;
    problems: PageProblems;
    uses: UsedByPage;
    rare: RareModules;
    locale: string;
    diagramNote?: string | undefined;
  }) {
    this.source = parts.source;
    this.problems = parts.problems;
    this.uses = parts.uses;
    this.rare = parts.rare;
    this.locale = parts.locale;
    this.diagramNote = parts.diagramNote;
  }
}
