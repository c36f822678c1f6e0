import GithubSlugger from 'github-slugger';
import type { ElementContent, Parent } from 'hast';
import type { Code } from 'mdast';
import type { Block, Formula } from '../blocks/nodes.ts';
import type { PageRule } from '../blocks/page-rules.ts';
import type { PageProblems } from '../blocks/problems.ts';
import type { UsedByPage } from '../blocks/resolve-blocks.ts';
import type { PageHeading, PageSource } from './page-source.ts';

/** A placeholder in the HTML tree for what the renderer itself draws, so that HTML from authors cannot break out of it. */
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

export type Draw = (nodes: ElementContent[]) => ElementContent[];

/** Functions from modules that are loaded only for pages that need them. */
export interface RareModules {
  highlight?: (code: string, language: string) => ElementContent[] | undefined;
  formula?: (tex: string, isBlock: boolean) => ElementContent[];
}

interface Parts {
  source: PageSource;
  problems: PageProblems;
  uses: UsedByPage;
  rare: RareModules;
  locale: string;
  diagramNote?: string | undefined;
}

/** The state while a page is drawn. */
export class DrawContext {
  readonly drawn: DrawnNode[] = [];
  readonly headings: PageHeading[] = [];
  readonly slugger = new GithubSlugger();
  /** All anchors of the page. */
  readonly anchors = new Set<string>();
  /** Links to anchors of the page itself. They are checked once all anchors are known. */
  readonly anchorLinks: { anchor: string; line: number; include: string | undefined }[] = [];
  /** Links must not contain other links. */
  linkDepth = 0;
  /** Headings in cards have no anchors. */
  cardDepth = 0;
  images = 0;
  hasMermaid = false;
  /** For problems in nodes without a position. */
  line = 1;

  source: PageSource;
  readonly problems: PageProblems;
  readonly uses: UsedByPage;
  readonly rare: RareModules;
  readonly locale: string;
  readonly diagramNote: string | undefined;

  constructor({ source, problems, uses, rare, locale, diagramNote }: Parts) {
    this.source = source;
    this.problems = problems;
    this.uses = uses;
    this.rare = rare;
    this.locale = locale;
    this.diagramNote = diagramNote;
  }

  /** Reports a problem on the current line. */
  report(rule: PageRule, message: string): void {
    this.problems.add(rule, { line: this.line }, message);
  }
}
