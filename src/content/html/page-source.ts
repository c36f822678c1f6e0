import type { Element } from 'hast';

/** What a page asks of what is around it. All functions answer at once: a maker of sources loads before what it needs. */
export interface PageSource {
  /** Where a link of the page leads for a reader; undefined: nothing is there. Also asked for addresses of other hosts. */
  link(url: string): LinkTarget | undefined;
  /** An image or file of the content; undefined: it is missing. Not asked for addresses of other hosts. */
  file(url: string): FileTarget | undefined;
  /** A reusable text by its path or address, with the source its own links are read with. */
  include(path: string): IncludedText | undefined;
  /** The value of an expression, such as `visitor.claims.plan == "team"`. Throws ExpressionError of blocks/expressions.ts. */
  evaluate(expression: string): unknown;
  /** HTML of an operation or the schemas of a specification; undefined: no such specification or operation. */
  openapi?(block: OpenApiBlock): Element | undefined;
  /** The drawing of an icon by its name, such as `rocket`; undefined: there is none of that name. */
  icon?(name: string): Element | undefined;
  /** How a tag of an update is shown; undefined: by its name. */
  tag?(name: string): { label: string; icon?: string } | undefined;
}

export interface LinkTarget {
  href: string;
  /** Of the page that the link leads to: shown by cards and where the text of a link is its path. */
  title?: string;
  description?: string;
  icon?: string;
  emoji?: string;
  /** On another host. */
  isExternal?: boolean;
  /** The page is there, but has no such heading. Links to headings of the page itself are checked by the renderer. */
  missingAnchor?: boolean;
}

export interface FileTarget {
  href: string;
  name: string;
  contentType?: string;
  /** In bytes. */
  size?: number;
  /** In pixels, of an image. */
  width?: number;
  height?: number;
}

export interface IncludedText {
  markdown: string;
  source: PageSource;
}

/** `{% openapi-operation spec="petstore" path="/pet" method="post" %}` and its like. */
export interface OpenApiBlock {
  kind: 'operation' | 'schemas' | 'webhook';
  /** The specification by its name. */
  spec?: string;
  /** The specification by its address, in the older form of the block. */
  src?: string;
  path?: string;
  method?: string;
  /** Names of schemas; empty: all. */
  schemas: string[];
  /** All attributes of the block as written, such as `expanded` and `grouped`. */
  attributes: Record<string, string>;
}

export interface PageHeading {
  /** Its anchor, without `#`. */
  id: string;
  depth: number;
  text: string;
}

export interface PageProblem {
  /** In the text that was given to the renderer, or in the reusable text `include`; the first line is 1. */
  line: number;
  column?: number;
  /** Short name of the rule, such as `broken-link`: the keys of `pageRules` in blocks/problems.ts. */
  rule: string;
  message: string;
  /** Path of the reusable text that has the problem, as the page names it. */
  include?: string;
}

/** What must be rendered again when something changes: all as written in the page and in the texts it includes. */
export interface PageUses {
  links: string[];
  files: string[];
  includes: string[];
  /** Members that expressions read, such as `space.vars.version`. */
  variables: string[];
  /** Names or addresses of specifications. */
  specs: string[];
}

/** The text below a heading, without Markdown; the first section of a page may have no heading. */
export interface PageSection {
  heading?: PageHeading;
  text: string;
}

export interface RenderedPage {
  /** Sanitized, without inline styles and scripts; nothing in it loads from another host. */
  html: string;
  /** In order of the page. */
  headings: PageHeading[];
  problems: PageProblem[];
  uses: PageUses;
  /** The page has diagrams (`figure.diagram`) that a script may draw. */
  hasMermaid: boolean;
  /** For search. */
  sections: PageSection[];
  /** The texts of all sections. */
  text: string;
}

export interface RenderOptions {
  /** Lines of its file that come before the given text: added to the lines of problems. */
  linesBefore?: number;
  /** Language of dates and numbers, such as `de`; `en` when absent. */
  locale?: string;
  /** Below each diagram that nothing has drawn yet; none when absent. */
  diagramNote?: string;
  /** The title of the page, which is a heading above the text: the same heading at its start is left out. */
  title?: string;
}

/** Renders a page. Rare modules, such as those for formulas, are loaded when a page needs them: hence the promise. */
export type RenderPage = (markdown: string, source: PageSource, options?: RenderOptions) => Promise<RenderedPage>;
