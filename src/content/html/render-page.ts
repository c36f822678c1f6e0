import type { ElementContent } from 'hast';
import type { Root } from 'mdast';
import { decodeAddress } from '../../shared/decode.ts';
import { PageProblems } from '../blocks/problems.ts';
import { readBlocks } from '../blocks/read-blocks.ts';
import { resolveBlocks, UsedByPage } from '../blocks/resolve-blocks.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { countLines, descend } from '../markdown/nodes.ts';
import { drawNodes } from './draw.ts';
import { DrawContext, type RareModules } from './draw-context.ts';
import { element, text } from './hast.ts';
import type { PageHeading, PageSource, RenderedPage, RenderOptions, RenderPage } from './page-source.ts';
import { sectionsOf } from './page-text.ts';
import { guard } from './safe-html.ts';
import { toHtmlTree } from './to-html-tree.ts';
import { writeHtml } from './write-html.ts';

/*
 * The classes in the HTML, which src/site/styles/ styles. No other classes are used.
 *
 * .hint.hint-info|success|warning|danger     content; starts with .hint-icon if the author chose an icon
 * .tabs > section.tab-panel[id]              p.tab-title (icon, title), content
 * .code[.code-wrap|numbers|expandable]       .code-title, pre > code.language-x with .hljs-*; .line with numbers
 * figure.diagram                             pre.mermaid > code with its source, figcaption
 * details.expandable                         summary, content; details.prompt.expandable > summary.prompt-description
 * ul.cards[.cards-large] > li.card           img.card-cover, .card-text (p.card-title for headings), a.card-link
 * ol.steps > li.step                         content
 * .columns > .column[.column-1 ... -11]      width in twelfths; .column-middle, .column-bottom
 * figure[.figure-left|center|right][.framed] img, figcaption; .frame-image around an image without caption
 * img.image-light, img.image-dark            for light and dark mode; .image-line as high as the text; .image-original
 * .embed-figure > a.embed > .embed-text      .embed-title, .embed-host; figcaption if it is a figure
 * .file-figure > a.file > .file-text         .file-name, .file-size; figcaption if it is a figure
 * a.page-link                                .emoji or svg.icon, .page-link-text > .page-link-title, .page-link-description
 * .button.button-primary|secondary           a, or button[data-action=search|ask][data-query]; span.button-disabled
 * .math, .math.math-block                    math; .math-error > code
 * .table > table                             thead.visually-hidden, .check.check-yes|no, .align-left|center|right
 * .contains-task-list > li.task-list-item    label > input
 * .updates > article.update                  header.update-date (time, .tag), .update-content
 * .tag, .color-x, .background-x, .full-width
 * h2 ... h6 > a.heading-anchor               after the text
 * section.footnotes                          h2.footnotes-title, a.footnote-link, a.footnote-back
 * a.external                                 a link to another host
 * .unknown-block, .broken-link, .missing-file, .missing-image, a.remote-image, .icon-unknown, .openapi-missing
 *
 * Authors choose the anchors of headings, so scripts find elements by class, not by ID.
 */

/** Renders the Markdown of a page, with or without front matter. */
export const renderPage: RenderPage = async (markdown, source, options = {}) => {
  const { bodyAt } = readFrontMatter(markdown);
  const firstLine = (options.linesBefore ?? 0) + countLines(markdown.slice(0, bodyAt)) + 1;
  const problems = new PageProblems();
  const uses = new UsedByPage();
  try {
    const root = readBlocks(markdown.slice(bodyAt), problems, firstLine);
    resolveBlocks(root, { source, problems, uses });
    const rare = await rareModules(root, markdown);
    const { locale = 'en', diagramNote } = options;
    return draw(root, new DrawContext({ source, problems, uses, rare, locale, diagramNote }), options);
  } catch (error) {
    rethrowUnlessTooDeep(error);
    return unrendered(markdown.slice(bodyAt), firstLine);
  }
};

/** Renders a text that is part of a page, such as the description of an operation. It is sanitized like a page. */
export function renderFragment(
  markdown: string,
  source: PageSource,
  rare: RareModules,
): { children: ElementContent[]; headings: PageHeading[] } {
  const problems = new PageProblems();
  const uses = new UsedByPage();
  try {
    const root = readBlocks(markdown, problems);
    resolveBlocks(root, { source, problems, uses });
    const context = new DrawContext({ source, problems, uses, rare, locale: 'en' });
    return { children: drawRoot(root, context), headings: context.headings };
  } catch (error) {
    rethrowUnlessTooDeep(error);
    return { children: [element('p', {}, [text(markdown)])], headings: [] };
  }
}

/** Trees are walked recursively, and thousands of nested elements overflow the stack. */
function rethrowUnlessTooDeep(error: unknown): void {
  if (!(error instanceof RangeError)) throw error;
}

function unrendered(markdown: string, line: number): RenderedPage {
  const message = 'The page nests thousands of elements and is shown as plain text.';
  const children = [element('pre', { className: ['unknown-block'], tabIndex: 0 }, [text(markdown)])];
  return {
    html: writeHtml({ children }),
    headings: [],
    problems: [{ line, rule: 'deep-nesting', message }],
    uses: new UsedByPage().lists,
    hasMermaid: false,
    sections: [{ text: markdown }],
    text: markdown,
  };
}

function drawRoot(root: Root, context: DrawContext): ElementContent[] {
  const tree = { type: 'root' as const, children: drawNodes(toHtmlTree(root, context), context) };
  guard(tree);
  return tree.children;
}

function draw(root: Root, context: DrawContext, options: RenderOptions): RenderedPage {
  removeTitle(root, context, options.title);
  const children = drawRoot(root, context);
  checkAnchors(context);
  const { problems, uses, headings, hasMermaid } = context;
  const sections = sectionsOf(children, headings);
  return {
    html: writeHtml({ children }),
    headings,
    problems: problems.list.toSorted((one, other) => one.line - other.line),
    uses: uses.lists,
    hasMermaid,
    sections,
    text: sections.map((section) => [section.heading?.text, section.text].filter(Boolean).join('\n')).join('\n'),
  };
}

// The title is drawn above the page.
function removeTitle(root: Root, context: DrawContext, title: string | undefined): void {
  const [first] = root.children;
  if (title === undefined || first?.type !== 'heading' || first.depth !== 1) return;
  const written = oneLine(plainText(first));
  if (written !== title.trim()) return;
  root.children.shift();
  context.anchors.add(context.slugger.slug(written));
}

function checkAnchors({ anchorLinks, anchors, problems }: DrawContext): void {
  for (const { anchor, line, include } of anchorLinks) {
    if (anchors.has(anchor) || anchors.has(decodeAddress(anchor)) || anchor === 'top') continue;
    problems.include = include;
    problems.add('missing-anchor', { line }, `#${anchor}: the page has no such heading.`);
  }
  problems.include = undefined;
}

/** Loads the modules that only few pages need, for code colors and formulas. */
async function rareModules(root: Root, markdown: string): Promise<RareModules> {
  const nodes = [...descend(root)];
  const hasCode = markdown.includes('<pre') || nodes.some((node) => node.type === 'code' && node.lang);
  const [colors, formulas] = await Promise.all([
    hasCode ? import('./code-colors.ts') : undefined,
    nodes.some(({ type }) => type === 'formula') ? import('./formulas.ts') : undefined,
  ]);
  return { ...(colors && { highlight: colors.highlight }), ...(formulas && { formula: formulas.formula }) };
}
