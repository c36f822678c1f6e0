import type { Comment, ElementContent } from 'hast';
import { raw } from 'hast-util-raw';
import { sanitize } from 'hast-util-sanitize';
import type { Nodes, Root } from 'mdast';
import { type Handler, toHast } from 'mdast-util-to-hast';
import { VFile } from 'vfile';
import { decodeAddress } from '../../shared/decode.ts';
import { PageProblems } from '../blocks/problems.ts';
import { readBlocks } from '../blocks/read-blocks.ts';
import { UsedByPage, resolveBlocks } from '../blocks/resolve-blocks.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { countLines, descend } from '../markdown/nodes.ts';
import { drawBlock } from './draw-blocks.ts';
import { type Draw, DrawContext, type Drawn, type RareModules } from './draw-context.ts';
import { elementHandlers } from './draw-elements.ts';
import { childrenOf, element, plainProperties, text } from './hast.ts';
import type { PageHeading, PageSource, RenderOptions, RenderPage, RenderedPage } from './page-source.ts';
import { sectionsOf } from './page-text.ts';
import { withEmoji } from '../markdown/emoji-names.ts';
import { guard, schema, statusOf } from './safe-html.ts';
import { writeHtml } from './write-html.ts';

/*
 * The classes in the HTML, which src/site/styles/ styles. No other classes are used.
 *
 * .hint.hint-info|success|warning|danger     content; starts with .hint-icon if the author chose an icon
 * .tabs > section.tab-panel[id]              p.tab-title (icon, title), content
 * .code[.code-wrap|numbers|expandable]       .code-title, pre > code.language-x with .hljs-*; .line[.line-highlighted|added|deleted]
 * figure.diagram                             pre.mermaid > code with its source, figcaption
 * details.expandable                         summary, content; details.prompt.expandable > summary.prompt-description
 * ul.cards[.cards-large] > li.card           .card-text (p.card-title for headings), a.card-link; with
 *                                            .card-with-cover: img.card-cover, .card-body > .card-text
 * ol.steps > li.step                         content
 * .columns > .column[.column-1 ... -11]      width in twelfths; .column-middle, .column-bottom
 * figure[.figure-left|center|right][.framed] img, figcaption; .frame-image around an image without caption
 * img.image-light, img.image-dark            for light and dark mode; .image-line as high as the text; .image-original
 * .embed-figure > a.embed[.embed-video] > .embed-text  .embed-title, .embed-host; figcaption if it is a figure
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
 * .integration-block > .integration-name       a block of an integration, with its content
 * .unknown-block, .broken-link, .missing-file, .missing-image, a.remote-image, .icon-unknown, .openapi-missing
 *
 * Authors choose the anchors of headings, so scripts find elements by class, not by ID.
 */

