import type { Html, Nodes, Parents, Root, RootContent } from 'mdast';
import { evaluateExpression } from '../blocks/expressions.ts';
import { type Block, blockOf } from '../blocks/nodes.ts';
import { PageProblems } from '../blocks/problems.ts';
import { readBlocks } from '../blocks/read-blocks.ts';
import { resolveBlocks, UsedByPage } from '../blocks/resolve-blocks.ts';
import type { PageSource } from '../html/page-source.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { blocksOfHtml, phrasing } from './html.ts';

interface ReadPageOptions {
  /** Reusable texts by path, as written in includes. */
  includes: ReadonlyMap<string, string>;
  /** The values for expressions, such as `space.vars`. */
  values: Readonly<Record<string, unknown>>;
  openapi?: DescribeBlock | undefined;
}

/** Describes a specification block as Markdown. Undefined if there is no such specification or operation. */
export type DescribeBlock = (block: Pick<Block, 'name' | 'attributes'>) => string | undefined;

/** Parses a page, and resolves its blocks, reusable texts and HTML. */
export function readPage(markdown: string, { includes, values, openapi }: ReadPageOptions): Root {
  const { bodyAt, data } = readFrontMatter(markdown);
  const problems = new PageProblems();
  const root = readBlocks(markdown.slice(bodyAt), problems);
  const source: PageSource = {
    link: () => undefined,
    file: () => undefined,
    include(path) {
      const text = includes.get(path);
      return text === undefined ? undefined : { markdown: text, source };
    },
    evaluate: (expression) => evaluateExpression(expression, { ...values, page: { vars: data['vars'] ?? {} } }),
  };
  if (/\{%|<code\b/.test(markdown)) resolveBlocks(root, { source, problems, uses: new UsedByPage() });
  if (openapi) fillSpecs(root, openapi);
  if (markdown.includes('<')) convertHtml(root);
  return root;
}

/** Replaces the content of specification blocks by their description. */
function fillSpecs(parent: Parents, openapi: DescribeBlock): void {
  for (const child of parent.children) {
    if (child.type === 'block' && child.name.startsWith('openapi')) {
      const markdown = openapi(child);
      if (markdown === undefined) continue;
      child.children = readBlocks(markdown, new PageProblems()).children;
      child.attributes['described'] = 'true';
    } else if ('children' in child) fillSpecs(child, openapi);
  }
}

/** The addresses of the images on a page. */
export function picturesIn(root: Root): Set<string> {
  const urls = new Set<string>();
  const definitions = new Map<string, string>();
  const references: string[] = [];
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'image' || node.type === 'figure') urls.add(node.url);
    else if (node.type === 'imageReference') references.push(node.identifier);
    else if (node.type === 'definition') definitions.set(node.identifier, node.url);
    else if (node.type === 'htmlTable')
      for (const { cells } of node.rows) for (const { children } of cells) waiting.push(...children);
    else if (node.type === 'cards')
      for (const { cover, children } of node.cards) {
        if (cover) urls.add(cover);
        waiting.push(...children);
      }
    if ('children' in node) for (const child of node.children) waiting.push(child);
  }
  for (const reference of references) urls.add(definitions.get(reference) ?? '');
  return urls;
}

function convertHtml(parent: Parents): void {
  const children: RootContent[] = [];
  for (const child of nestDetails(parent.children)) {
    if (child.type === 'html' && isBlockHtml(child, parent)) children.push(...blocksOfHtml(child.value));
    else if (child.type === 'html' && /^<img\b/i.test(child.value))
      children.push(...phrasing(blocksOfHtml(child.value)));
    else {
      if ('children' in child) convertHtml(child);
      children.push(child);
    }
  }
  Object.assign(parent, { children });
}

const flowParents = new Set(['root', 'blockquote', 'listItem', 'block', 'footnoteDefinition']);

/** In a paragraph, each HTML tag is a separate node. */
function isBlockHtml({ value }: Html, parent: Parents): boolean {
  return flowParents.has(parent.type) && !(parent.type === 'block' && parent.inline) && !value.startsWith('<!--');
}

const detailsStart = /^\s*<details\b/i;
const detailsEnd = /<\/details>\s*$/i;

/** Turns Markdown between the tags of `<details>` into the content of a block. */
function nestDetails(nodes: readonly RootContent[]): RootContent[] {
  const top: RootContent[] = [];
  const open: Block[] = [];
  for (const node of nodes) {
    const here = open.at(-1)?.children ?? top;
    const value = node.type === 'html' ? node.value : '';
    if (detailsStart.test(value) && !detailsEnd.test(value)) {
      const block = blockOf({ name: 'details', inline: false, tag: 'details' });
      here.push(block);
      open.push(block);
      setTitle(block, value);
    } else if (detailsEnd.test(value) && open.length > 0) open.pop();
    else if (!setTitle(open.at(-1), value)) here.push(node);
  }
  return top;
}

/** Sets the title of a block from `<summary>`. @returns whether the HTML contains it */
function setTitle(block: Block | undefined, html: string): boolean {
  const start = /<summary\b/i.exec(html)?.index ?? -1;
  const end = html.toLowerCase().indexOf(summaryEnd, start);
  if (!block || start === -1 || end === -1 || 'title' in block.attributes) return false;
  const [paragraph] = blocksOfHtml(`<p>${html.slice(html.indexOf('>', start) + 1, end)}</p>`);
  block.attributes['title'] = paragraph ? oneLine(plainText(paragraph)) : '';
  const rest = html.slice(end + summaryEnd.length).trim();
  if (rest !== '') block.children.push({ type: 'html', value: rest });
  return true;
}

const summaryEnd = '</summary>';
