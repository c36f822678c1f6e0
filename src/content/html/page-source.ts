import type { Element } from 'hast';
import type { PageRule } from '../blocks/page-rules.ts';

/** What a page needs from its surroundings. All functions are synchronous, so everything must be loaded up front. */
export interface PageSource {
  /** Resolves a link for readers, including links to other hosts. Undefined if there is no such target. */
  link(url: string): LinkTarget | undefined;
  /** Finds an image or file of the content. Undefined if it is missing. Not called for addresses of other hosts. */
  file(url: string): FileTarget | undefined;
  /** Finds a reusable text by its path or address, with the source that resolves its own links. */
  include(path: string): IncludedText | undefined;
  /** Evaluates an expression such as `visitor.claims.plan == "team"`. Throws ExpressionError from blocks/expressions.ts. */
  evaluate(expression: string): unknown;
  /** Draws an operation or schemas of a specification. Undefined if there is no such specification or operation. */
  openapi?(block: OpenApiBlock): Element | undefined;
  /** Draws an icon by its name, such as `rocket`. Undefined if there is no such icon. */
  icon?(name: string): Element | undefined;
  /** How a tag of an update is displayed. Undefined for its name. */
  tag?(name: string): { label: string; icon?: string } | undefined;
}

export interface LinkTarget {
  href: string;
  /** The title of the target, for cards and for links whose text is a path. */
  title?: string;
  description?: string;
  icon?: string;
  emoji?: string;
  /** On another host. */
  isExternal?: boolean;
  /** The page exists, but has no such heading. The renderer checks links within a page itself. */
  missingAnchor?: boolean;
}

export interface FileTarget {
  href: string;
  name: string;
  contentType?: string;
  /** In bytes. */
  size?: number;
  /** Of an image, in pixels. */
  width?: number;
  height?: number;
}

export interface IncludedText {
  markdown: string;
  source: PageSource;
}

/** A block such as `{% openapi-operation spec="petstore" path="/pet" method="post" %}`. */
export interface OpenApiBlock {
  kind: 'operation' | 'schemas' | 'webhook';
  /** The name of the specification. */
  spec?: string;
  /** The address of the specification, in the older form of the block. */
  src?: string;
  path?: string;
  method?: string;
  /** Names of schemas; empty for all. */
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
  /** In the rendered text, or in the reusable text `include`. The first line is 1. */
  line: number;
  column?: number;
  /** The name of the rule, such as `broken-link`: a key of `pageRules` in blocks/problems.ts. */
  rule: string;
  message: string;
  /** Path of the reusable text with the problem, as written in the page. */
  include?: string;
}

/** Everything a page depends on, as written in the page and in the texts it includes. */
export interface PageUses {
  links: string[];
  files: string[];
  includes: string[];
  /** Values that expressions read, such as `space.vars.version`. */
  variables: string[];
  /** Names or addresses of specifications. */
  specs: string[];
}

/** The plain text below a heading. The first section of a page can lack a heading. */
export interface PageSection {
  heading?: PageHeading;
  text: string;
}

export interface RenderedPage {
  /** Sanitized: without inline styles and scripts, and nothing is loaded from other hosts. */
  html: string;
  /** In document order. */
  headings: PageHeading[];
  problems: PageProblem[];
  uses: PageUses;
  /** The page has diagrams (`figure.diagram`) that a script can draw. */
  hasMermaid: boolean;
  /** For search. */
  sections: PageSection[];
  /** The texts of all sections. */
  text: string;
}

export interface RenderOptions {
  /** Lines of the file before this text, which are added to the lines of problems. */
  linesBefore?: number;
  /** Language of dates and numbers, such as `de`; `en` by default. */
  locale?: string;
  /** A note below each diagram until a script draws it. */
  diagramNote?: string;
  /** The title, which is displayed above the text. The same heading at the start of the text is skipped. */
  title?: string;
  /** Rules that are checked in addition to the usual ones. */
  optionalRules?: readonly PageRule[];
  /** Whether to highlight code. */
  hasColors?: boolean;
}

/** Renders a page. Asynchronous, because some modules, such as those for formulas, are loaded on demand. */
export type RenderPage = (markdown: string, source: PageSource, options?: RenderOptions) => Promise<RenderedPage>;
