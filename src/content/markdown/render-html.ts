import type { Definition, ListItem, Nodes, Parents, Root, Table } from 'mdast';
import { readFrontMatter } from './front-matter.ts';
import { headingsOf, plainText } from './markdown.ts';
import { parse } from './parse.ts';

/** Returns the target of an address for the readers; undefined: the text is shown without a link. */
export type Leads = (url: string, kind: 'link' | 'image') => string | undefined;

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** HTML of a Markdown text. HTML in it is escaped, so that none of it runs or loads anything. */
export function renderHtml(markdown: string, leads: Leads): string {
  const root = parse(markdown.slice(readFrontMatter(markdown).bodyAt));
  return renderRoot(root, leads);
}

export function renderRoot(root: Root, leads: Leads): string {
  const anchors = headingsOf(root)
    .map((heading) => heading.anchor)
    .values();
  const definitions = new Map<string, Definition>();
  for (const node of root.children) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
  }
  return within(root, { leads, definitions, anchors });
}

interface Context {
  leads: Leads;
  definitions: Map<string, Definition>;
  /** Anchors of the headings that are still to come. */
  anchors: Iterator<string, undefined>;
}

const within = (node: Parents, context: Context): string => node.children.map((child) => html(child, context)).join('');

function html(node: Nodes, context: Context): string {
  switch (node.type) {
    case 'paragraph':
      return `<p>${within(node, context)}</p>`;
    case 'blockquote':
      return `<blockquote>${within(node, context)}</blockquote>`;
    case 'emphasis':
      return `<em>${within(node, context)}</em>`;
    case 'strong':
      return `<strong>${within(node, context)}</strong>`;
    case 'delete':
      return `<del>${within(node, context)}</del>`;
    case 'text':
      return escapeHtml(node.value);
    case 'html':
      return escapeHtml(plainText(node));
    case 'heading': {
      const anchor = context.anchors.next().value ?? '';
      return `<h${node.depth} id="${escapeHtml(anchor)}">${within(node, context)}</h${node.depth}>`;
    }
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`;
    case 'code':
      return `<pre><code>${escapeHtml(node.value)}</code></pre>`;
    case 'break':
      return '<br>';
    case 'thematicBreak':
      return '<hr>';
    case 'list': {
      const start = node.ordered && node.start != null && node.start !== 1 ? ` start="${node.start}"` : '';
      return node.ordered ? `<ol${start}>${within(node, context)}</ol>` : `<ul>${within(node, context)}</ul>`;
    }
    case 'listItem':
      return `<li>${box(node)}${within(node, context)}</li>`;
    case 'table':
      return table(node, context);
    case 'link':
      return link(node.url, within(node, context), context);
    case 'linkReference':
      return link(context.definitions.get(node.identifier)?.url ?? '', within(node, context), context);
    case 'image':
      return image(node.url, node.alt ?? '', context);
    case 'imageReference':
      return image(context.definitions.get(node.identifier)?.url ?? '', node.alt ?? '', context);
    case 'footnoteReference':
      return `<sup>${escapeHtml(node.label ?? node.identifier)}</sup>`;
    case 'footnoteDefinition':
      return `<div><sup>${escapeHtml(node.label ?? node.identifier)}</sup> ${within(node, context)}</div>`;
    default:
      return 'children' in node ? within(node, context) : '';
  }
}

const box = ({ checked }: ListItem): string => (checked == null ? '' : checked ? '☑ ' : '☐ ');

function table(node: Table, context: Context): string {
  const rows = node.children.map((row, index) => {
    const tag = index === 0 ? 'th' : 'td';
    return `<tr>${row.children.map((cell) => `<${tag}>${within(cell, context)}</${tag}>`).join('')}</tr>`;
  });
  return `<table>${rows.join('')}</table>`;
}

function link(url: string, text: string, { leads }: Context): string {
  const to = safe(leads(url, 'link'));
  return to === undefined ? text : `<a href="${escapeHtml(to)}">${text}</a>`;
}

function image(url: string, description: string, { leads }: Context): string {
  const from = safe(leads(url, 'image'));
  return from === undefined
    ? escapeHtml(description)
    : `<img src="${escapeHtml(from)}" alt="${escapeHtml(description)}">`;
}

// An address with a scheme must have one of these. Browsers remove blanks and control characters first.
const safe = (url: string | undefined): string | undefined => {
  const plain = url?.replaceAll(/[\u0000-\u0020]/g, '');
  return plain && (/^(?:https?|mailto):/i.test(plain) || !/^[^/?#]*:/.test(plain)) ? plain : undefined;
};
