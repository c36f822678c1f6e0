import type { List, ListItem, Nodes, Paragraph, Root } from 'mdast';
import { decodeAddress } from '../../shared/decode.ts';
import { encodePath } from '../markdown/links.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { parse, stringify } from '../markdown/parse.ts';
import { mergeLines } from '../merge/merge-lines.ts';

/** An entry of SUMMARY.md: a page by its file, a link to another site, a label, or (from a heading) a group. */
export interface SummaryEntry {
  kind: 'page' | 'link' | 'label' | 'group';
  title: string;
  /** For `page`, the decoded path from the folder; for `link`, the address. */
  target?: string;
  /** The YAML from which the service generates the subpages, such as those of an API reference. */
  generated?: string;
  /** From 1; missing if the entry is not from a text. */
  line?: number;
  children: SummaryEntry[];
}

/**
 * Reads the entries of a SUMMARY.md. Nested lists are subpages. A heading groups the lists below it, except the title.
 *
 * @param onUnused called with the line of each block for generated pages that the service ignores, because it is not below
 *   a page or heading, or another one is
 */
export function readSummary(text: string, onUnused?: OnUnused): SummaryEntry[] {
  return entriesOfLines(text) ?? entriesIn(parse(text), onUnused);
}

type OnUnused = (line: number | undefined) => void;

export function entriesIn(root: Root, onUnused: OnUnused = () => {}): SummaryEntry[] {
  const entries: SummaryEntry[] = [];
  let group: SummaryEntry | undefined;
  let seenFirst = false;
  for (const block of root.children) {
    if (block.type === 'heading') {
      const title = oneLine(plainText(block));
      if (seenFirst || block.depth > 1) {
        group = { kind: 'group', title, ...lineOf(block), children: [] };
        entries.push(group);
      }
      seenFirst = true;
    } else if (block.type === 'list') {
      const siblings = group?.children ?? entries;
      useGenerated(group, block, onUnused);
      for (const entry of entriesOf(block, onUnused)) siblings.push(entry);
    } else if (block.type === 'thematicBreak') group = undefined;
  }
  return entries;
}

function entriesOf(list: List, onUnused: OnUnused): SummaryEntry[] {
  return list.children
    .filter((item) => !isGenerated(item))
    .map((item: ListItem) => {
      const line = item.children.find((child): child is Paragraph => child.type === 'paragraph');
      const link = line?.children.find((child) => child.type === 'link');
      const lists = item.children.filter((child) => child.type === 'list');
      const children = lists.flatMap((child) => entriesOf(child, onUnused));
      const title = oneLine(plainText(link ?? line ?? { type: 'paragraph', children: [] }));
      const above: { generated?: string } = {};
      for (const child of lists) useGenerated(above, child, onUnused);
      return { title, ...targetOf(link?.url), ...above, ...lineOf(item), children };
    });
}