/** Renders the Markdown of a page, with or without front matter. */
export const renderPage: RenderPage = async (markdown, source, options = {}) => {
  const { bodyAt } = readFrontMatter(markdown);
  const firstLine = (options.linesBefore ?? 0) + countLines(markdown.slice(0, bodyAt)) + 1;
  const problems = new PageProblems(options.optionalRules);
  const uses = new UsedByPage();
  try {
    const root = readBlocks(markdown.slice(bodyAt), problems, firstLine);
    resolveBlocks(root, { source, problems, uses });
    const { locale = 'en', diagramNote, hasColors = true } = options;
    const rare = await rareModules(root, markdown, hasColors);
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
async function rareModules(root: Root, markdown: string, hasColors: boolean): Promise<RareModules> {
  const nodes = [...descend(root)];
  const hasCode = hasColors && (markdown.includes('<pre') || nodes.some((node) => node.type === 'code' && node.lang));
  const [colors, formulas] = await Promise.all([
    hasCode ? import('./code-colors.ts') : undefined,
    nodes.some(({ type }) => type === 'formula') ? import('./formulas.ts') : undefined,
  ]);
  return { ...(colors && { highlight: colors.highlight }), ...(formulas && { formula: formulas.formula }) };
}

/**
 * Turns what authors wrote into the HTML of the page: sanitizes it, then draws elements and blocks in document order.
 * The content of a block is sanitized separately.
 */
function drawNodes(nodes: ElementContent[], context: DrawContext): ElementContent[] {
  const placed: Drawn[] = [];
  const prepared = prepare(nodes, placed, context);
  const clean = sanitize({ type: 'root', children: prepared }, schema);
  const drawComment = (comment: Comment): ElementContent[] => {
    const drawn = placed[Number(comment.value)];
    return drawn ? drawBlock(drawn, context, (inner) => drawNodes(inner, context)) : [];
  };
  return drawAll(
    clean.type === 'root' ? childrenOf(clean) : clean.type === 'doctype' ? [] : [clean],
    drawComment,
    context,
  );
}

/** Replaces placeholders by comments with their number. Authors cannot write these, because their comments are removed. */
function prepare(nodes: ElementContent[], placed: Drawn[], context: DrawContext): ElementContent[] {
  const place = (drawn: Drawn): Comment => ({ type: 'comment', value: String(placed.push(drawn) - 1) });
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === 'comment') return [];
    if (node.type === 'drawn') return [place(node)];
    if (node.type !== 'element') return [node];
    const { tagName } = node;
    const start = node.position?.start;
    const status = statusOf(tagName);
    if (status === 'unsafe') {
      // Table columns can contain a list of their possible values, which is not meant for readers.
      if (tagName !== 'select') context.problems.add('unsafe-html', { line: start?.line }, `<${tagName}> is skipped.`);
      return [];
    }
    const children = prepare(node.children, placed, context);
    if (status !== 'unknown') return [{ ...node, children }];
    const message = `<${tagName}> is not an HTML tag and is shown as text. To write it as text, use \\<${tagName}>.`;
    context.problems.add('unknown-tag', { line: start?.line }, message);
    const index = context.drawn.push({ type: 'unknownTag', name: tagName }) - 1;
    return [place({ type: 'drawn', index, children: [] }), ...children];
  });
}

type DrawComment = (comment: Comment) => ElementContent[];

function drawAll(nodes: ElementContent[], drawComment: DrawComment, context: DrawContext): ElementContent[] {
  return nodes.flatMap((node): ElementContent | ElementContent[] => {
    if (node.type === 'comment') return drawComment(node);
    if (node.type === 'text') return { type: 'text', value: withEmoji(node.value) };
    if (node.type !== 'element') return [];
    const { tagName, properties, children } = node;
    context.line = node.position?.start.line ?? context.line;
    if (typeof properties['id'] === 'string' && !/^h[1-6]$/.test(tagName)) context.anchors.add(properties['id']);
    const draw: Draw = (inner) => drawAll(inner, drawComment, context);
    const handler = Object.hasOwn(elementHandlers, tagName) ? elementHandlers[tagName] : undefined;
    if (handler) return handler(element(tagName, properties, children), context, draw);
    return element(tagName, plainProperties(node), draw(children));
  });
}

/** Converts Markdown to an HTML tree with parsed HTML from authors, and `Drawn` nodes for blocks, code and formulas. */
function toHtmlTree(root: Root, context: DrawContext): ElementContent[] {
  const drawn: Handler = (state, node: Nodes) => {
    if (node.type !== 'block' && node.type !== 'code' && node.type !== 'formula') return undefined;
    const index = context.drawn.push(node) - 1;
    const result: Drawn = { type: 'drawn', index, children: 'children' in node ? state.all(node) : [] };
    state.patch(node, result);
    return result;
  };
  const tree = toHast(root, {
    allowDangerousHtml: true,
    clobberPrefix: '',
    handlers: { block: drawn, code: drawn, formula: drawn },
  });
  if (tree.type === 'root' && ![...descend(root)].some(({ type }) => type === 'html')) return childrenOf(tree);
  // With a file, nodes keep their positions, which problems need.
  const parsed = raw(tree, { passThrough: ['drawn'], file: new VFile() });
  return parsed.type === 'root' ? childrenOf(parsed) : [];
}
