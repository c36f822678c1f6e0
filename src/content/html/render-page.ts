import type { Nodes, Root } from 'mdast';
import { decodeAddress } from '../../shared/decode.ts';
import { countLines } from '../blocks/html-blocks.ts';
import { PageProblems } from '../blocks/problems.ts';
import { readBlocks } from '../blocks/read-blocks.ts';
import { resolveBlocks, UsedByPage } from '../blocks/resolve-blocks.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { plainText } from '../markdown/markdown.ts';
import { element, text } from './content.ts';
import { drawNodes } from './draw.ts';
import { DrawContext, type RareModules } from './draw-context.ts';
import type { RenderedPage, RenderOptions, RenderPage } from './page-source.ts';
import { sectionsOf } from './page-text.ts';
import { guard } from './safe-html.ts';
import { toHtmlTree } from './to-html-tree.ts';
import { writeHtml } from './write-html.ts';

/*
 * The classes of the HTML, which src/site/styles/ draws. Nothing else of HTML has classes but these.
 *
 * .hint.hint-info|success|warning|danger     content; first .hint-icon with an icon where the author chose one
 * .tabs > section.tab-panel[id]              p.tab-title (icon, title), content
 * .code[.code-wrap|numbers|expandable]       .code-title, pre > code.language-x with .hljs-*; .line with numbers
 * figure.diagram                             pre.mermaid > code with its source, figcaption
 * details.expandable                         summary, content; details.prompt.expandable > summary.prompt-description
 * ul.cards[.cards-large] > li.card           img.card-cover, .card-text (p.card-title for headings), a.card-link
 * ol.steps > li.step                         content
 * .columns > .column[.column-1 ... -11]      width in twelfths; .column-middle, .column-bottom
 * figure[.figure-left|center|right][.framed] img, figcaption; .frame-image around an image without caption
 * img.image-light, img.image-dark            for light and dark pages; .image-line as high as the text; .image-original
 * .embed-figure > a.embed > .embed-text      .embed-title, .embed-host; figcaption where it is a figure
 * .file-figure > a.file > .file-text         .file-name, .file-size; figcaption where it is a figure
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
 * Anchors of headings are names that authors choose: scripts find elements by their class, not by id.
 */

/** HTML of a page's Markdown, with or without front matter, and what is to be known of it. */
export const renderPage: RenderPage = async (markdown, source, options = {}) => {
  const { bodyAt } = readFrontMatter(markdown);
  const firstLine = (options.linesBefore ?? 0) + countLines(markdown.slice(0, bodyAt)) + 1;
  const problems = new PageProblems();
  const uses = new UsedByPage();
  try {
    const root = readBlocks(markdown.slice(bodyAt), problems, firstLine);
    resolveBlocks(root, { source, problems, uses });
    const rare = await rareModules(root, markdown);
    const context = new DrawContext({
      source,
      problems,
      uses,
      rare,
      locale: options.locale ?? 'en',
      diagramNote: options.diagramNote,
    });
    return draw(root, context, options);
  } catch (error) {
    // Trees are walked by recursion: thousands of elements in each other take more stack than there is.
    if (!(error instanceof RangeError)) throw error;
    return unrendered(markdown.slice(bodyAt), firstLine);
  }
};

function unrendered(markdown: string, line: number): RenderedPage {
  const message = 'The page nests thousands of elements in each other: it is shown as it is written.';
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

function draw(root: Root, context: DrawContext, options: RenderOptions): RenderedPage {
  removeTitle(root, context, options.title);
  const children = drawNodes(toHtmlTree(root, context), context);
  const tree = { type: 'root' as const, children };
  guard(tree);
  checkAnchors(context);
  const sections = sectionsOf(children, context.headings);
  const { problems, uses, headings, hasMermaid } = context;
  return {
    html: writeHtml(tree),
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
  const written = plainText(first).replaceAll(/\s+/g, ' ').trim();
  if (written !== title.trim()) return;
  root.children.shift();
  context.anchors.add(context.slugger.slug(written));
}

function checkAnchors({ anchorLinks, anchors, problems }: DrawContext): void {
  for (const { anchor, line, include } of anchorLinks) {
    if (anchors.has(anchor) || anchors.has(decodeAddress(anchor)) || anchor === 'top') continue;
    problems.include = include;
    problems.add('missing-anchor', line, `#${anchor}: the page has no such heading.`);
  }
  problems.include = undefined;
}

/** Loads what few pages need: the colours of code, formulas. */
async function rareModules(root: Root, markdown: string): Promise<RareModules> {
  const found = { code: markdown.includes('<pre'), formula: false };
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'code' && node.lang) found.code = true;
    else if (node.type === 'formula') found.formula = true;
    if ('children' in node) for (const child of node.children) waiting.push(child);
  }
  const [colors, formulas] = await Promise.all([
    found.code ? import('./code-colors.ts') : undefined,
    found.formula ? import('./formulas.ts') : undefined,
  ]);
  return { ...(colors && { highlight: colors.highlight }), ...(formulas && { formula: formulas.formula }) };
}