function targetOf(url = ''): Pick<SummaryEntry, 'kind' | 'target'> {
  if (url === '') return { kind: 'label' };
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return { kind: 'link', target: url };
  return { kind: 'page', target: decodeAddress(url.replace(/[?#].*$/s, '')) };
}

const lineOf = ({ position }: Nodes): { line?: number } => (position ? { line: position.start.line } : {});

/** Whether an item is only a block of YAML, from which the service generates pages. */
const isGenerated = ({ children: [first, ...others] }: ListItem): boolean =>
  others.length === 0 && first?.type === 'code' && /^[ \t]*type:[ \t]*builtin:/m.test(first.value);

/** Assigns the first block of YAML in a list to the entry above the list. */
function useGenerated(above: { generated?: string } | undefined, list: List, onUnused: OnUnused): void {
  for (const item of list.children.filter(isGenerated)) {
    const [code] = item.children;
    if (above && above.generated === undefined && code?.type === 'code') above.generated = code.value;
    else onUnused(lineOf(item).line);
  }
}

export function writeSummary(entries: readonly SummaryEntry[]): string {
  const root: ReturnType<typeof parse> = {
    type: 'root',
    children: [{ type: 'heading', depth: 1, children: [{ type: 'text', value: 'Table of contents' }] }],
  };
  let loose: SummaryEntry[] = [];
  const flush = () => {
    if (loose.length > 0) root.children.push(listOf(loose));
    loose = [];
  };
  let inGroup = false;
  for (const entry of entries) {
    if (entry.kind !== 'group') {
      // Without this line, the lists that follow would belong to the group.
      if (inGroup) root.children.push({ type: 'thematicBreak' });
      inGroup = false;
      loose.push(entry);
      continue;
    }
    flush();
    inGroup = true;
    root.children.push({ type: 'heading', depth: 2, children: [{ type: 'text', value: entry.title }] });
    if (entry.children.length > 0) root.children.push(listOf(entry.children));
  }
  flush();
  return stringify(root);
}

function listOf(entries: readonly SummaryEntry[]): List {
  return {
    type: 'list',
    ordered: false,
    spread: false,
    children: entries.map(({ kind, title, target = '', children }): ListItem => {
      const text = { type: 'text', value: title } as const;
      const url = kind === 'page' ? addressOf(target) : target;
      const line: Paragraph = {
        type: 'paragraph',
        children: kind === 'label' ? [text] : [{ type: 'link', url, children: [text] }],
      };
      return { type: 'listItem', spread: false, children: children.length > 0 ? [line, listOf(children)] : [line] };
    }),
  };
}

function addressOf(path: string): string {
  const encoded = encodePath(path).replaceAll('&', '%26');
  return /^[a-z][a-z0-9+.-]*:/i.test(encoded) ? `./${encoded}` : encoded;
}

/** A line without any Markdown syntax. */
const lineText = /^(?:[\p{L}\p{N}\p{M}\p{Emoji_Presentation} ,.;:'"()?!/+=%$@’“”–—…-]|&(?= ))+$/u;

const entryLine = /^( *)[*-] \[([^\][\\`*_<]+)\]\(([^\s()<>\\&]+)(?: "[^"\\&\n]*")?\)$/u;
const headingLine = /^(#{1,6}) ([^#<\\`*_[]+?)(?: <a href="#[\w-]*" id="[\w-]*"><\/a>)?$/;

/** The addresses in a SUMMARY.md that has the usual form, with their places; undefined for another one. */
export function summaryAddresses(text: string): { url: string; line: number; column: number }[] | undefined {
  // Addresses that are not in a link.
  if (/^#.*(?:www\.|https?:|@)/im.test(text) || !entriesOfLines(text)) return undefined;
  return text.split(/\r?\n/).flatMap((line, index) => {
    const url = entryLine.exec(line)?.[3];
    return url === undefined ? [] : [{ url, line: index + 1, column: line.indexOf('](') + 3 }];
  });
}

interface Open {
  indent: number;
  children: SummaryEntry[];
}

/**
 * Reads the usual form of a SUMMARY.md line by line, because parsing 2,000 lines as Markdown takes a second. Undefined if
 * any line has another form.
 */
function entriesOfLines(text: string): SummaryEntry[] | undefined {
  const entries: SummaryEntry[] = [];
  let siblings = entries;
  let open: Open[] = [];
  let seenHeading = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const heading = headingLine.exec(line);
    if (heading) {
      const [, marks = '', title = ''] = heading;
      if (!lineText.test(title)) return undefined;
      open = [];
      if (seenHeading || marks.length > 1) {
        const group: SummaryEntry = { kind: 'group', title: title.trim(), line: index + 1, children: [] };
        entries.push(group);
        siblings = group.children;
      }
      seenHeading = true;
      continue;
    }
    if (/^\*\*\*$/.test(line)) {
      open = [];
      siblings = entries;
      continue;
    }
    const [, spaces, title = '', url = ''] = entryLine.exec(line) ?? [];
    if (spaces === undefined || !lineText.test(title)) return undefined;
    const indent = spaces.length;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) {
      // Only the parser knows to which level an item between two levels belongs.
      const level = open.pop();
      if (level && level.indent !== indent && (open.at(-1)?.indent ?? -2) < indent - 2) return undefined;
    }
    const parent = open.at(-1);
    if (indent !== (parent ? parent.indent + 2 : 0)) return undefined;
    const entry: SummaryEntry = { title: oneLine(title), ...targetOf(url), line: index + 1, children: [] };
    (parent?.children ?? siblings).push(entry);
    open.push({ indent, children: entry.children });
  }
  return entries;
}

/**
 * Replaces the entries for pages in a SUMMARY.md, and keeps all other lines: the title, comments, links to other sites,
 * blank lines.
 *
 * @param before the current entries for pages
 * @param after the new ones
 */
export function editSummary(text: string, before: readonly SummaryEntry[], after: readonly SummaryEntry[]): string {
  const [old, list] = [before, after].map((entries) => inStyleOf(text, writeSummary(entries)));
  const merged = mergeLines(old ?? '', list ?? '', text);
  const listed = new Set(linesOf(`${old}\n${list}`).flatMap((line) => [line, addressIn(line) ?? line]));
  const left = merged.hunks.flatMap(({ theirs }) =>
    linesOf(theirs).filter((line) => line.trim() !== '' && !listed.has(addressIn(line) ?? line) && !isRule(line)),
  );
  if (left.length === 0) return merged.text;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return `${merged.text.trimEnd()}${end}${end}${left.join(end)}${end}`;
}

const linesOf = (text: string) => text.split(/\r?\n/);

const addressIn = (line: string) => /\]\(([^\s()]*)/.exec(line)?.[1];

/** Headings and rules only divide the replaced list. */
const isRule = (line: string) => /^#|^\*{3}$/.test(line);

/** Writes a list with the bullets and line ends of a text. */
function inStyleOf(text: string, list: string): string {
  const mark = /^([*+-]) \[/m.exec(text)?.[1] ?? '*';
  const marked = list.replaceAll(/^( *)[*-] /gm, (_, spaces: string) => `${spaces}${mark} `);
  return text.includes('\r\n') ? marked.replaceAll('\n', '\r\n') : marked;
}
